import { dashboard } from './dashboard.ts';
import { lines, table } from './panels.ts';
import { inRange, ofGames, perHour } from './queries.ts';

const byGame = { ...ofGames, by: 'game, currency' };

export const games = dashboard({
  name: 'games',
  title: 'games and RTP',
  description:
    'Money by game, in whole units of each currency. Completed rounds that players paid for; free rounds are apart. ' +
    'Exact amounts are in the database: roundhouse report, roundhouse rtp.',
  variables: ['operator', 'game', 'currency'],
  rows: [
    {
      title: 'Money',
      panels: [
        lines({
          title: 'GGR an hour',
          description: 'Bets minus payouts, by currency.',
          unit: 'short',
          queries: [
            {
              expr: `${perHour('roundhouse_bet_amount_total', ofGames)} - ${perHour('roundhouse_payout_amount_total', ofGames)}`,
              legend: '{{currency}}',
            },
          ],
        }),
        lines({
          title: 'Bets an hour',
          description: 'By game and currency.',
          unit: 'short',
          queries: [{ expr: perHour('roundhouse_bet_amount_total', byGame), legend: '{{game}} {{currency}}' }],
        }),
        lines({
          title: 'Payouts an hour',
          description: 'By game and currency.',
          unit: 'short',
          queries: [{ expr: perHour('roundhouse_payout_amount_total', byGame), legend: '{{game}} {{currency}}' }],
        }),
        table({
          title: 'GGR',
          description: 'Bets minus payouts in the range of the dashboard.',
          unit: 'short',
          queries: [
            {
              expr: `${inRange('roundhouse_bet_amount_total', 'operator, game, currency')} - ${inRange('roundhouse_payout_amount_total', 'operator, game, currency')}`,
              legend: '{{operator}} {{game}} {{currency}}',
            },
          ],
        }),
        table({
          title: 'RTP',
          description:
            'Payouts ÷ bets in the range of the dashboard. Few rounds prove nothing: roundhouse rtp has the interval.',
          unit: 'percentunit',
          queries: [
            {
              expr: `${inRange('roundhouse_payout_amount_total', 'game, currency')} / ${inRange('roundhouse_bet_amount_total', 'game, currency')}`,
              legend: '{{game}} {{currency}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Rounds',
      panels: [
        lines({
          title: 'Rounds an hour',
          description: 'Completed rounds that players paid for.',
          unit: 'short',
          queries: [{ expr: perHour('roundhouse_rounds_total', byGame), legend: '{{game}} {{currency}}' }],
        }),
        lines({
          title: 'Plays',
          description: 'Plays by game and mode, whatever their result.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (game, mode) (rate(roundhouse_plays_total{game=~"$game"}[$__rate_interval]))',
              legend: '{{game}} {{mode}}',
            },
          ],
        }),
        lines({
          title: 'Refused plays',
          description: 'By refusal. Most of them are the rules, limits or the balance.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (result) (rate(roundhouse_plays_total{game=~"$game",result!~"accepted|replayed"}[$__rate_interval]))',
              legend: '{{result}}',
            },
          ],
          noValue: 'no play was refused',
        }),
        lines({
          title: 'Void rounds an hour',
          description: 'Rounds whose bet was returned.',
          unit: 'short',
          queries: [{ expr: perHour('roundhouse_void_rounds_total', byGame), legend: '{{game}} {{currency}}' }],
          noValue: 'no round is void',
        }),
        lines({
          title: 'Bets of void rounds an hour',
          description: 'What void rounds would have cost.',
          unit: 'short',
          queries: [{ expr: perHour('roundhouse_void_bet_amount_total', byGame), legend: '{{game}} {{currency}}' }],
          noValue: 'no round is void',
        }),
        lines({
          title: 'Free rounds an hour',
          description: 'Rounds whose bet the operator pays.',
          unit: 'short',
          queries: [{ expr: perHour('roundhouse_free_rounds_total', byGame), legend: '{{game}} {{currency}}' }],
          noValue: 'no free rounds',
        }),
        lines({
          title: 'Payouts of free rounds an hour',
          description: 'What free rounds pay to players.',
          unit: 'short',
          queries: [{ expr: perHour('roundhouse_free_payout_amount_total', byGame), legend: '{{game}} {{currency}}' }],
          noValue: 'no free rounds',
        }),
        lines({
          title: 'RTP alarms',
          description: 'Lives, months and days in which the RTP has left its bounds.',
          unit: 'short',
          queries: [
            {
              expr: 'max by (game, version, mode, currency) (roundhouse_rtp_alarms{game=~"$game",currency=~"$currency"})',
              legend: '{{game}} {{version}} {{mode}} {{currency}}',
            },
          ],
          noValue: 'no alarm',
        }),
        lines({
          title: 'Books from the disk',
          description: 'Reads of a book that took over 1 ms, so that it came from the disk and not from memory.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (game) (rate(roundhouse_book_reads_slow_total{game=~"$game"}[$__rate_interval]))',
              legend: '{{game}}',
            },
          ],
          noValue: 'every book came from memory',
        }),
      ],
    },
  ],
});

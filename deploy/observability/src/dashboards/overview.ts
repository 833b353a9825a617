import { FAILED_RESULTS } from '../rules/objectives.ts';
import { dashboard } from './dashboard.ts';
import { replication } from './database.ts';
import { lines, number, table } from './panels.ts';
import { failingRequests, latency, perHour, quantile } from './queries.ts';

const FAILED = [...FAILED_RESULTS.server, ...FAILED_RESULTS.operator].join('|');

export const overview = dashboard({
  name: 'overview',
  title: 'overview',
  description: 'Is money safe, are players served, and where is the cause?',
  variables: ['operator'],
  rows: [
    {
      title: 'Is money safe?',
      panels: [
        number({
          title: 'Oldest pending transaction',
          description: 'Age of the oldest wallet transaction that is retried. Ten minutes raise MoneyUnsettled.',
          unit: 's',
          queries: [
            {
              expr: 'max(roundhouse_wallet_transactions_oldest_seconds{state="pending",operator=~"$operator"}) or vector(0)',
              legend: 'oldest',
            },
          ],
          limits: { yellow: 60, red: 600 },
        }),
        number({
          title: 'Parked transactions',
          description: 'Wallet transactions that are not retried any more. A person settles each of them.',
          unit: 'short',
          queries: [
            {
              expr: 'sum(max by (cell, operator, kind, age) (roundhouse_wallet_transactions_unsettled{state="parked",operator=~"$operator"})) or vector(0)',
              legend: 'parked',
            },
          ],
          limits: { red: 1 },
        }),
        number({
          title: 'RTP alarms',
          description: 'Lives, months and days in which the RTP of a mode has left its bounds.',
          unit: 'short',
          queries: [
            {
              expr: 'sum(max by (cell, game, version, mode, currency) (roundhouse_rtp_alarms)) or vector(0)',
              legend: 'alarms',
            },
          ],
          limits: { red: 1 },
        }),
        number({
          title: 'Significant events',
          description: 'Whether the chain of hashes over all significant events is whole.',
          unit: 'none',
          queries: [{ expr: 'min(roundhouse_event_chain_verified)', legend: 'chain' }],
          limits: { redBelow: 1, texts: { 0: 'broken', 1: 'whole' } },
          noValue: 'not verified yet',
        }),
        number({
          title: 'Installation',
          description: 'Whether the files of every node match its manifest.',
          unit: 'none',
          queries: [{ expr: 'min(roundhouse_install_verified)', legend: 'installation' }],
          limits: { redBelow: 1, texts: { 0: 'changed', 1: 'verified' } },
          noValue: 'no manifest',
        }),
        replication(),
        lines({
          title: 'Unsettled transactions by age',
          description: 'Wallet transactions without a certain result, pending and parked, by their age.',
          unit: 'short',
          stacked: true,
          queries: [
            {
              expr: 'sum by (age) (max by (cell, operator, kind, state, age) (roundhouse_wallet_transactions_unsettled{operator=~"$operator"}))',
              legend: '{{age}}',
            },
          ],
          noValue: 'no transaction is unsettled',
        }),
        lines({
          title: 'Open rounds by age',
          description: 'Rounds that are not completed. Old ones belong to players who left.',
          unit: 'short',
          stacked: true,
          queries: [
            {
              expr: 'sum by (age) (max by (cell, operator, age) (roundhouse_open_rounds{operator=~"$operator"}))',
              legend: '{{age}}',
            },
          ],
          noValue: 'no round is open',
        }),
        lines({
          title: 'GGR an hour',
          description: 'Bets minus payouts of completed rounds that players paid for, by currency.',
          unit: 'short',
          queries: [
            {
              expr: `${perHour('roundhouse_bet_amount_total')} - ${perHour('roundhouse_payout_amount_total')}`,
              legend: '{{currency}}',
            },
          ],
        }),
      ],
    },
    {
      title: 'Are players served?',
      panels: [
        number({
          title: 'Plays without a failure, 1 h',
          description:
            'Of the worst cell. The objective is 99.95 %. Refusals by rules, limits, balances and maintenance are no failures.',
          unit: 'percentunit',
          queries: [{ expr: '1 - max(sum by (cell) (roundhouse:plays_failed:ratio1h))', legend: 'good' }],
          limits: { redBelow: 0.9995 },
          noValue: 'no plays',
        }),
        number({
          title: 'Plays below 250 ms, 1 h',
          description: 'Of the worst cell. The objective is 99 % of accepted plays.',
          unit: 'percentunit',
          queries: [{ expr: '1 - max(roundhouse:plays_slow:ratio1h)', legend: 'fast' }],
          limits: { redBelow: 0.99 },
          noValue: 'no plays',
        }),
        number({
          title: 'Plays without a failure, 3 d',
          description: 'The same over three days.',
          unit: 'percentunit',
          queries: [{ expr: '1 - max(sum by (cell) (roundhouse:plays_failed:ratio3d))', legend: 'good' }],
          limits: { redBelow: 0.9995 },
          noValue: 'no plays',
        }),
        number({
          title: 'Plays below 250 ms, 3 d',
          description: 'The same over three days.',
          unit: 'percentunit',
          queries: [{ expr: '1 - max(roundhouse:plays_slow:ratio3d)', legend: 'fast' }],
          limits: { redBelow: 0.99 },
          noValue: 'no plays',
        }),
        number({
          title: 'Active sessions',
          description: 'Sessions with a request in the last five minutes. One that uses two nodes counts twice.',
          unit: 'short',
          queries: [{ expr: 'sum(roundhouse_sessions_active{operator=~"$operator"})', legend: 'sessions' }],
          noValue: '0',
        }),
        number({
          title: 'Nodes',
          description: 'Nodes that respond to Prometheus.',
          unit: 'short',
          queries: [{ expr: 'sum(up{job="roundhouse"})', legend: 'nodes' }],
          limits: { redBelow: 1 },
        }),
        lines({
          title: 'Plays',
          description: 'Plays by result: accepted, replayed, the refusal, or error.',
          unit: 'ops',
          stacked: true,
          queries: [{ expr: 'sum by (result) (rate(roundhouse_plays_total[$__rate_interval]))', legend: '{{result}}' }],
        }),
        lines({
          title: 'Failed plays by cause',
          description: 'Share of all plays that failed in the server, and because of operators, over five minutes.',
          unit: 'percentunit',
          queries: [{ expr: 'roundhouse:plays_failed:ratio5m', legend: '{{cause}} {{cell}}' }],
        }),
        lines({
          title: 'Time of a play',
          description: 'From reading the request to its response, of accepted plays, with the wallet of the operator.',
          unit: 's',
          queries: latency('roundhouse_request_duration_seconds', 'route="/wallet/play",result="ok"', ''),
        }),
      ],
    },
    {
      title: 'Where is the cause?',
      panels: [
        table({
          title: 'Alerts that fire',
          description: 'Their runbooks are in docs/operations.md.',
          unit: 'none',
          width: 12,
          queries: [{ expr: 'ALERTS{alertname=~"Roundhouse.+",alertstate="firing"}', legend: '{{alertname}}' }],
          noValue: 'none',
        }),
        lines({
          title: 'Failed plays by result',
          description: 'error and not_served: the server. wallet_…: the operator.',
          unit: 'ops',
          width: 12,
          stacked: true,
          queries: [
            {
              expr: `sum by (result) (rate(roundhouse_plays_total{result=~"${FAILED}"}[$__rate_interval]))`,
              legend: '{{result}}',
            },
          ],
          noValue: 'no play failed',
        }),
        lines({
          title: 'Failing wallets',
          description: 'Share of requests to the wallet that are uncertain or were not sent.',
          unit: 'percentunit',
          queries: [{ expr: failingRequests, legend: '{{operator}}' }],
        }),
        lines({
          title: 'Time in wallets, p99',
          description: 'From a request to an operator to its result.',
          unit: 's',
          queries: [
            {
              expr: quantile(0.99, 'roundhouse_wallet_request_duration_seconds', {
                by: 'operator',
                labels: 'operator=~"$operator"',
              }),
              legend: '{{operator}}',
            },
          ],
        }),
        lines({
          title: 'Time in the database, p90',
          description: 'Time of a batch in SQL, with its retries, by command. 100 ms raise DatabaseSlow.',
          unit: 's',
          queries: [
            {
              expr: quantile(0.9, 'roundhouse_batch_duration_seconds', { by: 'command' }),
              legend: '{{command}}',
            },
          ],
        }),
      ],
    },
  ],
});

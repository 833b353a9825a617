import type { AdminGameVersion, GameActivity, LargeWin } from '@roundhouse/contract/admin';
import { Amount } from '../../components/Amount.tsx';
import type { Column } from '../../components/DataTable.tsx';
import { PlayerLink } from '../../components/links.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { countText, intervalText, percentText } from '../../lib/rtp.ts';
import { BetAmount } from './BetAmount.tsx';

type Mode = AdminGameVersion['modes'][number];
type Bets = AdminGameVersion['bets'][number];

export const MODE_COLUMNS: readonly Column<Mode>[] = [
  { id: 'mode', header: 'Mode', cell: ({ mode }) => mode },
  { id: 'feature', header: 'Type', cell: ({ isFeature }) => (isFeature ? 'feature buy' : 'bet'), hideBelow: 'sm' },
  { id: 'cost', header: 'Cost', cell: ({ cost }) => `${cost} ×`, align: 'right' },
  { id: 'rtp', header: 'Theoretical RTP', cell: ({ rtp }) => percentText(rtp), align: 'right' },
  { id: 'hitRate', header: 'Hit rate', cell: ({ hitRate }) => percentText(hitRate), align: 'right' },
  {
    id: 'deviation',
    header: 'Std. deviation',
    cell: (mode) => mode.standardDeviation.toFixed(2),
    align: 'right',
    hideBelow: 'md',
  },
  {
    id: 'max',
    header: 'Max win',
    cell: ({ maxPayout }) => `${countText(maxPayout)} ×`,
    align: 'right',
    hideBelow: 'sm',
  },
];

export const BET_COLUMNS: readonly Column<Bets>[] = [
  { id: 'currency', header: 'Currency', cell: ({ currency }) => (currency === 'default' ? 'all others' : currency) },
  {
    id: 'min',
    header: 'Min bet',
    cell: ({ minBet, currency }) => <BetAmount micros={minBet} currency={currency} />,
    align: 'right',
  },
  {
    id: 'max',
    header: 'Max bet',
    cell: ({ maxBet, currency }) => <BetAmount micros={maxBet} currency={currency} />,
    align: 'right',
  },
  {
    id: 'step',
    header: 'Bet step',
    cell: ({ stepBet, currency }) => <BetAmount micros={stepBet} currency={currency} />,
    align: 'right',
    hideBelow: 'sm',
  },
  { id: 'levels', header: 'Bet levels', cell: ({ betLevels }) => betLevels.length, align: 'right', hideBelow: 'sm' },
];

export const ACTIVITY_COLUMNS: readonly Column<GameActivity>[] = [
  { id: 'mode', header: 'Mode', cell: ({ mode }) => mode },
  { id: 'version', header: 'Version', cell: ({ version }) => version, hideBelow: 'sm' },
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency },
  {
    id: 'rounds',
    header: 'Rounds',
    cell: ({ rounds }) => countText(rounds),
    align: 'right',
    sortBy: ({ rounds }) => rounds,
  },
  {
    id: 'bets',
    header: 'Bets',
    cell: ({ bets, currency }) => <Amount micros={bets} currency={currency} />,
    align: 'right',
    hideBelow: 'md',
  },
  {
    id: 'payouts',
    header: 'Payouts',
    cell: ({ payouts, currency }) => <Amount micros={payouts} currency={currency} />,
    align: 'right',
    hideBelow: 'md',
  },
  { id: 'rtp', header: 'RTP', cell: rtpOf, align: 'right' },
  {
    ...{ id: 'table', header: 'Theoretical RTP', align: 'right', hideBelow: 'sm' },
    cell: ({ tableRtp }) => percentText(tableRtp),
  },
  { id: 'interval', header: '99.9 % interval', cell: intervalText, align: 'right', hideBelow: 'md' },
  {
    id: 'open',
    header: 'Open rounds',
    cell: ({ openRounds }) => countText(openRounds),
    align: 'right',
    hideBelow: 'lg',
  },
];

/** Marks an RTP outside its interval, also in words. */
function rtpOf({ rtp, low, high }: GameActivity) {
  const isOutside = rtp !== null && low !== null && high !== null && (rtp < low || rtp > high);
  return isOutside ? <StateBadge state="alarm" label={`${percentText(rtp)} out of bounds`} /> : percentText(rtp);
}

export const WIN_COLUMNS: readonly Column<LargeWin>[] = [
  { id: 'betID', header: 'Round', cell: ({ betID }) => betID },
  {
    id: 'payout',
    header: 'Payout',
    cell: ({ payout, currency }) => <Amount micros={payout} currency={currency} />,
    align: 'right',
    sortBy: ({ payout }) => payout,
  },
  {
    id: 'bet',
    header: 'Bet',
    cell: ({ bet, currency }) => <Amount micros={bet} currency={currency} />,
    align: 'right',
    hideBelow: 'sm',
  },
  { id: 'mode', header: 'Mode', cell: ({ mode }) => mode, hideBelow: 'md' },
  { id: 'player', header: 'Player', cell: PlayerLink, isCut: true },
  { id: 'operator', header: 'Operator', cell: ({ operator }) => operator, hideBelow: 'md', isCut: true },
  { id: 'at', header: 'Time', cell: ({ at }) => <Time at={at} />, hideBelow: 'sm' },
];

import type { AdminGameVersion, GameActivity, LargeWin } from '@roundhouse/contract/admin';
import { amountColumn, countColumn, figureColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import type { Column } from '../../components/DataTable.tsx';
import { PlayerLink } from '../../components/links.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { countText, intervalText, percentText } from '../../lib/rtp.ts';
import { BetAmount } from './BetAmount.tsx';

type Mode = AdminGameVersion['modes'][number];
type Bets = AdminGameVersion['bets'][number];

export const MODE_COLUMNS: readonly Column<Mode>[] = [
  textColumn('mode', 'Mode', ({ mode }) => mode),
  textColumn('feature', 'Type', ({ isFeature }) => (isFeature ? 'feature buy' : 'bet'), 'sm'),
  figureColumn('cost', 'Cost', ({ cost }) => `${cost} ×`),
  figureColumn('rtp', 'Theoretical RTP', ({ rtp }) => percentText(rtp)),
  figureColumn('hitRate', 'Hit rate', ({ hitRate }) => percentText(hitRate)),
  figureColumn('deviation', 'Std. deviation', (mode) => mode.standardDeviation.toFixed(2), 'md'),
  figureColumn('max', 'Max win', ({ maxPayout }) => `${countText(maxPayout)} ×`, 'sm'),
];

const betColumn = (id: 'minBet' | 'maxBet' | 'stepBet', header: string): Column<Bets> =>
  figureColumn(
    id,
    header,
    (row) => <BetAmount micros={row[id]} currency={row.currency} />,
    id === 'stepBet' ? 'sm' : undefined,
  );

export const BET_COLUMNS: readonly Column<Bets>[] = [
  textColumn('currency', 'Currency', ({ currency }) => (currency === 'default' ? 'all others' : currency)),
  betColumn('minBet', 'Min bet'),
  betColumn('maxBet', 'Max bet'),
  betColumn('stepBet', 'Bet step'),
  countColumn('levels', 'Bet levels', ({ betLevels }) => betLevels.length, 'sm'),
];

export const ACTIVITY_COLUMNS: readonly Column<GameActivity>[] = [
  textColumn('mode', 'Mode', ({ mode }) => mode),
  textColumn('version', 'Version', ({ version }) => version, 'sm'),
  textColumn('currency', 'Currency', ({ currency }) => currency),
  { ...countColumn('rounds', 'Rounds', ({ rounds }) => rounds), sortBy: ({ rounds }) => rounds },
  amountColumn('bets', 'Bets', ({ bets }) => bets, 'md'),
  amountColumn('payouts', 'Payouts', ({ payouts }) => payouts, 'md'),
  figureColumn('rtp', 'RTP', rtpOf),
  figureColumn('table', 'Theoretical RTP', ({ tableRtp }) => percentText(tableRtp), 'sm'),
  figureColumn('interval', '99.9 % interval', intervalText, 'md'),
  countColumn('open', 'Open rounds', ({ openRounds }) => openRounds, 'lg'),
];

/** Marks an RTP outside its interval, also in words. */
function rtpOf({ rtp, low, high }: GameActivity) {
  const isOutside = rtp !== null && low !== null && high !== null && (rtp < low || rtp > high);
  return isOutside ? <StateBadge state="alarm" label={`${percentText(rtp)} out of bounds`} /> : percentText(rtp);
}

export const WIN_COLUMNS: readonly Column<LargeWin>[] = [
  textColumn('betID', 'Round', ({ betID }) => betID),
  { ...amountColumn('payout', 'Payout', ({ payout }) => payout), sortBy: ({ payout }) => payout },
  { ...amountColumn('bet', 'Bet', ({ bet }) => bet, 'sm'), under: 'payout' },
  textColumn('mode', 'Mode', ({ mode }) => mode, 'md'),
  { ...textColumn('player', 'Player', PlayerLink), isCut: true },
  { ...textColumn('operator', 'Operator', ({ operator }) => operator, 'md'), isCut: true },
  { ...timeColumn('at', 'Time', ({ at }) => at, 'sm'), under: 'betID' },
];

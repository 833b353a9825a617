import type { AdminRound } from '@roundhouse/contract/admin';
import { Amount } from '../../components/Amount.tsx';
import { amountColumn, figureColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import type { Column } from '../../components/DataTable.tsx';
import { PlayerLink } from '../../components/links.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';

export const ROUND_STATES = ['open', 'settled', 'void', 'refused'] as const;

const COLUMNS: readonly Column<AdminRound>[] = [
  textColumn('bet', 'Round', ({ betID }) => betID),
  { ...timeColumn('opened', 'Opened', ({ openedAt }) => openedAt, 'sm'), under: 'bet' },
  { ...textColumn('player', 'Player', PlayerLink), isCut: true },
  { ...textColumn('operator', 'Operator', ({ operator }) => operator, 'md'), under: 'player' },
  { ...textColumn('game', 'Game', ({ gameID }) => gameID, 'md'), under: 'player' },
  textColumn('mode', 'Mode', ({ mode }) => mode, 'lg'),
  figureColumn('debit', 'Bet', ({ debit, freeBet, currency }) =>
    freeBet === undefined ? <Amount micros={debit} currency={currency} /> : 'free',
  ),
  {
    ...amountColumn('payout', 'Payout', ({ payout, state }) => (state === 'settled' ? payout : null), 'sm'),
    under: 'debit',
  },
  textColumn('state', 'State', (round) => <RoundState round={round} />),
];

/** Returns the columns of a list of rounds. A list of one player needs no player column. */
export function roundColumns({ isOfPlayer = false, isOfOperator = false }): readonly Column<AdminRound>[] {
  const hidden = isOfPlayer ? ['player', 'operator'] : isOfOperator ? ['operator'] : [];
  return COLUMNS.filter(({ id }) => !hidden.includes(id)).map((column) =>
    isOfPlayer && column.under === 'player' ? { ...column, under: 'bet' } : column,
  );
}

export function RoundState({ round: { state, interrupted } }: { round: Pick<AdminRound, 'state' | 'interrupted'> }) {
  if (interrupted) return <StateBadge state="interrupted" tone="warn" />;
  return <StateBadge state={state} {...(state === 'refused' && { tone: 'quiet' })} />;
}

export const roundKey = ({ betID }: AdminRound) => String(betID);

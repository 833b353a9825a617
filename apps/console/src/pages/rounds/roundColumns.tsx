import type { AdminRound } from '@roundhouse/contract/admin';
import { Amount } from '../../components/Amount.tsx';
import type { Column } from '../../components/DataTable.tsx';
import { PlayerLink } from '../../components/links.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';

export const ROUND_STATES = ['open', 'settled', 'void', 'refused'] as const;

const COLUMNS: readonly Column<AdminRound>[] = [
  { id: 'bet', header: 'Round', cell: ({ betID }) => betID },
  { id: 'opened', header: 'Opened', cell: ({ openedAt }) => <Time at={openedAt} /> },
  { id: 'player', header: 'Player', cell: PlayerLink, isCut: true },
  { id: 'operator', header: 'Operator', cell: ({ operator }) => operator, hideBelow: 'md' },
  { id: 'game', header: 'Game', cell: ({ gameID }) => gameID, hideBelow: 'md' },
  { id: 'mode', header: 'Mode', cell: ({ mode }) => mode, hideBelow: 'lg' },
  {
    id: 'debit',
    header: 'Bet',
    cell: ({ debit, freeBet, currency }) =>
      freeBet === undefined ? <Amount micros={debit} currency={currency} /> : <span>free</span>,
    align: 'right',
    hideBelow: 'sm',
  },
  {
    id: 'payout',
    header: 'Payout',
    cell: ({ payout, state, currency }) => <Amount micros={state === 'settled' ? payout : null} currency={currency} />,
    align: 'right',
  },
  { id: 'state', header: 'State', cell: (round) => <RoundState round={round} /> },
];

/**
 * Returns the columns of a list of rounds. A list of one player needs no player column, which leaves
 * room for the time on a phone.
 */
export function roundColumns({ ofOnePlayer = false, ofOneOperator = false } = {}): readonly Column<AdminRound>[] {
  return COLUMNS.filter(
    ({ id }) => !(ofOnePlayer && (id === 'player' || id === 'operator')) && !(ofOneOperator && id === 'operator'),
  ).map((column) => (column.id === 'opened' && !ofOnePlayer ? { ...column, hideBelow: 'sm' } : column));
}

export function RoundState({ round: { state, interrupted } }: { round: Pick<AdminRound, 'state' | 'interrupted'> }) {
  if (interrupted) return <StateBadge state="interrupted" tone="warn" />;
  return <StateBadge state={state} {...(state === 'refused' && { tone: 'quiet' })} />;
}

export const roundKey = ({ betID }: AdminRound) => String(betID);

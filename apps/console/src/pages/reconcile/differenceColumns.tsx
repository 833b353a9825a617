import type { ReconcileLine } from '@roundhouse/contract/admin';
import { Amount } from '../../components/Amount.tsx';
import { textColumn, timeColumn } from '../../components/columns.tsx';
import type { Column } from '../../components/DataTable.tsx';
import { RoundLink } from '../../components/links.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';

type Side = NonNullable<ReconcileLine['theirs']>;

/** Shows both sides of each difference. */
export const DIFFERENCE_COLUMNS: readonly Column<ReconcileLine>[] = [
  {
    ...{ id: 'difference', header: 'Difference', sortBy: ({ difference }: ReconcileLine) => difference },
    cell: ({ difference }) => <StateBadge state={difference} tone="bad" />,
  },
  { id: 'what', header: 'What', cell: ({ what }) => <span title={what}>{what}</span>, isCut: true },
  {
    ...{ id: 'round', header: 'Round' },
    cell: ({ ours, theirs }) => (ours === null ? (theirs?.betID ?? '–') : <RoundLink betID={ours.betID} />),
  },
  {
    ...{ id: 'ours', header: 'Ours', align: 'right' as const },
    cell: ({ ours }) => <SideAmount side={ours} />,
    sortBy: ({ ours }) => ours?.amount ?? -1,
  },
  {
    ...{ id: 'theirs', header: 'Theirs', align: 'right' as const },
    cell: ({ theirs }) => <SideAmount side={theirs} />,
    sortBy: ({ theirs }) => theirs?.amount ?? -1,
  },
  textColumn('kind', 'Kind', ({ ours, theirs }) => (ours ?? theirs)?.kind, 'sm'),
  { ...textColumn('player', 'Player', ({ ours, theirs }) => (ours ?? theirs)?.playerID, 'md'), isCut: true },
  timeColumn('at', 'Time', ({ ours, theirs }) => (ours ?? theirs)?.at, 'md'),
  { ...textColumn('id', 'Transaction', ({ transactionID }) => transactionID, 'lg'), isCut: true },
];

function SideAmount({ side }: { side: Side | null }) {
  return side === null ? '–' : <Amount micros={side.amount} currency={side.currency} />;
}

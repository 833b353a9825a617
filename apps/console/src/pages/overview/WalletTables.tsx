import type { Overview } from '@roundhouse/contract/admin';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { OperatorLink } from '../../components/links.tsx';
import { PathLink } from '../../components/PathLink.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { pathOf } from '../../lib/search.ts';

type Unsettled = Overview['unsettled'][number];
type Failing = Overview['failingWallets'][number];

const AGES: readonly [keyof Unsettled['ages'], string, 'sm'?][] = [
  ['minute', '< 1 min', 'sm'],
  ['tenMinutes', '< 10 min', 'sm'],
  ['hour', '<\u00a01\u00a0h'],
  ['day', '<\u00a024\u00a0h'],
  ['older', '24\u00a0h or older'],
];

const unsettledColumns: Column<Unsettled>[] = [
  {
    ...{ id: 'operator', header: 'Operator' },
    cell: ({ operator, state }) => (
      <PathLink to={pathOf('/wallet-transactions', { operator, state })}>{operator}</PathLink>
    ),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'count', header: 'Total', align: 'right', cell: ({ count }) => count },
  ...AGES.map(
    ([age, header, hideBelow]): Column<Unsettled> => ({
      ...{ id: age, header, hideBelow, align: 'right' },
      cell: ({ ages }) => ages[age] || '–',
    }),
  ),
];

/** Shows the number of pending and parked wallet transactions by age. */
export function UnsettledTable({ rows }: { rows: readonly Unsettled[] }) {
  return (
    <DataTable
      label="Unsettled wallet transactions"
      columns={unsettledColumns}
      rows={rows}
      rowKey={({ operator, state }) => `${operator} ${state}`}
      empty="Every wallet transaction is settled"
    />
  );
}

const failingColumns: Column<Failing>[] = [
  {
    ...{ id: 'operator', header: 'Operator' },
    cell: OperatorLink,
  },
  { id: 'since', header: 'Outage since', cell: ({ outageSince }) => <Time at={outageSince} /> },
  {
    ...{ id: 'results', header: 'Latest results' },
    cell: ({ results }) => results.map(({ resultCode, count }) => `${count} × ${resultCode}`).join(', ') || '–',
  },
];

/** Shows wallets that do not respond, or whose responses settle no transaction. */
export function FailingTable({ rows }: { rows: readonly Failing[] }) {
  return (
    <DataTable
      label="Operators with failing wallets"
      columns={failingColumns}
      rows={rows}
      rowKey={({ operator }) => operator}
      empty="Every wallet responds"
    />
  );
}

import type { Overview } from '@roundhouse/contract/admin';
import { countColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { OperatorLink } from '../../components/links.tsx';
import { PathLink } from '../../components/PathLink.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { pathOf } from '../../lib/search.ts';

type Unsettled = Overview['unsettled'][number];
type Failing = Overview['failingWallets'][number];

const AGES = {
  minute: '< 1 min',
  tenMinutes: '< 10 min',
  hour: '< 1 h',
  day: '< 24 h',
  older: '24 h or older',
} as const satisfies Record<keyof Unsettled['ages'], string>;

const unsettledColumns: Column<Unsettled>[] = [
  textColumn('operator', 'Operator', ({ operator, state }) => (
    <PathLink to={pathOf('/wallet-transactions', { operator, state })}>{operator}</PathLink>
  )),
  textColumn('state', 'State', StateBadge),
  countColumn('count', 'Total', ({ count }) => count),
  textColumn('ages', 'By age', ({ ages }) =>
    Object.entries(AGES)
      .filter(([age]) => ages[age as keyof typeof AGES] > 0)
      .map(([age, text]) => <div key={age}>{`${ages[age as keyof typeof AGES]} × ${text}`}</div>),
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
  textColumn('operator', 'Operator', OperatorLink),
  timeColumn('since', 'Outage since', ({ outageSince }) => outageSince),
  textColumn(
    'results',
    'Latest results',
    ({ results }) => results.map(({ resultCode, count }) => `${count} × ${resultCode}`).join(', ') || '–',
  ),
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

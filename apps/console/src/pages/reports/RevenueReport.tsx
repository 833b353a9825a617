import { Alert, Stack } from '@mantine/core';
import type { RevenueRow } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ApiOutput, apiQuery } from '../../api.ts';
import { amountColumn, countColumn, ggrColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { useCurrencies, useGameFilter, useOperatorFilter } from '../../lib/choices.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { PeriodButtons } from './PeriodButtons.tsx';
import { periodsAt } from './periods.ts';
import { RevenueChart } from './RevenueChart.tsx';

type Sums = ApiOutput<'getRevenue'>['totals'][number];

const GROUPS = [
  { value: 'day', label: 'Day' },
  { value: 'operator', label: 'Operator' },
  { value: 'game', label: 'Game' },
  { value: 'operator,game', label: 'Operator and game' },
  { value: 'day,operator', label: 'Day and operator' },
  { value: 'day,game', label: 'Day and game' },
  { value: 'day,operator,game', label: 'Day, operator and game' },
];

/** Reports bets, payouts and GGR by day, operator, game and currency. */
export function RevenueReport() {
  const currencies = useCurrencies();
  const [operatorFilter, gameFilter] = [useOperatorFilter(), useGameFilter()];
  const [filters, setFilters] = useFilters('from', 'to', 'by', 'operator', 'game', 'currency');
  const thisMonth = periodsAt(new Date())['This month'];
  const { from = thisMonth?.from ?? '', to = thisMonth?.to ?? '', by = 'day' } = filters;
  const query = { ...filters, from, to, by };
  const revenue = useQuery({ ...apiQuery('getRevenue', { query }), placeholderData: keepPreviousData });
  const groups = by.split(',');
  return (
    <>
      <PeriodButtons from={from} to={to} onChange={setFilters} />
      <FilterBar
        filters={[
          { name: 'from', label: 'First day', kind: 'date' },
          { name: 'to', label: 'Last day', kind: 'date' },
          { name: 'by', label: 'Group by', options: GROUPS, placeholder: 'Day', width: 160 },
          ...operatorFilter,
          gameFilter,
          { name: 'currency', label: 'Currency', options: currencies, width: 90 },
        ]}
        values={{ ...filters, from, to }}
        onChange={setFilters}
      />
      <Loaded query={revenue}>
        {({ items, totals, isCut }) => (
          <Stack gap="md">
            {groups.includes('day') && <RevenueChart rows={items} />}
            <DataTable<Sums>
              label="Totals by currency"
              columns={TOGETHER}
              rows={totals}
              rowKey={({ currency }) => currency}
              empty="No rounds completed on these days"
            />
            {isCut && (
              <Alert color="yellow">
                Only the first {items.length.toLocaleString('en')} rows are shown. The download has all.
              </Alert>
            )}
            <DataTable<RevenueRow>
              label="Revenue"
              columns={[...groupColumns(groups), ...SUMS]}
              rows={items}
              rowKey={({ day, operator, game, currency }) => JSON.stringify([day, operator, game, currency])}
              empty="No rounds completed on these days"
              footer={<DownloadButton table="revenue" query={query} />}
            />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

const GROUP_COLUMNS: readonly Column<RevenueRow>[] = [
  { id: 'day', header: 'Day', cell: ({ day }) => day, sortBy: ({ day }) => day ?? '' },
  { id: 'operator', header: 'Operator', cell: ({ operator }) => operator, sortBy: ({ operator }) => operator ?? '' },
  { id: 'game', header: 'Game', cell: ({ game }) => game, sortBy: ({ game }) => game ?? '' },
];

/** On a narrow page the first one has the others below it. */
function groupColumns(groups: readonly string[]): readonly Column<RevenueRow>[] {
  return GROUP_COLUMNS.filter(({ id }) => groups.includes(id)).map((column, place, [first]) =>
    place === 0 ? column : { ...column, hideBelow: 'md', under: first?.id ?? '' },
  );
}

type SumName = Exclude<keyof Sums, 'currency'>;
const sortable = (column: Column<Sums>): Column<Sums> => ({
  ...column,
  sortBy: (row) => BigInt(row[column.id as SumName]),
});

const SUMS: readonly Column<Sums>[] = [
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency, sortBy: ({ currency }) => currency },
  ...[
    { ...countColumn<Sums>('rounds', 'Rounds', ({ rounds }) => rounds, 'md'), under: 'currency' },
    amountColumn<Sums>('bets', 'Bets', ({ bets }) => bets),
    { ...amountColumn<Sums>('payouts', 'Payouts', ({ payouts }) => payouts, 'sm'), under: 'bets' },
    ggrColumn<Sums>('ggr', 'GGR', ({ ggr }) => ggr),
    countColumn<Sums>('freeRounds', 'Free rounds', ({ freeRounds }) => freeRounds, 'lg'),
    amountColumn<Sums>('freePayouts', 'Free-round payouts', ({ freePayouts }) => freePayouts, 'lg'),
    countColumn<Sums>('voidRounds', 'Void', ({ voidRounds }) => voidRounds, 'lg'),
  ].map(sortable),
];

/** The sums of all rows: the heading of the first column says so. */
const TOGETHER: readonly Column<Sums>[] = SUMS.map((column) =>
  column.id === 'currency' ? { ...column, header: 'Total in' } : column,
);

import { Text } from '@mantine/core';
import type { PerformanceReportRow } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useGameFilter, useOperatorFilter } from '../../lib/choices.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { GameCell } from './GameCell.tsx';
import { PeriodButtons } from './PeriodButtons.tsx';

/** Has the rows of `roundhouse report`. */
export function PerformanceReport() {
  const [operatorFilter, gameFilter] = [useOperatorFilter(), useGameFilter()];
  const [filters, setFilters] = useFilters('from', 'to', 'operator', 'game');
  const performance = useQuery({
    ...apiQuery('getPerformance', { query: filters }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PeriodButtons from={filters.from} to={filters.to} onChange={setFilters} />
      <FilterBar
        filters={[
          { name: 'from', label: 'First day', kind: 'date' },
          { name: 'to', label: 'Last day', kind: 'date' },
          ...operatorFilter,
          gameFilter,
        ]}
        values={filters}
        onChange={setFilters}
      />
      <Loaded query={performance}>
        {({ from, to, generatedAt, items }) => (
          <>
            <Text size="sm" c="dimmed" mb="xs">
              Rounds completed from {from ?? 'the first day'} to {to}. Generated <Time at={generatedAt} />. Interrupted
              rounds are as of now.
            </Text>
            <DataTable<PerformanceReportRow>
              label="Performance of games"
              columns={COLUMNS}
              rows={items}
              rowKey={(row) => JSON.stringify([row.operator, row.gameID, row.gameVersion, row.mode, row.currency])}
              empty="No operators"
              footer={<DownloadButton table="performance" query={filters} />}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

type Row = PerformanceReportRow;

const HIDE_BELOW: Readonly<Record<string, Column<Row>['hideBelow']>> = {
  rounds: 'sm',
  bets: 'md',
  payouts: 'md',
  theoreticalRtp: 'sm',
  freeRounds: 'lg',
  voidRounds: 'lg',
  interrupted: 'lg',
};

const amountOf = (id: string, header: string, read: (row: Row) => string | null, isSigned = false): Column<Row> => ({
  ...{ id, header, align: 'right', hideBelow: HIDE_BELOW[id] },
  cell: (row) => <Amount micros={read(row)} currency={row.currency ?? ''} isSigned={isSigned} />,
});
const textOf = (id: string, header: string, read: (row: Row) => string | number | null): Column<Row> => ({
  ...{ id, header, align: 'right', hideBelow: HIDE_BELOW[id] },
  cell: (row) => read(row)?.toLocaleString('en') ?? '–',
});
const percentOf = (text: string | null) => (text === null ? null : `${text} %`);

const COLUMNS: readonly Column<Row>[] = [
  { id: 'operator', header: 'Operator', cell: ({ operator }) => operator, isCut: true },
  { id: 'game', header: 'Game', cell: (row) => <GameCell game={row.gameID} {...row} />, isCut: true },
  { id: 'version', header: 'Version', cell: ({ gameVersion }) => gameVersion ?? '–', hideBelow: 'md' },
  { id: 'mode', header: 'Mode', cell: ({ mode }) => mode ?? '–', hideBelow: 'md' },
  {
    ...{ id: 'status', header: 'Status', hideBelow: 'xl' },
    cell: ({ status }) => (status === null ? '–' : <StateBadge state={status} />),
  },
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency ?? '–', hideBelow: 'md' },
  textOf('rounds', 'Rounds', ({ rounds }) => rounds),
  amountOf('bets', 'Bets', ({ bets }) => bets),
  amountOf('payouts', 'Payouts', ({ payouts }) => payouts),
  amountOf('ggr', 'GGR', ({ ggr }) => ggr, true),
  textOf('actualRtp', 'RTP', ({ actualRtp }) => percentOf(actualRtp)),
  textOf('theoreticalRtp', 'Theoretical RTP', ({ theoreticalRtp }) => percentOf(theoreticalRtp)),
  textOf('freeRounds', 'Free rounds', ({ freeRounds }) => freeRounds),
  textOf('voidRounds', 'Void', ({ voidRounds }) => voidRounds),
  textOf('interrupted', 'Interrupted', ({ interruptedRounds }) => interruptedRounds),
];

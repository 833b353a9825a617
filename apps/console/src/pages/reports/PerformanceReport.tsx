import { Text } from '@mantine/core';
import type { PerformanceReportRow } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { amountColumn, countColumn, figureColumn, ggrColumn, textColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Rtp } from '../../components/Rtp.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useGameFilter, useOperatorFilter } from '../../lib/choices.ts';
import { percentText } from '../../lib/rtp.ts';
import { useFilters } from '../../lib/useFilters.ts';
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

/** The report has percent as text. */
const fractionOf = (percent: string | null) => (percent === null ? null : Number(percent) / 100);

const COLUMNS: readonly Column<Row>[] = [
  { ...textColumn('operator', 'Operator', ({ operator }) => operator), isCut: true },
  { ...textColumn('game', 'Game', ({ gameID }) => gameID ?? 'No activity'), isCut: true },
  { ...textColumn('version', 'Version', ({ gameVersion }) => gameVersion, 'md'), under: 'game' },
  { ...textColumn('mode', 'Mode', ({ mode }) => mode, 'md'), under: 'game' },
  { ...textColumn('status', 'Status', ({ status }) => status && <StateBadge state={status} />, 'xl'), under: 'game' },
  { ...textColumn('currency', 'Currency', ({ currency }) => currency, 'md'), under: 'game' },
  { ...countColumn('rounds', 'Rounds', ({ rounds }) => rounds, 'md'), under: 'ggr' },
  { ...amountColumn('bets', 'Bets', ({ bets }) => bets, 'md'), under: 'ggr' },
  { ...amountColumn('payouts', 'Payouts', ({ payouts }) => payouts, 'md'), under: 'ggr' },
  ggrColumn('ggr', 'GGR', ({ ggr }) => ggr),
  figureColumn('actualRtp', 'RTP', ({ actualRtp, rounds }) => <Rtp rtp={fractionOf(actualRtp)} rounds={rounds ?? 0} />),
  figureColumn(
    'theoreticalRtp',
    'Theoretical RTP',
    ({ theoreticalRtp }) => percentText(fractionOf(theoreticalRtp)),
    'sm',
  ),
  countColumn('freeRounds', 'Free rounds', ({ freeRounds }) => freeRounds, 'xl'),
  countColumn('voidRounds', 'Void', ({ voidRounds }) => voidRounds, 'xl'),
  countColumn('interrupted', 'Interrupted', ({ interruptedRounds }) => interruptedRounds, 'xl'),
];

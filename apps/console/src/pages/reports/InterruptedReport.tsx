import type { AdminInterruptedRound } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { amountColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { PlayerLink, roundPath } from '../../components/links.tsx';
import { Time } from '../../components/Time.tsx';
import { useGameFilter, useOperatorFilter } from '../../lib/choices.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';

/** Lists open rounds that have waited for their players for an hour or longer. */
export function InterruptedReport() {
  const [operatorFilter, gameFilter] = [useOperatorFilter(), useGameFilter()];
  const [filters, setFilters] = useFilters('operator', 'game');
  const paging = usePaging();
  const rounds = useQuery({
    ...apiQuery('listInterruptedRounds', { query: { ...paging.query, ...filters } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <FilterBar filters={[...operatorFilter, gameFilter]} values={filters} onChange={setFilters} />
      <DataTable<AdminInterruptedRound>
        label="Interrupted rounds"
        columns={COLUMNS}
        query={rounds}
        rowKey={({ betID }) => String(betID)}
        rowPath={roundPath}
        paging={paging}
        empty="No interrupted rounds"
        footer={<DownloadButton table="interruptedRounds" query={filters} />}
      />
    </>
  );
}

const COLUMNS: readonly Column<AdminInterruptedRound>[] = [
  textColumn('betID', 'Round', ({ betID }) => betID),
  { ...timeColumn('activeAt', 'Waiting since', ({ activeAt }) => activeAt, 'sm'), under: 'betID' },
  { ...textColumn('operator', 'Operator', ({ operator }) => operator, 'md'), isCut: true, under: 'player' },
  { ...textColumn('player', 'Player', PlayerLink), isCut: true },
  { ...textColumn('game', 'Game', ({ gameID }) => gameID, 'sm'), isCut: true, under: 'player' },
  amountColumn('debit', 'Bet', ({ debit }) => debit),
  { ...amountColumn('payout', 'Payout due', ({ payout }) => payout, 'sm'), under: 'debit' },
  textColumn('dueAt', 'Completed automatically', ({ dueAt }) => (dueAt === null ? 'never' : <Time at={dueAt} />)),
];

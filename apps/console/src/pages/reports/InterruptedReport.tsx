import type { AdminInterruptedRound } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
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
  { id: 'betID', header: 'Round', cell: ({ betID }) => betID },
  { id: 'activeAt', header: 'Waiting since', cell: ({ activeAt }) => <Time at={activeAt} /> },
  { id: 'operator', header: 'Operator', cell: ({ operator }) => operator, isCut: true, hideBelow: 'md' },
  { id: 'player', header: 'Player', cell: PlayerLink, isCut: true },
  { id: 'game', header: 'Game', cell: ({ gameID }) => gameID, isCut: true, hideBelow: 'sm' },
  {
    ...{ id: 'debit', header: 'Bet', align: 'right' },
    cell: ({ debit, currency }) => <Amount micros={debit} currency={currency} />,
  },
  {
    ...{ id: 'payout', header: 'Payout due', align: 'right' },
    cell: ({ payout, currency }) => <Amount micros={payout} currency={currency} />,
  },
  {
    ...{ id: 'dueAt', header: 'Completed automatically' },
    cell: ({ dueAt }) => (dueAt === null ? 'never' : <Time at={dueAt} />),
  },
];

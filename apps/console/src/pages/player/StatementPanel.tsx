import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { type PlayerKey, roundPath } from '../../components/links.tsx';
import { useGameFilter } from '../../lib/choices.ts';
import { utcInstant } from '../../lib/time.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { ROUND_STATES, roundColumns, roundKey } from '../rounds/roundColumns.tsx';

const COLUMNS = roundColumns({ ofOnePlayer: true });

/** Lists the rounds of a player, newest first. */
export function StatementPanel({ player: { operator, playerID } }: { player: PlayerKey }) {
  const gameFilter = useGameFilter();
  const [filters, setFilters] = useFilters('game', 'state', 'from', 'to');
  const paging = usePaging();
  const { game } = filters;
  const state = ROUND_STATES.find((each) => each === filters.state);
  const [from, to] = [utcInstant(filters.from), utcInstant(filters.to)];
  const rounds = useQuery({
    ...apiQuery('listRounds', {
      query: {
        ...{ ...paging.query, operator, player: playerID },
        ...{ ...(game && { game }), ...(state && { state }), ...(from && { from }), ...(to && { to }) },
      },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <FilterBar
        filters={[
          gameFilter,
          { name: 'state', label: 'State', options: ROUND_STATES },
          { name: 'from', label: 'Opened from', kind: 'datetime-local' },
          { name: 'to', label: 'Opened before', kind: 'datetime-local' },
        ]}
        values={filters}
        onChange={setFilters}
      />
      <DataTable
        label="Rounds of the player"
        columns={COLUMNS}
        query={rounds}
        rowKey={roundKey}
        rowPath={roundPath}
        paging={paging}
        footer={<DownloadButton table="rounds" query={{ operator, player: playerID, game, state, from, to }} />}
        empty="No matching rounds"
      />
    </>
  );
}

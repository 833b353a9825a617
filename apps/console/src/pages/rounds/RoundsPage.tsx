import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '../../api.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { roundPath } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { useGameFilter, useOperatorFilter } from '../../lib/choices.ts';
import { utcInstant } from '../../lib/time.ts';
import { useAccount } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { ROUND_STATES, roundColumns, roundKey } from './roundColumns.tsx';

/** Lists the rounds of all players, newest first. */
export function RoundsPage() {
  const { operator: ownOperator } = useAccount();
  const [operatorFilter, gameFilter] = [useOperatorFilter(), useGameFilter()];
  const [filters, setFilters] = useFilters('player', 'operator', 'game', 'state', 'from', 'to');
  const paging = usePaging();
  const { player, operator, game } = filters;
  const state = ROUND_STATES.find((each) => each === filters.state);
  const [from, to] = [utcInstant(filters.from), utcInstant(filters.to)];
  const rounds = useQuery({
    ...apiQuery('listRounds', {
      query: {
        ...paging.query,
        ...{ ...(player && { player }), ...(operator && { operator }), ...(game && { game }) },
        ...{ ...(state && { state }), ...(from && { from }), ...(to && { to }) },
      },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useMemo(() => roundColumns({ ofOneOperator: ownOperator !== null }), [ownOperator]);
  return (
    <>
      <PageHead title="Rounds" />
      <FilterBar
        filters={[
          { name: 'player', label: 'Player' },
          ...operatorFilter,
          gameFilter,
          { name: 'state', label: 'State', options: ROUND_STATES },
          { name: 'from', label: 'Opened from', kind: 'datetime-local' },
          { name: 'to', label: 'Opened before', kind: 'datetime-local' },
        ]}
        values={filters}
        onChange={setFilters}
      />
      <DataTable
        label="Rounds"
        columns={columns}
        query={rounds}
        rowKey={roundKey}
        rowPath={roundPath}
        paging={paging}
        footer={<DownloadButton table="rounds" query={{ player, operator, game, state, from, to }} />}
        empty="No matching rounds"
        emptyHint={rounds.data?.cursor ? 'A page searches 100,000 rounds. "Next" searches further back.' : undefined}
      />
    </>
  );
}

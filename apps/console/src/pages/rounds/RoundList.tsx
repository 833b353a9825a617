import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type ApiInput, apiQuery } from '../../api.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { type PlayerKey, roundPath } from '../../components/links.tsx';
import { useGameFilter, useOperatorFilter } from '../../lib/choices.ts';
import { utcInstant } from '../../lib/time.ts';
import { useAccount } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { ROUND_STATES, roundColumns, roundKey } from './roundColumns.tsx';

/** Lists the rounds of all players, or of `only` one, newest first. */
export function RoundList({ only }: { only?: PlayerKey }) {
  const isOfOperator = useAccount().operator !== null;
  const [operatorFilter, gameFilter] = [useOperatorFilter(), useGameFilter()];
  const [{ from, to, ...filters }, setFilters] = useFilters('player', 'operator', 'game', 'state', 'from', 'to');
  const paging = usePaging();
  const query = {
    ...filters,
    ...(only && { player: only.playerID, operator: only.operator }),
    // Another tab of a player's page has other states.
    state: ROUND_STATES.find((each) => each === filters.state),
    ...{ from: utcInstant(from), to: utcInstant(to) },
  };
  const rounds = useQuery({
    ...apiQuery('listRounds', { query: { ...query, ...paging.query } as ApiInput<'listRounds'>['query'] }),
    placeholderData: keepPreviousData,
  });
  const isOfPlayer = only !== undefined;
  const columns = useMemo(() => roundColumns({ isOfPlayer, isOfOperator }), [isOfPlayer, isOfOperator]);
  return (
    <>
      <FilterBar
        filters={[
          ...(isOfPlayer ? [] : [{ name: 'player', label: 'Player' }, ...operatorFilter]),
          gameFilter,
          { name: 'state', label: 'State', options: ROUND_STATES },
          { name: 'from', label: 'Opened from', kind: 'datetime-local' },
          { name: 'to', label: 'Opened before', kind: 'datetime-local' },
        ]}
        values={{ ...filters, from, to }}
        onChange={setFilters}
      />
      <DataTable
        label={isOfPlayer ? 'Rounds of the player' : 'Rounds'}
        columns={columns}
        query={rounds}
        rowKey={roundKey}
        rowPath={roundPath}
        paging={paging}
        footer={<DownloadButton table="rounds" query={query} />}
        empty="No matching rounds"
        emptyHint={rounds.data?.cursor ? 'A page searches 100,000 rounds. "Next" searches further back.' : undefined}
      />
    </>
  );
}

import type { AdminPlayer } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '../../api.ts';
import { textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { playerPath } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { useOperatorFilter } from '../../lib/choices.ts';
import { useAccount } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';

const COLUMNS: readonly Column<AdminPlayer>[] = [
  { id: 'player', header: 'Player', cell: ({ playerID }) => <span title={playerID}>{playerID}</span>, isCut: true },
  textColumn('operator', 'Operator', ({ operator }) => operator),
  {
    ...textColumn('currencies', 'Currencies', ({ currencies }) => currencies.join(', ') || '–', 'sm'),
    under: 'player',
  },
  textColumn('country', 'Country', ({ country }) => country, 'sm'),
  timeColumn('created', 'First seen', ({ createdAt }) => createdAt, 'md'),
  timeColumn('login', 'Login expires', ({ loginExpiresAt }) => loginExpiresAt, 'lg'),
];

/** Lists players in the order of their names. */
export function PlayersPage() {
  const { operator: ownOperator } = useAccount();
  const operatorFilter = useOperatorFilter();
  const [filters, setFilters] = useFilters('prefix', 'operator');
  const paging = usePaging();
  const { prefix, operator } = filters;
  const players = useQuery({
    ...apiQuery('listPlayers', {
      query: { ...paging.query, ...(prefix && { prefix }), ...(operator && { operator }) },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useMemo(() => COLUMNS.filter(({ id }) => ownOperator === null || id !== 'operator'), [ownOperator]);
  return (
    <>
      <PageHead title="Players" />
      <FilterBar
        filters={[{ name: 'prefix', label: 'Name begins with', width: 220 }, ...operatorFilter]}
        values={filters}
        onChange={setFilters}
      />
      <DataTable
        label="Players"
        columns={columns}
        query={players}
        rowKey={({ operator: of, playerID }) => `${of} ${playerID}`}
        rowPath={playerPath}
        paging={paging}
        footer={<DownloadButton table="players" query={filters} />}
        empty="No matching players"
        emptyHint="Names are case-sensitive."
      />
    </>
  );
}

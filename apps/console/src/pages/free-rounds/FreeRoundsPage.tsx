import { Button } from '@mantine/core';
import type { AdminCampaign } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { campaignPath } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useOperatorFilter } from '../../lib/choices.ts';
import { useMay } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { betsText } from './campaignTexts.ts';
import { NewCampaign } from './NewCampaign.tsx';

/** Lists the campaigns, and creates one. */
export function FreeRoundsPage() {
  const operatorFilter = useOperatorFilter();
  const may = useMay();
  const [{ new: isNew, ...filters }, setFilters] = useFilters('operator', 'new');
  const paging = usePaging();
  const campaigns = useQuery({
    ...apiQuery('listCampaigns', { query: { ...paging.query, ...filters } }),
    placeholderData: keepPreviousData,
  });
  const mayCreate = may('createCampaign');
  return (
    <>
      <PageHead
        title="Free rounds"
        actions={
          mayCreate && (
            <Button size="xs" onClick={() => setFilters({ new: 'campaign' })}>
              New campaign
            </Button>
          )
        }
      />
      {mayCreate && isNew !== undefined && <NewCampaign onClose={() => setFilters({ new: undefined })} />}
      {operatorFilter.length > 0 && <FilterBar filters={operatorFilter} values={filters} onChange={setFilters} />}
      <DataTable<AdminCampaign>
        label="Campaigns"
        columns={COLUMNS}
        query={campaigns}
        rowKey={({ operator, campaignID }) => JSON.stringify([operator, campaignID])}
        rowPath={campaignPath}
        paging={paging}
        empty="No campaigns"
        emptyHint="A campaign sets what players get. You add the players on its page."
        footer={<DownloadButton table="campaigns" query={filters} />}
      />
    </>
  );
}

const COLUMNS: readonly Column<AdminCampaign>[] = [
  { id: 'campaignID', header: 'Campaign', cell: ({ campaignID }) => campaignID, isCut: true },
  { id: 'operator', header: 'Operator', cell: ({ operator }) => operator, isCut: true },
  { id: 'state', header: 'State', cell: (campaign) => <StateBadge state={stateOf(campaign)} /> },
  { id: 'games', header: 'Games', cell: ({ gameIDs }) => gameIDs.join(', '), isCut: true, hideBelow: 'md' },
  { id: 'mode', header: 'Mode', cell: ({ mode }) => mode, hideBelow: 'md' },
  { id: 'rounds', header: 'Rounds', align: 'right', cell: ({ rounds }) => rounds, hideBelow: 'sm' },
  { id: 'bets', header: 'Bet', align: 'right', cell: ({ bets }) => betsText(bets) },
  { id: 'endsAt', header: 'Ends', cell: ({ endsAt }) => <Time at={endsAt} />, hideBelow: 'sm' },
  { id: 'createdAt', header: 'Created', hideBelow: 'lg', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function stateOf({ state, endsAt }: AdminCampaign): string {
  return state === 'open' && Date.parse(endsAt) <= Date.now() ? 'ended' : state;
}

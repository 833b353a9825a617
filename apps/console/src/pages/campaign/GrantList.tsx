import { Button } from '@mantine/core';
import type { OperatorGrant } from '@roundhouse/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type ApiInput, apiQuery, useAction } from '../../api.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { amountColumn, countColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { CampaignLink, PlayerLink } from '../../components/links.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { amountText } from '../../lib/money.ts';
import { counted } from '../../lib/rtp.ts';
import { useMay } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';

const STATES = ['offered', 'accepted', 'finished', 'expired', 'cancelled', 'declined'] as const;

type Props = { operator: string } & ({ campaignID: string } | { playerID: string });

/** Lists the grants of a campaign, or all of a player, newest first, and cancels one. */
export function GrantList({ operator, ...of }: Props) {
  const may = useMay();
  const [filters, setFilters] = useFilters('playerID', 'state');
  const isOfPlayer = 'playerID' in of;
  // Another tab of a player's page has other states.
  const state = STATES.find((each) => each === filters.state);
  const paging = usePaging();
  const query = { ...filters, ...of, state };
  const grants = useQuery({
    ...apiQuery('listGrants', {
      params: { operator },
      query: { ...query, ...paging.query } as ApiInput<'listGrants'>['query'],
    }),
    placeholderData: keepPreviousData,
  });
  const mayCancel = may('cancelGrant');
  const [toCancel, setToCancel] = useState<OperatorGrant>();
  const columns = useMemo(() => {
    const own = isOfPlayer ? [campaignColumn(operator), ...OF_PLAYER] : [playerColumn(operator)];
    return [...own, ...COLUMNS, ...(mayCancel ? [cancelColumn(setToCancel)] : [])];
  }, [operator, mayCancel, isOfPlayer]);
  return (
    <>
      <FilterBar
        filters={[
          ...(isOfPlayer ? [] : [{ name: 'playerID', label: 'Player' }]),
          { name: 'state', label: 'State', options: STATES },
        ]}
        values={filters}
        onChange={setFilters}
      />
      <DataTable<OperatorGrant>
        label={isOfPlayer ? 'Free rounds of the player' : 'Grants of the campaign'}
        columns={columns}
        query={grants}
        rowKey={({ grantID }) => grantID}
        paging={paging}
        empty="No grants"
        footer={<DownloadButton table="grants" query={{ operator, ...query }} />}
      />
      {toCancel && <CancelModal operator={operator} grant={toCancel} onClose={() => setToCancel(undefined)} />}
    </>
  );
}

type Cancel = (grant: OperatorGrant) => void;

const playerColumn = (operator: string): Column<OperatorGrant> => ({
  ...{ id: 'player', header: 'Player', isCut: true },
  cell: ({ playerID }) => <PlayerLink {...{ operator, playerID }} />,
});

const campaignColumn = (operator: string): Column<OperatorGrant> => ({
  ...{ id: 'campaign', header: 'Campaign', isCut: true },
  cell: ({ campaignID }) => (campaignID === null ? 'none' : <CampaignLink {...{ operator, campaignID }} />),
});

/** All grants of a campaign have the same. */
const OF_PLAYER: readonly Column<OperatorGrant>[] = [
  { ...textColumn('games', 'Games', ({ gameIDs }) => gameIDs.join(', '), 'lg'), isCut: true },
  amountColumn('bet', 'Bet', ({ amount }) => amount, 'lg'),
];

const COLUMNS: readonly Column<OperatorGrant>[] = [
  { ...textColumn('grantID', 'Grant', ({ grantID }) => <span title={grantID}>{grantID}</span>, 'lg'), isCut: true },
  textColumn('state', 'State', ({ state }) => <StateBadge state={state} />),
  countColumn('given', 'Given', ({ given }) => given),
  countColumn('used', 'Used', ({ used }) => used, 'sm'),
  countColumn('left', 'Left', ({ left }) => left),
  amountColumn('won', 'Won', ({ won }) => won, 'sm'),
  timeColumn('expiresAt', 'Expires', ({ expiresAt }) => expiresAt, 'md'),
];

function cancelColumn(onCancel: Cancel): Column<OperatorGrant> {
  return {
    ...{ id: 'cancel', header: 'Action', isPinned: true },
    cell: (grant) =>
      grant.left > 0 && (
        <Button size="compact-xs" variant="default" c="var(--console-bad)" onClick={() => onCancel(grant)}>
          Cancel
        </Button>
      ),
  };
}

type CancelProps = { operator: string; grant: OperatorGrant; onClose: () => void };

function CancelModal({ operator, grant, onClose }: CancelProps) {
  const { grantID, playerID, left, amount, currency } = grant;
  const cancel = useAction('cancelGrant', {
    done: `The free rounds of ${playerID} are cancelled`,
    refreshes: ['listGrants', 'getCampaign'],
  });
  return (
    <ConfirmModal
      isOpen
      onClose={onClose}
      confirmLabel="Cancel the grant"
      title={`Cancel the free rounds of ${playerID}?`}
      consequence={`The player forfeits ${counted(left, 'unused round')} of ${amountText(amount, currency)}. An open round can still be finished and is paid.`}
      isDangerous
      reason="required"
      onConfirm={(reason) => cancel.mutateAsync({ params: { operator, grantID }, body: { reason } })}
    />
  );
}

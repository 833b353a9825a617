import { Button } from '@mantine/core';
import type { OperatorGrant } from '@roundhouse/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type ApiInput, apiQuery, useAction } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { PathLink } from '../../components/PathLink.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { amountText } from '../../lib/money.ts';
import { useMay } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';

const STATES = ['offered', 'accepted', 'finished', 'expired', 'cancelled', 'declined'] as const;

type Key = { operator: string; campaignID: string };

/** Lists the grants of a campaign, and cancels one. */
export function GrantList({ operator, campaignID }: Key) {
  const may = useMay();
  const [filters, setFilters] = useFilters('playerID', 'state');
  const paging = usePaging();
  const query = { campaignID, ...filters } as ApiInput<'listGrants'>['query'];
  const grants = useQuery({
    ...apiQuery('listGrants', { params: { operator }, query: { ...query, ...paging.query } }),
    placeholderData: keepPreviousData,
  });
  const mayCancel = may('cancelGrant');
  const [toCancel, setToCancel] = useState<OperatorGrant>();
  const columns = useMemo(() => columnsOf(operator, mayCancel ? setToCancel : undefined), [operator, mayCancel]);
  return (
    <>
      <FilterBar
        filters={[
          { name: 'playerID', label: 'Player' },
          { name: 'state', label: 'State', options: STATES },
        ]}
        values={filters}
        onChange={setFilters}
      />
      <DataTable<OperatorGrant>
        label="Grants of the campaign"
        columns={columns}
        query={grants}
        rowKey={({ grantID }) => grantID}
        paging={paging}
        empty="No grants"
        footer={<DownloadButton table="grants" query={{ operator, campaignID, ...filters }} />}
      />
      {toCancel && <CancelModal operator={operator} grant={toCancel} onClose={() => setToCancel(undefined)} />}
    </>
  );
}

type Cancel = (grant: OperatorGrant) => void;

function columnsOf(operator: string, onCancel: Cancel | undefined): readonly Column<OperatorGrant>[] {
  const number = (id: 'given' | 'used' | 'left', header: string): Column<OperatorGrant> => ({
    ...{ id, header, align: 'right' },
    cell: (grant) => grant[id],
  });
  return [
    {
      ...{ id: 'player', header: 'Player', isCut: true },
      cell: ({ playerID }) => (
        <PathLink to={`/players/${encodeURIComponent(operator)}/${encodeURIComponent(playerID)}`}>{playerID}</PathLink>
      ),
    },
    { id: 'grantID', header: 'Grant', cell: ({ grantID }) => grantID, isCut: true, hideBelow: 'lg' },
    { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    number('given', 'Given'),
    number('used', 'Used'),
    number('left', 'Left'),
    {
      ...{ id: 'won', header: 'Won', align: 'right' },
      cell: ({ won, currency }) => <Amount micros={won} currency={currency} />,
    },
    { id: 'expiresAt', header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} />, hideBelow: 'md' },
    ...(onCancel ? [cancelColumn(onCancel)] : []),
  ];
}

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
      consequence={`The player forfeits ${left} unused rounds of ${amountText(amount, currency)}. An open round can still be finished and is paid.`}
      isDangerous
      reason="required"
      onConfirm={(reason) => cancel.mutateAsync({ params: { operator, grantID }, body: { reason } })}
    />
  );
}

import type { Approval } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { DetailList } from '../../components/Changes.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { ReceiveSecret } from '../../components/ReceiveSecret.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { DecideButtons } from './DecideButtons.tsx';
import { DecideModal, type Decision } from './DecideModal.tsx';

const STATES = ['waiting', 'approved', 'rejected', 'expired'] as const;
const POLL_MS = 10_000;

const COLUMNS: readonly Column<Approval>[] = [
  { id: 'id', header: 'Request', cell: ({ approvalID }) => approvalID, hideBelow: 'sm' },
  { id: 'what', header: 'Change', cell: ({ what, details }) => <What what={what} details={details} /> },
  { id: 'state', header: 'State', cell: (approval) => <ApprovalState approval={approval} /> },
  { id: 'by', header: 'Requested', cell: (approval) => <Requested {...approval} />, hideBelow: 'sm' },
  { id: 'expires', header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} />, hideBelow: 'lg' },
];

type Choices = { onDecide: (decision: Decision) => void; onReceive: (approval: Approval) => void };
const decideColumn = (choices: Choices): Column<Approval> => ({
  ...{ id: 'decide', header: 'Decision', align: 'right', isPinned: true },
  cell: (approval) => <DecideButtons approval={approval} {...choices} />,
});

/** Lists what waits for a second user. */
export function ApprovalsPage() {
  const [filters, setFilters] = useFilters('state');
  const paging = usePaging();
  const state = STATES.find((each) => each === filters.state);
  const approvals = useQuery({
    ...apiQuery('listApprovals', { query: { ...paging.query, ...(state && { state }) } }, { pollMs: POLL_MS }),
    placeholderData: keepPreviousData,
  });
  const [decision, setDecision] = useState<Decision>();
  const [received, setReceived] = useState<Approval>();
  const columns = useMemo(() => [...COLUMNS, decideColumn({ onDecide: setDecision, onReceive: setReceived })], []);
  return (
    <>
      <PageHead title="Approvals" />
      <FilterBar
        filters={[{ name: 'state', label: 'State', options: STATES }]}
        values={filters}
        onChange={setFilters}
      />
      <DataTable
        label="Approvals"
        columns={columns}
        query={approvals}
        rowKey={({ approvalID }) => approvalID}
        paging={paging}
        footer={<DownloadButton table="approvals" query={{ state }} />}
        empty="No requests"
        emptyHint="With two-person approval on, voids, settlements and changes of operators, secrets, limits or users wait here."
      />
      {decision && <DecideModal {...decision} onClose={() => setDecision(undefined)} />}
      {received && <ReceiveSecret approval={received} onClose={() => setReceived(undefined)} />}
    </>
  );
}

function Requested({ requestedBy, requestedAt }: Approval) {
  return (
    <>
      {requestedBy}
      <br />
      <Time at={requestedAt} />
    </>
  );
}

function What({ what, details }: Pick<Approval, 'what' | 'details'>) {
  return (
    <div
      style={{
        minWidth: 'clamp(8rem, 24vw, 14rem)',
        paddingBlock: '0.375rem',
        whiteSpace: 'normal',
        overflowWrap: 'anywhere',
      }}
    >
      {what}
      <DetailList details={details} />
    </div>
  );
}

/** The server may have refused the request after its approval. */
function ApprovalState({ approval: { state, outcome } }: { approval: Approval }) {
  if (outcome === null || outcome.message === null) return <StateBadge state={state} />;
  return (
    <span title={outcome.message}>
      <StateBadge state="refused" label={`approved, refused: ${outcome.message}`} />
    </span>
  );
}

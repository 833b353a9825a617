import type { Approval } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { StateBadge, wordsOf } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { DecideButtons } from './DecideButtons.tsx';
import { DecideModal, type Decision } from './DecideModal.tsx';

const STATES = ['waiting', 'approved', 'rejected', 'expired'] as const;
const POLL_MS = 10_000;

const COLUMNS: readonly Column<Approval>[] = [
  { id: 'id', header: 'Request', cell: ({ approvalID, route }) => `${approvalID} · ${wordsOf(route)}` },
  { id: 'object', header: 'About', cell: objectOf, isCut: true },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'by', header: 'Requested by', cell: ({ requestedBy }) => requestedBy.replace(/^user:/, ''), hideBelow: 'sm' },
  { id: 'at', header: 'Requested', cell: ({ requestedAt }) => <Time at={requestedAt} />, hideBelow: 'md' },
  { id: 'expires', header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} />, hideBelow: 'lg' },
];
const decideColumn = (onDecide: (decision: Decision) => void): Column<Approval> => ({
  ...{ id: 'decide', header: 'Decision', align: 'right', isPinned: true },
  cell: (approval) => <DecideButtons approval={approval} onDecide={onDecide} />,
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
  const columns = useMemo(() => [...COLUMNS, decideColumn(setDecision)], []);
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
        empty="Nothing waits for approval"
        emptyHint="With two-person rights, a void, a settlement or a change of secrets or limits stands here first."
      />
      {decision && <DecideModal {...decision} onClose={() => setDecision(undefined)} />}
    </>
  );
}

function objectOf({ operator, params }: Approval): string {
  return [operator, ...Object.entries(params).map(([name, value]) => `${name} ${value}`)]
    .filter((each) => each !== null)
    .join(' · ');
}

import { Text } from '@mantine/core';
import type { Approval } from '@roundhouse/contract/admin';
import { useAction } from '../../api.ts';
import { DetailTable } from '../../components/Changes.tsx';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { errorOf } from '../../lib/errors.ts';

const DONE = 200;

export type Decision = { approval: Approval; decision: 'approve' | 'reject' };

/** Approves or rejects another user's request, and says in words what the server then does. */
export function DecideModal({ approval, decision, onClose }: Decision & { onClose: () => void }) {
  const { approvalID, what, details, requestedBy } = approval;
  const decide = useAction('decideApproval', {
    refreshes: ['listApprovals'],
    done: ({ state, outcome }) =>
      outcome !== null && outcome.status !== DONE
        ? `Request ${approvalID} was approved, but the server refused it`
        : `Request ${approvalID} is ${state}${outcome === null ? '' : ' and done'}`,
  });
  const send = async (reason: string) => {
    const decided = await decide.mutateAsync({
      params: { approvalID },
      body: { decision, ...(reason !== '' && { reason }) },
    });
    // The state may have changed since the request was made.
    const outcome = decided.kind === 'done' ? decided.body.outcome : null;
    if (outcome !== null && outcome.status !== DONE) throw errorOf(outcome.status, outcome);
  };
  const texts =
    decision === 'approve'
      ? {
          title: `Approve request ${approvalID}?`,
          confirmLabel: 'Approve',
          consequence: (
            <Request lead={`Requested by ${requestedBy}. It takes effect immediately:`} {...{ what, details }} />
          ),
        }
      : {
          title: `Reject request ${approvalID}?`,
          confirmLabel: 'Reject',
          consequence: <Request lead={`Requested by ${requestedBy}. Nothing changes:`} {...{ what, details }} />,
          reason: 'optional' as const,
          isDangerous: true,
        };
  return <ConfirmModal {...texts} isOpen onClose={onClose} onConfirm={send} />;
}

type RequestProps = Pick<Approval, 'what' | 'details'> & { lead: string };

function Request({ lead, what, details }: RequestProps) {
  return (
    <>
      <Text size="sm">{lead}</Text>
      <Text size="sm" fw={600} my="xs" style={{ overflowWrap: 'anywhere' }}>
        {what}
      </Text>
      <DetailTable details={details} />
    </>
  );
}

import type { Approval } from '@roundhouse/contract/admin';
import { useAction } from '../../api.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { JsonDiff } from '../../components/JsonDiff.tsx';
import { wordsOf } from '../../components/StateBadge.tsx';
import { errorOf } from '../../lib/errors.ts';

const REFUSED = 400;

export type Decision = { approval: Approval; decision: 'approve' | 'reject' };

/** Approves or rejects a request of another user. */
export function DecideModal({ approval, decision, onClose }: Decision & { onClose: () => void }) {
  const { approvalID, route } = approval;
  const requestedBy = approval.requestedBy.replace(/^user:/, '');
  const decide = useAction('decideApproval', {
    refreshes: ['listApprovals'],
    done: ({ approval: { state: now }, status: given }) =>
      given >= REFUSED ? `Request ${approvalID} was approved, and refused then` : `Request ${approvalID} is ${now}`,
  });
  const send = async (reason: string) => {
    const outcome = await decide.mutateAsync({
      params: { approvalID },
      body: { decision, ...(reason !== '' && { reason }) },
    });
    // What was true when the request was made may not be true any more.
    if (outcome.kind === 'done' && outcome.body.status >= REFUSED) {
      throw errorOf(outcome.body.status, outcome.body.response);
    }
  };
  const texts =
    decision === 'approve'
      ? {
          title: `Approve request ${approvalID}?`,
          consequence: `The server then does at once what ${requestedBy} asked for: ${wordsOf(route)}.`,
          confirmLabel: 'Approve',
        }
      : {
          title: `Reject request ${approvalID}?`,
          consequence: `The request of ${requestedBy} ends, and nothing changes.`,
          confirmLabel: 'Reject',
          reason: 'optional' as const,
          isDangerous: true,
        };
  return (
    <ConfirmModal {...texts} isOpen onClose={onClose} onConfirm={send}>
      <JsonDiff before={undefined} after={{ ...approval.params, body: approval.body }} />
    </ConfirmModal>
  );
}

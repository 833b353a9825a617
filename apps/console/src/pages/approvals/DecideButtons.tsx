import { Group } from '@mantine/core';
import type { Approval } from '@roundhouse/contract/admin';
import { useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { JsonDiff } from '../../components/JsonDiff.tsx';
import { StateBadge, wordsOf } from '../../components/StateBadge.tsx';
import { errorOf } from '../../lib/errors.ts';

const REFUSED = 400;

/** Approves or rejects a request of another user. */
export function DecideButtons({ approval }: { approval: Approval }) {
  const { approvalID, route, state, mayDecide, decidedBy } = approval;
  const decide = useAction('decideApproval', {
    refreshes: ['listApprovals'],
    done: ({ approval: { state: now }, status: given }) =>
      given >= REFUSED ? `Request ${approvalID} was approved, and refused then` : `Request ${approvalID} is ${now}`,
  });
  if (state !== 'waiting') return decidedBy?.replace(/^user:/, '') ?? '–';
  if (!mayDecide) return <StateBadge state="waiting" label="for somebody else" tone="quiet" />;
  const send = async (decision: 'approve' | 'reject', reason: string) => {
    const outcome = await decide.mutateAsync({
      params: { approvalID },
      body: { decision, ...(reason !== '' && { reason }) },
    });
    // What was true when the request was made may not be true any more.
    if (outcome.kind === 'done' && outcome.body.status >= REFUSED) {
      throw errorOf(outcome.body.status, outcome.body.response);
    }
  };
  const fields = <JsonDiff before={undefined} after={{ ...approval.params, body: approval.body }} />;
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <ConfirmAction
        label="Approve"
        title={`Approve request ${approvalID}?`}
        consequence={`The server then does at once what ${approval.requestedBy.replace(/^user:/, '')} asked for: ${wordsOf(route)}.`}
        onConfirm={() => send('approve', '')}
        button={{ size: 'compact-xs' }}
      >
        {fields}
      </ConfirmAction>
      <ConfirmAction
        label="Reject"
        title={`Reject request ${approvalID}?`}
        consequence={`The request of ${approval.requestedBy.replace(/^user:/, '')} ends, and nothing changes.`}
        reason="optional"
        isDangerous
        onConfirm={(reason) => send('reject', reason)}
        button={{ size: 'compact-xs' }}
      >
        {fields}
      </ConfirmAction>
    </Group>
  );
}

import { Button, Group } from '@mantine/core';
import type { Approval } from '@roundhouse/contract/admin';
import { WhyNot } from '../../components/FormButtons.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { madeBy } from '../../lib/approvals.ts';
import type { Decision } from './DecideModal.tsx';

type Props = {
  approval: Approval;
  onDecide: (decision: Decision) => void;
  onReceive: (approval: Approval) => void;
};

/**
 * Opens the approval or rejection of another user's request, or the secret of your own one. In
 * other cases it says who decided.
 */
export function DecideButtons({ approval, onDecide, onReceive }: Props) {
  const { state, mayDecide, whyNot, decidedBy, isOwn, secret } = approval;
  if (isOwn && secret === 'waiting') {
    return (
      <Button size="compact-xs" variant="default" onClick={() => onReceive(approval)}>
        Show the {madeBy(approval)}
      </Button>
    );
  }
  if (state !== 'waiting') return decidedBy ?? '–';
  if (!mayDecide) {
    return (
      <>
        <StateBadge state="waiting" label="for another user" tone="quiet" />
        <WhyNot text={whyNot} />
      </>
    );
  }
  return (
    <Group gap={4} justify="flex-end">
      <Button size="compact-xs" variant="default" onClick={() => onDecide({ approval, decision: 'approve' })}>
        Approve
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        c="var(--console-bad)"
        onClick={() => onDecide({ approval, decision: 'reject' })}
      >
        Reject
      </Button>
    </Group>
  );
}

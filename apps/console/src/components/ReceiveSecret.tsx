import { Button, Group, Modal, Stack } from '@mantine/core';
import type { Approval } from '@roundhouse/contract/admin';
import { useEffect } from 'react';
import { useAction } from '../api.ts';
import { madeBy } from '../lib/approvals.ts';
import { ErrorText } from './ErrorState.tsx';
import { ShownOnce } from './ShownOnce.tsx';

type Props = { approval: Approval; onClose: () => void };

/**
 * Shows the requester the secret or link of an approved request. The server keeps it until the
 * requester confirms that it has arrived.
 */
export function ReceiveSecret({ approval, onClose }: Props) {
  const { approvalID, subject } = approval;
  const { mutate, reset, data, error } = useAction('showApprovalSecret');
  const received = useAction('confirmApprovalSecret', {
    refreshes: ['listApprovals'],
    done: 'The server has deleted it',
  });
  useEffect(() => {
    mutate({ params: { approvalID }, body: {} });
    // The result of the mutation also holds the secret.
    return reset;
  }, [mutate, reset, approvalID]);
  const isLink = madeBy(approval) === 'link';
  const confirm = async () => {
    await received.mutateAsync({ params: { approvalID }, body: {} });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={isLink ? `A link for ${subject}` : `New secret of ${subject}`}
      centered
      closeOnClickOutside={false}
      size="lg"
      zIndex={320}
    >
      <Stack gap="sm">
        {data?.kind === 'done' && (
          <ShownOnce
            title="Shown until you have it"
            hint={
              isLink
                ? 'Give it to this person only. It sets the password, works once, and expires 24 hours after the approval.'
                : `Give it to ${subject} over a safe channel. After you confirm, nobody can read it here again.`
            }
            value={data.body.secret}
          />
        )}
        <ErrorText error={error ?? received.error ?? undefined} />
        <Group justify="flex-end">
          <Button size="xs" variant="default" onClick={onClose}>
            Later
          </Button>
          <Button
            size="xs"
            onClick={() => void confirm().catch(() => {})}
            disabled={data === undefined}
            loading={received.isPending}
          >
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

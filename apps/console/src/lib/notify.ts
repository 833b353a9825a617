import { notifications } from '@mantine/notifications';
import type { ApprovalPending } from '@roundhouse/contract/admin';

/** The command that adds a second user. */
export const SECOND_USER_COMMAND = 'roundhouse user add --email … --name … --role …';

const NO_APPROVER = `Nobody else may approve this yet, so nothing has changed. Add a second user on the command line: ${SECOND_USER_COMMAND}`;

export const notify = {
  done: (message: string) => notifications.show({ message, color: 'green' }),
  failed: (message: string) => notifications.show({ message, color: 'red', autoClose: 10_000 }),
  waiting: ({ approvers }: ApprovalPending) =>
    notifications.show({
      title: 'Waiting for approval',
      message: approvers === 0 ? NO_APPROVER : 'A second user must approve it. Nothing changes until then.',
      color: 'yellow',
      autoClose: approvers === 0 ? false : 10_000,
    }),
};

import { notifications } from '@mantine/notifications';
import type { ApprovalPending } from '@roundhouse/contract/admin';

/** Says how there comes to be a second user. */
export const SECOND_USER_COMMAND = 'roundhouse user add --email … --name … --role …';

const NO_APPROVER = `Nobody else may approve it yet, and nothing has changed. The first second user is added on the command line: ${SECOND_USER_COMMAND}`;

/** Notifications in the words of the console. */
export const notify = {
  done: (message: string) => notifications.show({ message, color: 'teal' }),
  failed: (message: string) => notifications.show({ message, color: 'red', autoClose: 10_000 }),
  waiting: ({ approvers }: ApprovalPending) =>
    notifications.show({
      title: 'Waits for approval',
      message: approvers === 0 ? NO_APPROVER : 'A second user must approve it. Until then nothing has changed.',
      color: 'yellow',
      autoClose: approvers === 0 ? false : 10_000,
    }),
};

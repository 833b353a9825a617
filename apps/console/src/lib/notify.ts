import { notifications } from '@mantine/notifications';

/** Notifications in the words of the console. */
export const notify = {
  done: (message: string) => notifications.show({ message, color: 'teal' }),
  failed: (message: string) => notifications.show({ message, color: 'red', autoClose: 10_000 }),
  waiting: () =>
    notifications.show({
      title: 'Waits for approval',
      message: 'A second user must approve it. Until then nothing has changed.',
      color: 'yellow',
      autoClose: 10_000,
    }),
};

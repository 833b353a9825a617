import { Button, Group, Modal, Stack } from '@mantine/core';
import { ShownOnce } from '../../components/ShownOnce.tsx';

export type NewLink = { email: string; link: string };

/** Shows the one-time link of a user, which the server does not show again. */
export function LinkModal({ link: { email, link }, onClose }: { link: NewLink; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={`A link for ${email}`} centered size="lg" zIndex={320}>
      <Stack gap="sm">
        <ShownOnce
          title="Shown only once"
          hint="Give it to this person only. It sets the password, works once, and expires after 24 hours."
          value={link}
        />
        <Group justify="flex-end">
          <Button size="xs" onClick={onClose}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

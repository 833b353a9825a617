import { Button, Group, Modal, Stack } from '@mantine/core';
import { ShownOnce } from '../../components/ShownOnce.tsx';

type Props = { code: string; secret: string; onClose: () => void };

/**
 * Shows the new secret of an operator. No other response has it, so it is gone when this closes.
 */
export function NewSecret({ code, secret, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={`New secret of ${code}`} centered closeOnClickOutside={false} size="lg">
      <Stack gap="sm">
        <ShownOnce
          title="Shown only once"
          hint={`Give it to ${code} over a safe channel. Nobody can read it here again. If it is lost, rotate the secret.`}
          value={secret}
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

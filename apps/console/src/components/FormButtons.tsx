import { Button, Group } from '@mantine/core';

type Props = {
  /** The button that sends the form: a verb and its object. */
  label: string;
  onCancel: () => void;
  cancelLabel?: string;
  isPending: boolean;
  isReady?: boolean;
  isDangerous?: boolean;
};

/** Ends a form in a modal. */
export function FormButtons(props: Props) {
  const { label, onCancel, cancelLabel = 'Cancel', isPending, isReady = true, isDangerous = false } = props;
  return (
    <Group justify="flex-end" gap="xs">
      <Button size="xs" variant="default" onClick={onCancel} disabled={isPending}>
        {cancelLabel}
      </Button>
      <Button size="xs" type="submit" color={isDangerous ? 'red' : 'green'} loading={isPending} disabled={!isReady}>
        {label}
      </Button>
    </Group>
  );
}

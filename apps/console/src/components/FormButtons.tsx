import { Button, Group, Text } from '@mantine/core';

/** Says of a form why it cannot be sent yet. */
export const UNCHANGED = 'Nothing has changed yet.';

type Props = {
  /** The button that sends the form: a verb and its object. */
  label: string;
  onCancel: () => void;
  cancelLabel?: string;
  isPending: boolean;
  /** Why the form cannot be sent yet, in a sentence. */
  whyNot?: string | undefined;
  isDangerous?: boolean;
};

/** Ends a form in a modal. */
export function FormButtons(props: Props) {
  const { label, onCancel, cancelLabel = 'Cancel', isPending, whyNot, isDangerous = false } = props;
  return (
    <Group justify="flex-end" gap="xs">
      <WhyNot text={whyNot} />
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" variant="default" onClick={onCancel} disabled={isPending}>
          {cancelLabel}
        </Button>
        <Button
          size="xs"
          type="submit"
          color={isDangerous ? 'red' : 'green'}
          loading={isPending}
          disabled={whyNot !== undefined}
        >
          {label}
        </Button>
      </Group>
    </Group>
  );
}

/** Says next to a disabled button why it is: keys and fingers do not reach a tooltip. */
export function WhyNot({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <Text size="xs" c="dimmed" maw="16rem" style={{ whiteSpace: 'normal' }}>
      {text}
    </Text>
  );
}

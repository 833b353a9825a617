import { Button, type ButtonProps, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorText } from './ErrorState.tsx';

const MAX_REASON_CHARACTERS = 200;

type Props = {
  /** The button that opens it. */
  label: string;
  /** The heading, as a question: "Void round 5?" */
  title: string;
  /** What happens then, with the amount and the player. */
  consequence: ReactNode;
  /** The button that does it: a verb and its object. By default the label. */
  confirmLabel?: string;
  isDangerous?: boolean;
  /** Asks for a reason, which goes into the log of significant events. */
  reason?: 'required' | 'optional';
  /** More fields. */
  children?: ReactNode;
  /** Whether the fields allow it. */
  isValid?: boolean;
  /** Does it. What it throws is shown, and the modal stays open with everything typed. */
  onConfirm: (reason: string) => Promise<unknown>;
  disabled?: boolean;
  button?: ButtonProps;
};

/** Is a button that names the consequence and asks before it does something. */
export function ConfirmAction(props: Props) {
  const { label, title, consequence, confirmLabel = label, isDangerous = false, isValid = true } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const [reason, setReason] = useState('');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error>();
  const isReady = isValid && (props.reason !== 'required' || reason.trim() !== '');

  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    // A form in a modal is, for React, inside the forms of the page.
    event.stopPropagation();
    if (!isReady || isPending) return;
    setPending(true);
    setError(undefined);
    try {
      await props.onConfirm(reason.trim());
      close();
      setReason('');
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setPending(false);
    }
  };

  return (
    <>
      <Button
        size="xs"
        variant="default"
        {...(isDangerous && { c: 'var(--console-bad)' })}
        {...props.button}
        disabled={props.disabled ?? false}
        onClick={() => {
          setError(undefined);
          open();
        }}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={isPending ? () => {} : close} title={title} centered>
        <form onSubmit={confirm}>
          <Stack gap="sm">
            <Text size="sm" component="div">
              {consequence}
            </Text>
            {props.children}
            {props.reason && (
              <Textarea
                label="Reason"
                description="It goes into the log of significant events."
                required={props.reason === 'required'}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
                maxLength={MAX_REASON_CHARACTERS}
                autosize
                minRows={2}
                data-autofocus
              />
            )}
            <ErrorText error={error} />
            <Group justify="flex-end" gap="xs">
              <Button size="xs" variant="default" onClick={close} disabled={isPending}>
                Cancel
              </Button>
              <Button
                size="xs"
                type="submit"
                color={isDangerous ? 'red' : 'indigo'}
                loading={isPending}
                disabled={!isReady}
              >
                {confirmLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

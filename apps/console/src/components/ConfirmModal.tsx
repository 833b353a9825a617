import { Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorText } from './ErrorState.tsx';
import { FormButtons } from './FormButtons.tsx';

const MAX_REASON_CHARACTERS = 200;

export type Confirmation = {
  /** The heading, as a question: "Void round 5?" */
  title: string;
  /** What happens then, with the amount and the player. */
  consequence: ReactNode;
  isDangerous?: boolean;
  /** Asks for a reason, which goes into the log of significant events. */
  reason?: 'required' | 'optional';
  /** More fields. */
  children?: ReactNode;
  /** Whether the fields are complete and valid. */
  isValid?: boolean;
  /** Acts. If it throws, the modal shows the error and keeps what was typed. */
  onConfirm: (reason: string) => Promise<unknown>;
};

type Props = Confirmation & {
  isOpen: boolean;
  onClose: () => void;
  /** The button that confirms: a verb and its object. */
  confirmLabel: string;
};

/**
 * Names the consequence and asks before something is done. For a row of a list, render it in the
 * page and not in the row: a row that leaves the list would lose what was typed.
 */
export function ConfirmModal({ isOpen, onClose, title, isDangerous = false, isValid = true, ...props }: Props) {
  const [reason, setReason] = useState('');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error>();
  const isReady = isValid && (props.reason !== 'required' || reason.trim() !== '');

  const close = () => {
    setError(undefined);
    onClose();
  };
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    // In React's tree a form in a modal is inside the page's forms.
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
    <Modal opened={isOpen} onClose={isPending ? () => {} : close} title={title} centered>
      <form onSubmit={confirm}>
        <Stack gap="sm">
          <Text size="sm" component="div">
            {props.consequence}
          </Text>
          {props.children}
          {props.reason && (
            <Textarea
              label="Reason"
              description="Stored in the log of significant events."
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
          <FormButtons
            label={props.confirmLabel}
            onCancel={close}
            isPending={isPending}
            isReady={isReady}
            isDangerous={isDangerous}
          />
        </Stack>
      </form>
    </Modal>
  );
}

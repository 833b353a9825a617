import { Modal, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSubmit } from '../lib/useSubmit.ts';
import { FormButtons } from './FormButtons.tsx';
import { SubmitForm } from './SubmitForm.tsx';

const MAX_REASON_CHARACTERS = 200;

export type Confirmation = {
  /** The heading, as a question: "Void round 5?" */
  title: string;
  /** What happens then, with the amount and the player. */
  consequence: ReactNode;
  isDangerous?: boolean;
  /** Asks for a reason, which goes into the log of significant events. */
  reason?: 'required' | 'optional';
  /** More fields; a function gets what the server refused at each of `fields`. */
  children?: ReactNode | ((issues: Readonly<Record<string, string>>) => ReactNode);
  fields?: readonly string[];
  /** Why the fields cannot be sent yet, in a sentence. */
  incomplete?: string | undefined;
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
export function ConfirmModal({ isOpen, onClose, title, isDangerous = false, ...props }: Props) {
  const { children, fields = [] } = props;
  const [reason, setReason] = useState('');
  const { failure, issues, pending, run, clear } = useSubmit([...fields, 'reason']);
  const isPending = pending !== undefined;
  const isReasonMissing = props.reason === 'required' && reason.trim() === '';
  const whyNot = props.incomplete ?? (isReasonMissing ? 'Enter a reason first.' : undefined);

  const close = () => {
    clear();
    onClose();
  };
  const confirm = async () => {
    if (whyNot !== undefined || !(await run('confirm', () => props.onConfirm(reason.trim())))) return;
    close();
    setReason('');
  };

  return (
    <Modal opened={isOpen} onClose={isPending ? () => {} : close} title={title} centered>
      <SubmitForm onSubmit={confirm} failure={failure}>
        <Text size="sm" component="div">
          {props.consequence}
        </Text>
        {typeof children === 'function' ? children(issues) : children}
        {props.reason && (
          <Textarea
            label="Reason"
            description="Stored in the log of significant events."
            required={props.reason === 'required'}
            value={reason}
            error={issues.reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            maxLength={MAX_REASON_CHARACTERS}
            autosize
            minRows={2}
            data-autofocus
          />
        )}
        <FormButtons
          label={props.confirmLabel}
          onCancel={close}
          isPending={isPending}
          whyNot={whyNot}
          isDangerous={isDangerous}
        />
      </SubmitForm>
    </Modal>
  );
}

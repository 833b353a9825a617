import { Modal, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { FormButtons } from '../../components/FormButtons.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { useSubmit } from '../../lib/useSubmit.ts';

type Props = {
  title: string;
  text: string;
  confirmLabel: string;
  onClose: () => void;
  /** If it throws, the modal shows the error. */
  onConfirm: (password: string) => Promise<void>;
};

/** Asks for the password again before a second factor changes. */
export function PasswordModal({ title, text, confirmLabel, onClose, onConfirm }: Props) {
  const [password, setPassword] = useState('');
  const { failure, issues, pending, run } = useSubmit(['password']);
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <SubmitForm onSubmit={() => run('password', () => onConfirm(password))} failure={failure}>
        <Text size="sm">{text}</Text>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          error={issues.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormButtons label={confirmLabel} onCancel={onClose} isPending={pending !== undefined} />
      </SubmitForm>
    </Modal>
  );
}

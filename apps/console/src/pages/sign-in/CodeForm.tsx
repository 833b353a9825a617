import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { auth, authCall } from '../../lib/auth.ts';
import { useSubmit } from '../../lib/useSubmit.ts';

type Props = { onDone: () => Promise<unknown> | unknown; onBack: () => void };

/** Asks for the second factor: a code from the app, or a recovery code. */
export function CodeForm({ onDone, onBack }: Props) {
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const { failure, issues, pending, run } = useSubmit(['code']);
  const submit = () =>
    run('code', async () => {
      const given = { code: code.trim() };
      await authCall(async () =>
        isRecovery ? await auth.twoFactor.verifyBackupCode(given) : await auth.twoFactor.verifyTotp(given),
      );
      await onDone();
    });
  return (
    <SubmitForm onSubmit={submit} failure={failure}>
      <Text size="sm">
        {isRecovery ? 'Each recovery code works once.' : 'Enter the six digits from your authenticator app.'}
      </Text>
      <TextInput
        // A new field, because the text of the previous field is not a code here.
        key={String(isRecovery)}
        label={isRecovery ? 'Recovery code' : 'Code'}
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        required
        autoFocus
        data-autofocus
        maxLength={32}
        value={code}
        error={issues.code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" loading={pending !== undefined}>
        Continue
      </Button>
      <Group justify="space-between">
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            setRecovery(!isRecovery);
            setCode('');
          }}
        >
          {isRecovery ? 'Use the app' : 'Use a recovery code'}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          Back
        </Anchor>
      </Group>
    </SubmitForm>
  );
}

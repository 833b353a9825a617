import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorText } from '../../components/ErrorState.tsx';
import { PathLink } from '../../components/PathLink.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { auth, authCall } from '../../lib/auth.ts';
import { useSubmit } from '../../lib/useSubmit.ts';
import { queryClient } from '../../queryClient.ts';
import { PublicPage } from '../../shell/PublicPage.tsx';
import { SignInForm } from '../sign-in/SignInForm.tsx';

const MIN_PASSWORD_CHARACTERS = 12;
const MAX_PASSWORD_CHARACTERS = 128;

/** A one-time link opens this page: a new user sets the password, then adds a second factor. */
export function WelcomePage() {
  const { token } = useSearch({ strict: false });
  const router = useRouter();
  const [isSet, setIsSet] = useState(false);
  if (token === undefined) {
    return (
      <PublicPage title="Welcome">
        <EmptyState title="This link is incomplete">
          <PathLink to="/sign-in">Sign in</PathLink>
        </EmptyState>
      </PublicPage>
    );
  }
  const finish = () => {
    queryClient.clear();
    router.history.push('/account?welcome=1');
  };
  return (
    <PublicPage title="Welcome">
      {isSet ? (
        <Stack gap="sm">
          <Text size="sm">Your password is set. Sign in with it, then add a second factor.</Text>
          <SignInForm onDone={finish} />
        </Stack>
      ) : (
        <PasswordForm token={token} onDone={() => setIsSet(true)} />
      )}
    </PublicPage>
  );
}

function PasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const { error, pending, run } = useSubmit();
  const isDifferent = again !== '' && again !== password;
  const submit = () => {
    if (again !== password) return;
    run('password', async () => {
      await authCall(() => auth.resetPassword({ newPassword: password, token }));
      onDone();
    });
  };
  return (
    <SubmitForm onSubmit={submit}>
      <Text size="sm">Choose your password for the console. This link works once.</Text>
      <PasswordInput
        label="New password"
        description={`At least ${MIN_PASSWORD_CHARACTERS} characters.`}
        autoComplete="new-password"
        required
        minLength={MIN_PASSWORD_CHARACTERS}
        maxLength={MAX_PASSWORD_CHARACTERS}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordInput
        label="Repeat the password"
        autoComplete="new-password"
        required
        value={again}
        error={isDifferent ? 'The two passwords differ.' : undefined}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      <ErrorText error={error} />
      <Button type="submit" loading={pending !== undefined}>
        Set the password
      </Button>
    </SubmitForm>
  );
}

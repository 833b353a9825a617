import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useLocation, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { PathLink } from '../../components/PathLink.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { auth, authCall, signInByPassword } from '../../lib/auth.ts';
import { useSubmit } from '../../lib/useSubmit.ts';
import { queryClient } from '../../queryClient.ts';
import { PublicPage } from '../../shell/PublicPage.tsx';
import { CodeForm } from '../sign-in/CodeForm.tsx';
import { SignInForm } from '../sign-in/SignInForm.tsx';

const MIN_PASSWORD_CHARACTERS = 12;
const MAX_PASSWORD_CHARACTERS = 128;

/**
 * A one-time link opens this page: a new user sets the password, is signed in, and adds a second
 * factor. The link names the account behind its #, which browsers do not send.
 */
export function WelcomePage() {
  const { token } = useSearch({ strict: false });
  const email = useLocation({ select: ({ hash }) => accountOf(hash) });
  const router = useRouter();
  const [step, setStep] = useState<'password' | 'sign-in' | 'code'>('password');
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
  /** A refused sign-in, after too many tries for example, leaves the password set. */
  const signIn = async (password: string) => {
    if (email === '') return setStep('sign-in');
    try {
      if (await signInByPassword({ email, password })) setStep('code');
      else finish();
    } catch {
      setStep('sign-in');
    }
  };
  return (
    <PublicPage title="Welcome">
      {step === 'password' && <PasswordForm token={token} email={email} onSet={signIn} />}
      {step === 'sign-in' && (
        <Stack gap="sm">
          <Text size="sm">Your password is set. Sign in with it, then add a second factor.</Text>
          <SignInForm {...(email !== '' && { email })} onDone={finish} />
        </Stack>
      )}
      {step === 'code' && <CodeForm onDone={finish} onBack={() => setStep('sign-in')} />}
    </PublicPage>
  );
}

function accountOf(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return '';
  }
}

type PasswordProps = { token: string; email: string; onSet: (password: string) => Promise<void> };

function PasswordForm({ token, email, onSet }: PasswordProps) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const { failure, issues, pending, run } = useSubmit(['newPassword']);
  const isDifferent = again !== '' && again !== password;
  const submit = () => {
    if (again !== password) return;
    run('password', async () => {
      await authCall(() => auth.resetPassword({ newPassword: password, token }));
      await onSet(password);
    });
  };
  return (
    <SubmitForm onSubmit={submit} failure={failure}>
      <Text size="sm">Choose your password for the Roundhouse console. This link works once.</Text>
      {email !== '' && <TextInput label="Your account" autoComplete="username" readOnly value={email} />}
      <PasswordInput
        label="New password"
        description={`At least ${MIN_PASSWORD_CHARACTERS} characters.`}
        autoComplete="new-password"
        required
        minLength={MIN_PASSWORD_CHARACTERS}
        maxLength={MAX_PASSWORD_CHARACTERS}
        value={password}
        error={issues.newPassword}
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
      <Button type="submit" loading={pending !== undefined}>
        Set the password
      </Button>
    </SubmitForm>
  );
}

import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState, ErrorText } from '../../components/ErrorState.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { auth, authCall, signInByPassword } from '../../lib/auth.ts';
import { useSubmit } from '../../lib/useSubmit.ts';
import { CodeForm } from './CodeForm.tsx';
import { signInMethodsQuery } from './signInMethods.ts';

type Props = {
  /** The session of this user ended. Nobody else can sign in here then. */
  email?: string;
  /** Single sign-on returns to this path. */
  next?: string;
  onDone: () => Promise<unknown> | unknown;
};

/** Signs you in: with a password and perhaps a code, with a passkey, or by single sign-on. */
export function SignInForm({ email: known, next = '/', onDone }: Props) {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const { failure, pending, run } = useSubmit();
  const methods = useQuery(signInMethodsQuery);

  if (methods.error) return <ErrorState error={methods.error} onRetry={() => methods.refetch()} />;
  if (asksCode) return <CodeForm onDone={onDone} onBack={() => setAsksCode(false)} />;
  const { passwords, singleSignOn } = methods.data ?? { passwords: true, singleSignOn: null };

  const withPassword = () =>
    run('password', async () => {
      if (await signInByPassword({ email, password })) setAsksCode(true);
      else await onDone();
    });
  const withPasskey = () =>
    run('passkey', async () => {
      await authCall(() => auth.signIn.passkey());
      await onDone();
    });
  const withProvider = () =>
    run('provider', () =>
      authCall(() => auth.signIn.social({ provider: 'oidc', callbackURL: next, errorCallbackURL: '/sign-in' })),
    );

  return (
    <Stack gap="sm">
      {passwords && (
        <SubmitForm onSubmit={withPassword} failure={failure}>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username webauthn"
            required
            readOnly={known !== undefined}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            data-autofocus={known !== undefined || undefined}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={pending === 'password'}>
            Sign in
          </Button>
        </SubmitForm>
      )}
      {!passwords && <ErrorText error={failure.rest} />}
      {passwords && <Divider label="or" />}
      {passwords && (
        <Button
          variant="default"
          leftSection={<IconKey size={16} aria-hidden />}
          loading={pending === 'passkey'}
          onClick={withPasskey}
        >
          Use a passkey
        </Button>
      )}
      {singleSignOn && (
        <Button variant="default" loading={pending === 'provider'} onClick={withProvider}>
          Sign in with {singleSignOn.name}
        </Button>
      )}
    </Stack>
  );
}

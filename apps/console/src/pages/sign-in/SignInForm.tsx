import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ErrorText } from '../../components/ErrorState.tsx';
import { auth, orThrow } from '../../lib/auth.ts';

type Props = {
  /** Whose session it was: then nobody else signs in here. */
  email?: string;
  onDone: () => Promise<void> | void;
};

/** Signs a person in. */
export function SignInForm({ email: known, onDone }: Props) {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<Error>();
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setError(undefined);
    try {
      orThrow(await auth.signIn.email({ email, password }));
      await onDone();
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Email"
          type="email"
          autoComplete="username webauthn"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <ErrorText error={error} />
        <Button type="submit" loading={isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

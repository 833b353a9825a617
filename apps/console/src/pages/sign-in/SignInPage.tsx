import { Alert, Stack } from '@mantine/core';
import { useRouter, useSearch } from '@tanstack/react-router';
import { pathWithin } from '../../lib/search.ts';
import { queryClient } from '../../queryClient.ts';
import { PublicPage } from '../../shell/PublicPage.tsx';
import { SignInForm } from './SignInForm.tsx';

/** Signs you in, and opens the page that you asked for. */
export function SignInPage() {
  const { next, error } = useSearch({ strict: false });
  const router = useRouter();
  const path = pathWithin(next, location.origin);
  const finish = () => {
    // Remove what another user has read.
    queryClient.clear();
    router.history.push(path);
  };
  return (
    <PublicPage title="Sign in">
      <Stack gap="sm">
        {error !== undefined && (
          <Alert color="red" variant="light" role="alert" p="xs">
            The single sign-on failed. Ask an administrator whether the console has a user for you.
          </Alert>
        )}
        <SignInForm next={path} onDone={finish} />
      </Stack>
    </PublicPage>
  );
}

import { Alert, Stack } from '@mantine/core';
import { useRouter, useSearch } from '@tanstack/react-router';
import { pathWithin } from '../../lib/search.ts';
import { queryClient } from '../../queryClient.ts';
import { PublicPage } from '../../shell/PublicPage.tsx';
import { SignInForm } from './SignInForm.tsx';

/** Lets a person in, and leads to the page that was wanted. */
export function SignInPage() {
  const { next, error } = useSearch({ strict: false });
  const router = useRouter();
  const path = pathWithin(next, location.origin);
  const finish = () => {
    // Nothing that another user has read is left.
    queryClient.clear();
    router.history.push(path);
  };
  return (
    <PublicPage title="Sign in">
      <Stack gap="sm">
        {error !== undefined && (
          <Alert color="red" variant="light" role="alert" p="xs">
            The single sign-on did not let you in. Ask an administrator whether you have a user here.
          </Alert>
        )}
        <SignInForm next={path} onDone={finish} />
      </Stack>
    </PublicPage>
  );
}

import '../styles/rest.ts';
import { Modal, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { accountQuery, call, isSignInOpen } from '../api.ts';
import { SignInForm } from '../pages/sign-in/SignInForm.tsx';

/** Shows the sign-in over the page when the session has ended, so the page keeps what was typed. */
export default function SignInAgain({ account }: { account: { userID: string; email: string } }) {
  const cache = useQueryClient();
  const finish = async () => {
    const now = await call('getAccount', {}, { isFirst: true });
    // The page below shows what another user may see.
    if (now.userID !== account.userID) return location.assign('/');
    cache.setQueryData(accountQuery.queryKey, now);
    isSignInOpen.set(false);
    await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== accountQuery.queryKey[0] });
  };
  // With several tabs you sign in once.
  useWindowEvent('focus', () => {
    finish().catch(() => undefined);
  });
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      title="Your session has ended"
      centered
      zIndex={350}
    >
      <Stack gap="sm">
        <Text size="sm">Sign in to continue. What you typed on this page is still there.</Text>
        <SignInForm email={account.email} next={location.pathname + location.search} onDone={finish} />
      </Stack>
    </Modal>
  );
}

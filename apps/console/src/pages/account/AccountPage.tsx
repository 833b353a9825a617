import { Alert, Stack } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { KeyValue } from '../../components/KeyValue.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { wordsOf } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useAccount } from '../../lib/useAccount.ts';
import { AuthenticatorPanel } from './AuthenticatorPanel.tsx';
import { PasskeysPanel } from './PasskeysPanel.tsx';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';

/** Shows your account, and manages your password, second factors and sessions. */
export function AccountPage() {
  const account = useAccount();
  const { welcome } = useSearch({ strict: false });
  return (
    <>
      <PageHead title="Your account" />
      <Stack gap="md" maw={860}>
        {account.mustAddAuthenticator && (
          <Alert color="yellow" variant="light" title="Add an authenticator app first">
            This server demands a second factor of users who sign in with a password. The other pages open when you have
            added the app below.
          </Alert>
        )}
        {welcome !== undefined && !account.hasSecondFactor && !account.mustAddAuthenticator && (
          <Alert color="green" variant="light" title="Welcome">
            Add a second factor now: an authenticator app, or a passkey. Without one, anyone who learns your password
            has your rights.
          </Alert>
        )}
        <Panel title="Profile">
          <KeyValue
            items={{
              Email: account.email,
              Name: account.name,
              Role: wordsOf(account.role),
              'Belongs to': account.operator ?? 'the server',
              'This session ends': <Time at={account.sessionEndsAt} />,
            }}
          />
        </Panel>
        <AuthenticatorPanel isInUse={account.hasAuthenticator} />
        <PasskeysPanel />
        <PasswordPanel />
        <SessionsPanel />
      </Stack>
    </>
  );
}

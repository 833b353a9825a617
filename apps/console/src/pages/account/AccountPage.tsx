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
        {welcome !== undefined && !account.hasSecondFactor && (
          <Alert color="indigo" variant="light" title="Welcome">
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
        <AuthenticatorPanel hasSecondFactor={account.hasSecondFactor} />
        <PasskeysPanel />
        <PasswordPanel />
        <SessionsPanel />
      </Stack>
    </>
  );
}

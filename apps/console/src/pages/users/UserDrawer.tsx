import { Checkbox, Drawer, Group, Select, Stack, Text } from '@mantine/core';
import type { ConsoleUser } from '@roundhouse/contract/admin';
import { ROLES, type Role } from '@roundhouse/contract/admin-routes';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { UNCHANGED } from '../../components/FormButtons.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Picker } from '../../components/Picker.tsx';
import { SessionTable } from '../../components/SessionTable.tsx';
import { wordsOf } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { WaitingRequests } from '../../components/WaitingRequests.tsx';
import { useOperators } from '../../lib/choices.ts';
import { useAccount } from '../../lib/useAccount.ts';
import type { NewLink } from './LinkModal.tsx';
import { ROLE_TEXTS } from './roleTexts.ts';

type Props = { user: ConsoleUser; onClose: () => void; onLink: (link: NewLink) => void };

/** Shows one user, with the actions of an administrator. */
export function UserDrawer({ user, onClose, onLink }: Props) {
  const account = useAccount();
  const sessions = useQuery(apiQuery('listUserSessions', { params: { userID: user.userID } }));
  const isSelf = user.userID === account.userID;
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={user.email}>
      <Stack gap="md">
        <WaitingRequests subject={`user ${user.email}`} />
        <KeyValue
          items={{
            Name: user.name,
            Role: wordsOf(user.role),
            'Belongs to': user.operator ?? 'the server',
            'Authenticator app': user.hasSecondFactor ? 'in use' : 'none',
            Passkeys: user.passkeys,
            Added: <Time at={user.createdAt} />,
            'Last signed in': <Time at={user.lastSignedInAt} />,
          }}
        />
        {isSelf ? (
          <Text size="sm" c="dimmed">
            This is you. You cannot change your own role or operator. Your password and second factors are on the page
            Your account.
          </Text>
        ) : (
          <UserActions user={user} ownOperator={account.operator} onLink={onLink} />
        )}
        <h2>Sessions</h2>
        <Loaded query={sessions}>{({ items }) => <SessionTable sessions={items} />}</Loaded>
      </Stack>
    </Drawer>
  );
}

type ActionsProps = { user: ConsoleUser; ownOperator: string | null; onLink: Props['onLink'] };

function UserActions({ user, ownOperator, onLink }: ActionsProps) {
  const { userID, email, isDisabled } = user;
  const refreshes = ['listUsers', 'listUserSessions'] as const;
  const change = useAction('changeUser', { done: `${email} is changed`, refreshes });
  const end = useAction('endUserSessions', { done: `The sessions of ${email} have ended`, refreshes });
  const newLink = useAction('newUserLink', { refreshes });
  const [role, setRole] = useState<Role>(user.role);
  const [operator, setOperator] = useState(user.operator ?? '');
  const operators = useOperators();
  const [resetSecondFactor, setReset] = useState(false);
  const params = { userID };
  return (
    <Group gap="xs">
      <ConfirmAction
        label="Change role"
        title={`Change the role of ${email}?`}
        consequence="Every session of this user ends. The new rights apply from the next sign-in."
        incomplete={role === user.role && (operator || null) === user.operator ? UNCHANGED : undefined}
        onConfirm={() =>
          change.mutateAsync({
            params,
            body: { role, ...(ownOperator === null && { operator: operator || null }) },
          })
        }
        fields={['role', 'operator']}
      >
        {(issues) => (
          <>
            <Select
              label="Role"
              description={ROLE_TEXTS[role]}
              data={ROLES.map((value) => ({ value, label: wordsOf(value) }))}
              value={role}
              error={issues.role}
              onChange={(next) => setRole((next ?? user.role) as Role)}
              allowDeselect={false}
            />
            {ownOperator === null && (
              <Picker
                label="Operator"
                description="Empty: a user of the server, who sees every operator."
                data={operators}
                value={operator}
                error={issues.operator}
                clearable
                onChange={setOperator}
              />
            )}
          </>
        )}
      </ConfirmAction>
      <ConfirmAction
        label="New link"
        title={`Make a new link for ${email}?`}
        consequence="Earlier links stop working. The current password works until the link is used."
        onConfirm={async () => {
          const outcome = await newLink.mutateAsync({ params, body: { resetSecondFactor } });
          if (outcome.kind === 'done') onLink({ email, link: outcome.body.link });
        }}
      >
        <Checkbox
          label="Remove the authenticator app and the passkeys, if the user has lost them"
          checked={resetSecondFactor}
          onChange={(event) => setReset(event.currentTarget.checked)}
        />
      </ConfirmAction>
      <ConfirmAction
        label="End sessions"
        title={`End every session of ${email}?`}
        consequence={`${user.sessions === 1 ? 'One session ends' : `${user.sessions} sessions end`} immediately. The user may sign in again.`}
        isDangerous
        onConfirm={() => end.mutateAsync({ params, body: {} })}
      />
      <ConfirmAction
        // The opposite action is a separate modal, so a closing one does not change its text.
        key={isDisabled ? 'enable' : 'disable'}
        label={isDisabled ? 'Enable' : 'Disable'}
        title={isDisabled ? `Enable ${email}?` : `Disable ${email}?`}
        consequence={
          isDisabled ? 'The user may sign in again.' : 'Every session of this user ends, and the user cannot sign in.'
        }
        isDangerous={!isDisabled}
        onConfirm={() => change.mutateAsync({ params, body: { disabled: !isDisabled } })}
      />
    </Group>
  );
}

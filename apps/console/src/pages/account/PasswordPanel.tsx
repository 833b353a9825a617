import { Button, Group, PasswordInput, SimpleGrid } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Panel } from '../../components/Panel.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { auth, authCall } from '../../lib/auth.ts';
import { notify } from '../../lib/notify.ts';
import { useSubmit } from '../../lib/useSubmit.ts';

/** Changes your password, which ends your other sessions. */
export function PasswordPanel() {
  const cache = useQueryClient();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const { failure, issues, pending, run } = useSubmit(['password', 'newPassword']);
  const submit = () =>
    run('password', async () => {
      await authCall(() => auth.changePassword({ currentPassword, newPassword }));
      setCurrent('');
      setNew('');
      notify.done('Your password is changed, and your other sessions have ended');
      await cache.invalidateQueries({ queryKey: ['listOwnSessions'] });
    });
  return (
    <Panel title="Password">
      <SubmitForm onSubmit={submit} failure={failure}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            value={currentPassword}
            error={issues.password}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label="New password, at least 12 characters"
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={128}
            value={newPassword}
            error={issues.newPassword}
            onChange={(event) => setNew(event.currentTarget.value)}
          />
        </SimpleGrid>
        <Group>
          <Button size="xs" variant="default" type="submit" loading={pending !== undefined}>
            Change the password
          </Button>
        </Group>
      </SubmitForm>
    </Panel>
  );
}

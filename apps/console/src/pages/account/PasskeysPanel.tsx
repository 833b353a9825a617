import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { FormButtons } from '../../components/FormButtons.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { Time } from '../../components/Time.tsx';
import { auth, authCall } from '../../lib/auth.ts';
import { notify } from '../../lib/notify.ts';
import { useSubmit } from '../../lib/useSubmit.ts';

type Passkey = { id: string; name?: string | undefined; createdAt: Date | string };

const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => authCall<Passkey[]>(() => auth.$fetch('/passkey/list-user-passkeys', { method: 'GET' })),
});

/** Adds and removes passkeys. A passkey replaces password and code. */
export function PasskeysPanel() {
  const cache = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const readAgain = () => cache.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  const remove = async (id: string) => {
    await authCall(() => auth.$fetch('/passkey/delete-passkey', { method: 'POST', body: { id } }));
    notify.done('The passkey is removed');
    await readAgain();
  };
  return (
    <Panel
      title="Passkeys"
      actions={
        <Button size="xs" variant="default" onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      }
    >
      <Loaded query={passkeys} lines={2}>
        {(items) => (
          <Stack gap="xs">
            {items.length === 0 && (
              <Text size="sm" c="dimmed">
                None. A passkey signs you in with your phone, your computer or a security key, without a password.
              </Text>
            )}
            {items.map(({ id, name, createdAt }) => (
              <Group key={id} justify="space-between">
                <Text size="sm">
                  {name || 'Passkey'} · added <Time at={new Date(createdAt).toISOString()} />
                </Text>
                <ConfirmAction
                  label="Remove"
                  title={`Remove ${name || 'the passkey'}?`}
                  consequence="Nobody can sign in with it any more."
                  isDangerous
                  onConfirm={() => remove(id)}
                  button={{ size: 'compact-xs' }}
                />
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
      {isAdding && (
        <AddModal
          onClose={() => setAdding(false)}
          onDone={async () => {
            setAdding(false);
            notify.done('The passkey is added');
            await readAgain();
          }}
        />
      )}
    </Panel>
  );
}

function AddModal({ onClose, onDone }: { onClose: () => void; onDone: () => Promise<void> }) {
  const [name, setName] = useState('');
  const { failure, issues, pending, run } = useSubmit(['name']);
  const submit = () =>
    run('passkey', async () => {
      await authCall(() => auth.passkey.addPasskey({ name: name.trim() }));
      await onDone();
    });
  return (
    <Modal opened onClose={onClose} title="Add a passkey" centered>
      <SubmitForm onSubmit={submit} failure={failure}>
        <Text size="sm">Your browser then asks which device stores it.</Text>
        <TextInput
          label="Name"
          description="A name for this passkey, such as “Work laptop”."
          required
          maxLength={100}
          data-autofocus
          value={name}
          error={issues.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormButtons label="Add the passkey" onCancel={onClose} isPending={pending !== undefined} />
      </SubmitForm>
    </Modal>
  );
}

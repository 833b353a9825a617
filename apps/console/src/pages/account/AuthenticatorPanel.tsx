import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '../../api.ts';
import { Panel } from '../../components/Panel.tsx';
import { QrCode } from '../../components/QrCode.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { auth, authCall } from '../../lib/auth.ts';
import { notify } from '../../lib/notify.ts';
import { useSubmit } from '../../lib/useSubmit.ts';
import { PasswordModal } from './PasswordModal.tsx';

type Task = 'add' | 'remove' | 'codes';
type Enrolment = { totpURI: string; backupCodes: string[] };

/** Adds and removes the authenticator app. The sign-in asks for its code after the password. */
export function AuthenticatorPanel({ isInUse }: { isInUse: boolean }) {
  const cache = useQueryClient();
  const [task, setTask] = useState<Task>();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<string[]>();
  const readAccount = () => cache.invalidateQueries({ queryKey: accountQuery.queryKey });

  const withPassword = async (password: string) => {
    if (task === 'add') {
      const begun = await authCall(() => auth.twoFactor.enable({ password }));
      if ('totpURI' in begun) setEnrolment(begun);
    }
    if (task === 'codes') {
      const made = await authCall(() => auth.twoFactor.generateBackupCodes({ password }));
      setCodes(made.backupCodes);
    }
    if (task === 'remove') {
      await authCall(() => auth.twoFactor.disable({ password }));
      setCodes(undefined);
      notify.done('The authenticator app is removed');
      await readAccount();
    }
    setTask(undefined);
  };

  return (
    <Panel
      title="Authenticator app"
      actions={
        isInUse ? (
          <>
            <Button size="xs" variant="default" onClick={() => setTask('codes')}>
              New recovery codes
            </Button>
            <Button size="xs" variant="default" c="var(--console-bad)" onClick={() => setTask('remove')}>
              Remove
            </Button>
          </>
        ) : (
          <Button size="xs" onClick={() => setTask('add')}>
            Add
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Group gap="sm">
          <StateBadge state={isInUse ? 'enabled' : 'none'} label={isInUse ? 'in use' : 'not in use'} />
          <Text size="sm">After your password, the console asks for the six digits that the app shows.</Text>
        </Group>
        {codes && (
          <ShownOnce
            title="Your recovery codes"
            hint="Keep them apart from your phone. Each one replaces a code of the app once. They are not shown again."
            value={codes.join('\n')}
          />
        )}
      </Stack>
      {task && (
        <PasswordModal
          title={TASKS[task].title}
          text={TASKS[task].text}
          confirmLabel={TASKS[task].confirm}
          onClose={() => setTask(undefined)}
          onConfirm={withPassword}
        />
      )}
      {enrolment && (
        <EnrolModal
          uri={enrolment.totpURI}
          onClose={() => setEnrolment(undefined)}
          onDone={async () => {
            setCodes(enrolment.backupCodes);
            setEnrolment(undefined);
            await readAccount();
          }}
        />
      )}
    </Panel>
  );
}

const TASKS: Readonly<Record<Task, { title: string; text: string; confirm: string }>> = {
  add: { title: 'Add an authenticator app', text: 'Enter your password first.', confirm: 'Continue' },
  codes: {
    title: 'Make new recovery codes?',
    text: 'Your current codes stop working.',
    confirm: 'Make new codes',
  },
  remove: {
    title: 'Remove the authenticator app?',
    text: 'Then your password alone is enough to sign in, for you and for anyone who learns it.',
    confirm: 'Remove the app',
  },
};

function EnrolModal({ uri, onClose, onDone }: { uri: string; onClose: () => void; onDone: () => Promise<void> }) {
  const [code, setCode] = useState('');
  const { failure, issues, pending, run } = useSubmit(['code']);
  const submit = () =>
    run('code', async () => {
      await authCall(() => auth.twoFactor.verifyTotp({ code: code.trim() }));
      await onDone();
    });
  return (
    <Modal opened onClose={onClose} title="Add an authenticator app" centered>
      <SubmitForm onSubmit={submit} failure={failure}>
        <Text size="sm">Scan this with the app, or type the key below.</Text>
        <Group justify="center">
          <QrCode text={uri} label="QR code for the authenticator app" />
        </Group>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-testid="totp-key">
          {new URL(uri).searchParams.get('secret')}
        </Code>
        <TextInput
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={6}
          data-autofocus
          value={code}
          error={issues.code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={pending !== undefined}>
          Add
        </Button>
      </SubmitForm>
    </Modal>
  );
}

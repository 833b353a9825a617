import { Group, Text } from '@mantine/core';
import type { AdminOperatorDetail } from '@roundhouse/contract/admin';
import { useState } from 'react';
import { useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Panel } from '../../components/Panel.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { useMay } from '../../lib/useAccount.ts';
import { NewSecret } from './NewSecret.tsx';

const REFRESHES = ['getOperator', 'listOperators'] as const;

/** Replaces the secret of an operator without a gap: both are valid until the rotation ends. */
export function SecretsPanel({ operator: { code, secrets } }: { operator: AdminOperatorDetail }) {
  const { fingerprints, isRotating } = secrets;
  const may = useMay()('rotateSecret');
  const [newSecret, setNewSecret] = useState<string>();
  const rotate = useAction('rotateSecret', { refreshes: REFRESHES });
  const finish = useAction('finishRotation', {
    refreshes: REFRESHES,
    done: 'The new secret is in use; the old one is deleted',
  });
  const cancel = useAction('cancelRotation', {
    refreshes: REFRESHES,
    done: 'The new secret is deleted; the old one stays',
  });
  const request = { params: { operator: code }, body: {} };
  return (
    <Panel title="Secrets">
      <KeyValue
        items={{
          State: isRotating ? (
            <StateBadge state="waiting" label="rotation in progress" />
          ) : (
            <StateBadge state="ok" label={fingerprints.length === 0 ? 'none' : 'one secret'} />
          ),
          'Current secret': fingerprints[0] && `${fingerprints[0]}…`,
          'New secret': fingerprints[1] && `${fingerprints[1]}…`,
        }}
      />
      {may && fingerprints.length > 0 && (
        <Group gap="xs" mt="sm">
          {!isRotating && (
            <ConfirmAction
              label="Rotate the secret"
              title={`Make a new secret for ${code}?`}
              consequence={`Both secrets are then valid: ${code} may sign its requests with either, and requests to it are signed with the old one. The new secret is shown once.`}
              onConfirm={async () => {
                const outcome = await rotate.mutateAsync(request);
                if (outcome.kind === 'done') setNewSecret(outcome.body.newSecret);
                // The result of the mutation also holds the secret.
                rotate.reset();
              }}
            />
          )}
          {isRotating && (
            <>
              <ConfirmAction
                label="Finish the rotation"
                title={`Finish the rotation of ${code}?`}
                consequence={`Requests to ${code} are signed with the new secret immediately, and the old one is no longer valid. If ${code} does not accept the new one yet, its players cannot play.`}
                isDangerous
                onConfirm={() => finish.mutateAsync(request)}
              />
              <ConfirmAction
                label="Cancel the rotation"
                title={`Cancel the rotation of ${code}?`}
                consequence={`The new secret is no longer valid. Requests of ${code} signed with it are refused.`}
                onConfirm={() => cancel.mutateAsync(request)}
              />
            </>
          )}
        </Group>
      )}
      <Text size="xs" c="dimmed" mt="sm">
        A fingerprint is the start of a secret's SHA-256. Nobody can read a secret here.
      </Text>
      {newSecret !== undefined && <NewSecret code={code} secret={newSecret} onClose={() => setNewSecret(undefined)} />}
    </Panel>
  );
}

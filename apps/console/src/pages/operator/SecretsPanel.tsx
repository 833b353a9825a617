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

/** Exchanges the secret of an operator without a gap: both hold until the rotation ends. */
export function SecretsPanel({ operator: { code, secrets } }: { operator: AdminOperatorDetail }) {
  const { fingerprints, isRotating } = secrets;
  const may = useMay()('rotateSecret');
  const [newSecret, setNewSecret] = useState<string>();
  const rotate = useAction('rotateSecret', { refreshes: REFRESHES });
  const finish = useAction('finishRotation', {
    refreshes: REFRESHES,
    done: 'The new secret signs; the old one is gone',
  });
  const cancel = useAction('cancelRotation', {
    refreshes: REFRESHES,
    done: 'The new secret is gone; the old one stays',
  });
  const request = { params: { operator: code }, body: {} };
  return (
    <Panel title="Secrets">
      <KeyValue
        items={{
          State: isRotating ? (
            <StateBadge state="waiting" label="rotation under way" />
          ) : (
            <StateBadge state="ok" label={fingerprints.length === 0 ? 'none' : 'one secret'} />
          ),
          Signs: fingerprints[0] && `${fingerprints[0]}…`,
          Next: fingerprints[1] && `${fingerprints[1]}…`,
        }}
      />
      {may && fingerprints.length > 0 && (
        <Group gap="xs" mt="sm">
          {!isRotating && (
            <ConfirmAction
              label="Rotate the secret"
              title={`Make a new secret for ${code}?`}
              consequence={`Both secrets hold from then on: requests of ${code} may be signed with either, requests to it are signed with the old one. The new one is shown once.`}
              onConfirm={async () => {
                const outcome = await rotate.mutateAsync(request);
                if (outcome.kind === 'done') setNewSecret(outcome.body.newSecret);
                // The result of the request has the secret, too.
                rotate.reset();
              }}
            />
          )}
          {isRotating && (
            <>
              <ConfirmAction
                label="Finish the rotation"
                title={`Finish the rotation of ${code}?`}
                consequence={`Requests to ${code} are signed with the new secret at once, and the old one holds no more. When ${code} does not take the new one yet, its players cannot play.`}
                isDangerous
                onConfirm={() => finish.mutateAsync(request)}
              />
              <ConfirmAction
                label="Cancel the rotation"
                title={`Cancel the rotation of ${code}?`}
                consequence={`The new secret holds no more. Requests of ${code} that are signed with it are refused.`}
                onConfirm={() => cancel.mutateAsync(request)}
              />
            </>
          )}
        </Group>
      )}
      <Text size="xs" c="dimmed" mt="sm">
        A fingerprint is the beginning of a secret's SHA-256. Nobody can read a secret here.
      </Text>
      {newSecret !== undefined && <NewSecret code={code} secret={newSecret} onClose={() => setNewSecret(undefined)} />}
    </Panel>
  );
}

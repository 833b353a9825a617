import { Anchor, Text } from '@mantine/core';
import type { AdminRound } from '@roundhouse/contract/admin';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Panel } from '../../components/Panel.tsx';
import { useAccount } from '../../lib/useAccount.ts';

/** Shows the seeds of a provably fair round. */
export function FairnessPanel({ fairness }: { fairness: NonNullable<AdminRound['fairness']> }) {
  const { playersUrl } = useAccount();
  const { serverSeedHash, clientSeed, nonce } = fairness;
  return (
    <Panel title="Provably fair draw">
      <KeyValue items={{ 'Server seed hash': serverSeedHash, 'Client seed': clientSeed, Nonce: nonce }} />
      <Text size="xs" c="dimmed" mt="xs">
        The player finds the proof in the game and can check it with the{' '}
        <Anchor href={`${playersUrl}/fairness/verifier`} target="_blank" rel="noreferrer" fz="xs" underline="always">
          verifier
        </Anchor>
        .
      </Text>
    </Panel>
  );
}

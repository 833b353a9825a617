import { Group, Text } from '@mantine/core';
import type { MaintenanceOnWire } from '@roundhouse/contract/admin';
import { actorText } from '../../components/ErrorState.tsx';
import { StateBadge, wordsOf } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { whatOf } from './maintenanceTarget.ts';

/** Says what is stopped, since when, who did it, and why. */
export function MaintenanceState({ maintenance }: { maintenance: MaintenanceOnWire }) {
  const { version, mode, level, since, actor, reason } = maintenance;
  const isPart = version !== '' || mode !== '';
  return (
    <Group gap="xs">
      <StateBadge state="maintenance" />
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {isPart && `${whatOf(maintenance)}: `}
        {wordsOf(level)} since <Time at={since} />
        {actor !== null && ` by ${actorText(actor)}`}
        {reason !== null && `: ${reason}`}
      </Text>
    </Group>
  );
}

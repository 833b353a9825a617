import { Code, Modal, Stack, Text } from '@mantine/core';
import type { AdminEvent } from '@roundhouse/contract/admin';
import { JsonDiff } from '../../components/Changes.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { RoundLink } from '../../components/links.tsx';
import { wordsOf } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';

type Props = {
  event: AdminEvent | undefined;
  /** Says what each kind means. */
  kinds: Readonly<Record<string, string>>;
  onClose: () => void;
};

/** Shows one event: who, what, and the values before and after side by side. */
export function EventModal({ event, kinds, onClose }: Props) {
  return (
    <Modal opened={event !== undefined} onClose={onClose} title={event && `Event ${event.seq}`} size="xl">
      {event && (
        <Stack gap="sm">
          <Text size="sm">{kinds[event.kind] ?? wordsOf(event.kind)}</Text>
          <KeyValue
            items={{
              Time: <Time at={event.at} withLocal isExact />,
              Actor: event.actor,
              Object: <ObjectLink subject={event.subject} />,
              Kind: wordsOf(event.kind),
            }}
          />
          <JsonDiff before={event.before} after={event.after} subject={event.subject} />
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Hash <Code>{event.hash}</Code>
          </Text>
        </Stack>
      )}
    </Modal>
  );
}

function ObjectLink({ subject }: { subject: string }) {
  const round = /^round (\d+)$/.exec(subject)?.[1];
  return round === undefined ? subject : <RoundLink betID={round}>{subject}</RoundLink>;
}

import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import type { VerifyResult } from '@roundhouse/contract/admin';
import { StreamView } from '../../components/StreamView.tsx';
import { useStream } from '../../lib/useStream.ts';

/** Recomputes the hash of every event, and names each that was changed, moved or removed. */
export function VerifyLog() {
  const stream = useStream<VerifyResult>('verifyEvents');
  const isRunning = stream.state === 'running';
  return (
    <Stack gap="xs" mb="md">
      <Group gap="xs">
        <Button size="xs" variant="default" loading={isRunning} onClick={() => stream.start({ body: {} })}>
          Verify the log
        </Button>
        {isRunning && (
          <Button size="xs" variant="default" onClick={stream.cancel}>
            Stop
          </Button>
        )}
      </Group>
      <StreamView stream={stream} label="Verifying the log" unit="events">
        {(result) => <Verified result={result} />}
      </StreamView>
    </Stack>
  );
}

function Verified({ result: { isWhole, count, head, issues, issueCount } }: { result: VerifyResult }) {
  return (
    <Alert
      role="status"
      color={isWhole ? 'green' : 'red'}
      variant="light"
      title={isWhole ? 'The log is intact' : 'The log is NOT intact'}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {count.toLocaleString('en')} {count === 1 ? 'event' : 'events'}. Head: event {head.seq}, {head.hash}
      </Text>
      {issues.length > 0 && (
        <List size="sm" mt="xs">
          {issues.map(({ event, what }, index) => (
            <List.Item key={index}>
              <b>{event}</b> {what}
            </List.Item>
          ))}
        </List>
      )}
      {issueCount > issues.length && (
        <Text size="sm">… and {(issueCount - issues.length).toLocaleString('en')} more</Text>
      )}
    </Alert>
  );
}

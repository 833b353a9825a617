import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ConflictError, RefusedError } from '../lib/errors.ts';
import { utcText } from '../lib/time.ts';

/** What went wrong in a form or a modal. Shows nothing without an error. */
export function ErrorText({ error }: { error: Error | null | undefined }) {
  if (!error) return null;
  return (
    <Alert role="alert" color="red" variant="light" p="xs" icon={<IconAlertTriangle size={16} />}>
      <Text size="sm">{errorText(error)}</Text>
    </Alert>
  );
}

/** Replaces what could not be loaded. */
export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <Alert role="alert" color="red" variant="light" title={titleOf(error)} icon={<IconAlertTriangle size={18} />}>
      <Group justify="space-between">
        <Text size="sm">{errorText(error)}</Text>
        {onRetry && !isFinal(error) && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** Returns an error as a sentence for the person who sees it. */
export function errorText(error: Error): string {
  if (error instanceof ConflictError) {
    if (error.by === null) return error.message;
    const when = error.at === null ? '' : ` at ${utcText(error.at)}`;
    return `Somebody else was first: ${actorText(error.by)}${when}. ${error.message}`;
  }
  return error.message;
}

/** Names an actor: a user of the console by email alone. */
export function actorText(actor: string): string {
  return actor.replace(/^user:/, '');
}

/** The same request would be refused again. */
function isFinal(error: Error): boolean {
  return error instanceof RefusedError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

function titleOf(error: Error): string {
  if (error instanceof ConflictError) return 'Somebody else was first';
  if (!(error instanceof RefusedError)) return 'This could not be loaded';
  if (error.status === 403) return 'You may not see this';
  if (error.status === 404) return 'Not found';
  return 'This could not be loaded';
}

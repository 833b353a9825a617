import { Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { StreamLine } from '../lib/ndjson.ts';
import type { StreamState } from '../lib/useStream.ts';
import { ErrorText } from './ErrorState.tsx';
import classes from './StreamView.module.css';

type Props<Result> = {
  stream: StreamState<Result>;
  label: string;
  /** What is counted: "events". */
  unit?: string;
  /** Shows one line; by default its `text`. */
  line?: (line: StreamLine) => ReactNode;
  /** Shows the result. */
  children?: (result: Result) => ReactNode;
};

/** Shows a stream as it comes: progress, lines, then the result or what went wrong. */
export function StreamView<Result>({ stream, label, unit = '', line = textOf, children }: Props<Result>) {
  if (stream.state === 'idle') return null;
  const { done, total } = stream;
  const percent = total ? Math.min(100, (done / total) * 100) : 100;
  return (
    <Stack gap="xs">
      {stream.state === 'running' && (
        <div>
          <Group justify="space-between">
            <Text size="sm">{label}</Text>
            <Text size="sm" c="dimmed" className={classes.count}>
              {done.toLocaleString('en')}
              {total !== null && ` of ${total.toLocaleString('en')}`} {unit}
            </Text>
          </Group>
          <Progress value={percent} animated={!total} aria-label={label} />
        </div>
      )}
      {stream.lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it.
        <ol className={classes.lines} aria-label={`${label}: lines`} aria-live="polite" tabIndex={0}>
          {stream.lines.map((each, index) => (
            <li key={index}>{line(each)}</li>
          ))}
        </ol>
      )}
      <ErrorText error={stream.error} />
      {stream.result !== undefined && children?.(stream.result)}
    </Stack>
  );
}

function textOf(line: StreamLine): string {
  return String(line.text ?? JSON.stringify(line));
}

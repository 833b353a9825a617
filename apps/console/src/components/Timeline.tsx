import { Timeline as MantineTimeline, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { actorText } from './ErrorState.tsx';
import { TONE_COLORS, type Tone } from './StateBadge.tsx';
import { Time } from './Time.tsx';

export type TimelineItem = {
  key: string;
  at: string | null;
  title: ReactNode;
  /** Who did it, when it was a person or a command. */
  actor?: string | undefined;
  tone?: Tone | undefined;
  children?: ReactNode;
};

/** Shows what happened, in order. */
export function Timeline({ label, items }: { label: string; items: readonly TimelineItem[] }) {
  return (
    <MantineTimeline
      bulletSize={14}
      lineWidth={2}
      active={items.length}
      aria-label={label}
      role="list"
      // The library fills them with white, even in the dark scheme.
      styles={{ itemBullet: { backgroundColor: 'var(--console-surface)' } }}
    >
      {items.map(({ key, at, title, actor, tone = 'quiet', children }) => (
        <MantineTimeline.Item key={key} title={title} color={TONE_COLORS[tone]} role="listitem">
          <Text size="xs" c="dimmed" component="div">
            <Time at={at} isExact />
            {actor && <> · {actorText(actor)}</>}
          </Text>
          {children}
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  );
}

import { Badge } from '@mantine/core';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet';

const TONES: Readonly<Record<string, Tone>> = {
  active: 'busy',
  open: 'busy',
  pending: 'busy',
  sending: 'busy',
  waiting: 'warn',
  unfinished: 'warn',
  parked: 'bad',
  failed: 'bad',
  refused: 'bad',
  rejected: 'bad',
  expired: 'quiet',
  disabled: 'bad',
  withdrawn: 'bad',
  maintenance: 'warn',
  alarm: 'bad',
  locked: 'bad',
  abandoned: 'warn',
  accepted: 'good',
  settled: 'good',
  done: 'good',
  complete: 'good',
  completed: 'good',
  ended: 'quiet',
  approved: 'good',
  enabled: 'good',
  ok: 'good',
  used: 'good',
  void: 'quiet',
  voided: 'quiet',
  cancelled: 'quiet',
  rolledBack: 'quiet',
};

/** The colours of what a state means for the reader. */
export const TONE_COLORS = {
  good: 'green',
  busy: 'blue',
  warn: 'yellow',
  bad: 'red',
  quiet: 'gray',
} as const satisfies Readonly<Record<Tone, string>>;

export const SESSION_WORDS: Readonly<Record<string, string>> = {
  issued: 'launched',
  authenticated: 'open',
  revoked: 'ended',
  expired: 'expired',
};

type Props = {
  /** The wire names the state so, such as `rolledBack`. */
  state: string;
  /** Overrides the tone of the state. */
  tone?: Tone;
  label?: string;
};

/** Shows a state as a word, coloured by what it means for the reader. */
export function StateBadge({ state, tone = TONES[state] ?? 'quiet', label = wordsOf(state) }: Props) {
  return (
    <Badge color={TONE_COLORS[tone]} variant="light" size="sm" radius="sm" tt="none" data-state={state}>
      {label}
    </Badge>
  );
}

/**
 * Returns an identifier as words: `rolledBack` as "rolled back", `secret_rotated` as "secret
 * rotated".
 */
export function wordsOf(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}

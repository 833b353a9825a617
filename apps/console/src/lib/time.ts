const local = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'long',
});

/** Returns an instant as `2026-11-23 18:05:09`, in UTC; with milliseconds when `isExact`. */
export function utcText(at: string, { isExact = false } = {}): string {
  return new Date(at)
    .toISOString()
    .slice(0, isExact ? 23 : 19)
    .replace('T', ' ');
}

/** Returns an instant in the time zone of the browser, with the zone's name. */
export function localText(at: string): string {
  return local.format(new Date(at));
}

const STEPS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Returns how long ago an instant was, in its largest unit: `3 h`, `12 s`. */
export function ageText(at: string, now: number = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(at)) / 1000));
  const [unit, length] = STEPS.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/**
 * Returns the time of a `datetime-local` field, read as UTC, as an instant. An instant from a link
 * stays as it is.
 */
export function utcInstant(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const date = new Date(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

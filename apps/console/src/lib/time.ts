/** In Swedish a day is `2026-11-23`. */
const local = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'long' });

/** Returns an instant as `2026-11-23 18:05:09`, in UTC; with milliseconds when `isExact`. */
export function utcText(at: string | number, { isExact = false } = {}): string {
  return new Date(at)
    .toISOString()
    .slice(0, isExact ? 23 : 19)
    .replace('T', ' ');
}

/** Returns the day of an instant, in UTC. */
export function dayText(at: string | number | Date): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Returns an instant in the time zone of the browser: `2026-11-23 19:05:09 CET`. */
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

const TYPED = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Returns a typed day or time, read as UTC, as an instant; undefined for any other text. An instant
 * from a link keeps its zone.
 */
export function utcInstant(text: string | undefined): string | undefined {
  const [, day = '', time = '00:00', zone = 'Z'] = TYPED.exec(text?.trim() ?? '') ?? [];
  const date = new Date(`${day}T${time}${zone}`);
  // There is no 30 February.
  if (Number.isNaN(date.getTime()) || dayText(`${day}T00:00Z`) !== day) return undefined;
  return date.toISOString();
}

/**
 * Returns the time of a `datetime-local` field, which is meant in UTC, as an instant. A time that a
 * link has already as an instant stays.
 */
export function utcInstant(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const date = new Date(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

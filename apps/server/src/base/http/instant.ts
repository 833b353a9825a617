/**
 * All stored times are between these, and PostgreSQL does not take every year that ISO 8601 has.
 */
const EARLIEST_MS = Date.UTC(2000, 0);
const LATEST_MS = Date.UTC(9000, 0);

/** Reads an instant of the wire, to the millisecond. */
export function instantOf(text: string): Date {
  return new Date(Math.min(Math.max(Date.parse(text), EARLIEST_MS), LATEST_MS));
}

/** Each cell has its cursor, by its first number. A cell without one begins. */
export type CursorParts = ReadonlyMap<number, string>;

const FORM = 1;
const PART_KEY = /^[1-9]\d{0,3}$/;

/**
 * Reads the cursor of a list of several cells; undefined when the text is no such cursor. The parts
 * are cursors of the cells, which check them.
 */
export function readFleetCursor(cursor: string): CursorParts | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) return undefined;
  try {
    const { f, ...parts } = JSON.parse(bytes.toString());
    const entries = Object.entries(parts);
    const isOurs = entries.every(([key, part]) => PART_KEY.test(key) && typeof part === 'string');
    return f === FORM && isOurs ? new Map(entries.map(([key, part]) => [Number(key), part as string])) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes one cursor for several cells; each cell finds its own part. */
export function writeFleetCursor(parts: CursorParts): string {
  return Buffer.from(JSON.stringify({ f: FORM, ...Object.fromEntries(parts) })).toString('base64url');
}

import { type Cell, idOf } from '../fleet/fleet.ts';

/** The cursor of each cell, by the cell's id. A cell without one begins. */
export type CursorParts = ReadonlyMap<number, string>;

const FORM = 1;

/**
 * Reads the cursor of a request to several cells. A plain cursor is of a time with one cell, which
 * is the first one for ever. The cells check the texts.
 */
export function readFleetCursor(cursor: string | undefined, cells: readonly Cell[]): CursorParts {
  if (cursor === undefined) return new Map();
  const parts = partsOf(cursor);
  const [first] = cells;
  if (parts === undefined) return new Map(first === undefined ? [] : [[idOf(first), cursor]]);
  return new Map(parts);
}

function partsOf(cursor: string): [number, string][] | undefined {
  try {
    const { f, ...parts } = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (f !== FORM) return undefined;
    return Object.entries(parts).map(([id, part]) => [Number(id), String(part)]);
  } catch {
    return undefined;
  }
}

/** Writes one cursor for several cells; each cell finds its own part. */
export function writeFleetCursor(parts: CursorParts): string {
  return Buffer.from(JSON.stringify({ f: FORM, ...Object.fromEntries(parts) })).toString('base64url');
}

import { readFleetCursor } from '@roundhouse/fleet';

/** JSON writes a positive whole number like this. */
const WHOLE_NUMBER = /^[1-9]\d{0,15}$/;

/** Reads the row that a text of a client names; undefined when it can be none. */
export function rowIDOf(text: string): bigint | undefined {
  return WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text)) ? BigInt(text) : undefined;
}

/** Writes the last row or event of a page as a text that operators send back and do not read. */
export function writeCursor(last: bigint | number): string {
  return Buffer.from(String(last)).toString('base64url');
}

/** Returns 'none' without a cursor, undefined for a text that `writeCursor` has not written. */
export function readCursor(cursor: string | undefined): bigint | 'none' | undefined {
  if (cursor === undefined) return 'none';
  const last = rowIDOf(Buffer.from(cursor, 'base64url').toString('latin1'));
  return last !== undefined && writeCursor(last) === cursor ? last : undefined;
}

/** Where a page begins: at a row, at the first one, or nowhere, because the list has ended. */
export type PageStart = bigint | 'first' | 'ended';

/**
 * The cell that reads a cursor; one that takes no plain cursor begins, because it is of another
 * cell.
 */
export type CursorCell = { cellID: number; takesPlain: boolean };

/**
 * Returns where a list goes on; undefined for a text that is not one of our cursors. The cursor of
 * a whole fleet has a part for each cell: a cell without a part begins, one with "" has nothing
 * left.
 */
export function readListCursor(cursor: string | undefined, cell: CursorCell | undefined): PageStart | undefined {
  const parts = cursor === undefined || cell === undefined ? undefined : readFleetCursor(cursor);
  if (cell === undefined || parts === undefined) {
    const start = firstIfNone(readCursor(cursor));
    return start !== undefined && cell?.takesPlain === false ? 'first' : start;
  }
  if (![...parts.values()].every((part) => part === '' || readCursor(part) !== undefined)) return undefined;
  const own = parts.get(cell.cellID);
  return own === '' ? 'ended' : firstIfNone(readCursor(own));
}

const firstIfNone = (start: bigint | 'none' | undefined) => (start === 'none' ? 'first' : start);

import type { Response } from 'express';
import { CURSORS_HEADER, FLEET_HEADER } from '../fleet/headers.ts';
import type { Database } from '../ledger/database.ts';
import { type PageStart, readListCursor, writeCursor } from './cursor.ts';

/** Returns where the page of a list begins in this cell; undefined for a cursor that is none of ours. */
export async function pageStart(
  { fleet }: Pick<Database, 'fleet'>,
  cursor: string | undefined,
): Promise<PageStart | undefined> {
  // Most requests are of the first page, and have none.
  if (cursor === undefined) return 'first';
  return readListCursor(cursor, (await fleet.cell())?.cellID);
}

/**
 * Names the cursor after each row of a page, when the request is of the launch router: it merges the
 * pages of several cells, and each goes on behind its last row that was taken.
 */
export function nameCursors(res: Response, rows: readonly (bigint | number)[]): void {
  const isRouted = res.req.get(FLEET_HEADER) !== undefined && res.hasHeader(FLEET_HEADER);
  if (isRouted) res.setHeader(CURSORS_HEADER, rows.map(writeCursor).join(','));
}

import { CURSORS_HEADER, cellsOfOperator, FLEET_HEADER, idOf } from '@roundhouse/fleet';
import type { Response } from 'express';
import { type PageStart, readListCursor, writeCursor } from '../../base/http/cursor.ts';
import type { Database } from '../../store/database/database.ts';
import { callerOf } from './operatorSignature.ts';

/**
 * Says whose list it is. The launch router requests a list of the operator from all cells, and a
 * list of a player from one.
 */
export type ListOf = 'operator' | 'player';

type PageRequest = { res: Response; cursor: string | undefined; listOf: ListOf };

/**
 * Returns where the page of a list begins in this cell; undefined for a cursor that is not one of
 * ours. A plain cursor of an operator's list dates from the time with one cell. It is for the
 * operator's first cell, and all others begin.
 */
export async function pageStart(
  { fleet }: Pick<Database, 'fleet'>,
  { res, cursor, listOf }: PageRequest,
): Promise<PageStart | undefined> {
  // Most requests are for the first page and have no cursor.
  if (cursor === undefined) return 'first';
  const own = await fleet.cell();
  if (own === undefined) return readListCursor(cursor, undefined);
  const { cellID } = own;
  const [first] = cellsOfOperator(own.fleet, callerOf(res).code);
  const isFirst = first === undefined || idOf(first) === cellID;
  return readListCursor(cursor, { cellID, takesPlain: isFirst || listOf === 'player' || !isRouted(res) });
}

/**
 * Names the cursor after each row of a page, when the launch router sent the request: it merges the
 * pages of several cells, and each cell goes on behind its last row that was used.
 */
export function nameCursors(res: Response, rows: readonly (bigint | number)[]): void {
  if (isRouted(res)) res.setHeader(CURSORS_HEADER, rows.map(writeCursor).join(','));
}

/** A cell of a fleet names its version in each response. */
function isRouted(res: Response): boolean {
  return res.req.get(FLEET_HEADER) !== undefined && res.hasHeader(FLEET_HEADER);
}

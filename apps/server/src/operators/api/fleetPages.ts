import { CURSORS_HEADER, cellsOfOperator, FLEET_HEADER, idOf } from '@roundhouse/fleet';
import type { Response } from 'express';
import { type PageStart, readListCursor, writeCursor } from '../../base/http/cursor.ts';
import type { Database } from '../../store/database/database.ts';
import { callerOf } from './operatorSignature.ts';

/**
 * The launch router asks all cells for a list of the operator, and one cell for a list of a player.
 */
export type ListOf = 'operator' | 'player';

type PageRequest = { res: Response; cursor: string | undefined; listOf: ListOf };

/**
 * Returns where the page of a list begins in this cell; undefined for a cursor that is none of
 * ours. A plain cursor of a list of the operator is of the time with one cell, and that is the
 * operator's first one: all others begin.
 */
export async function pageStart(
  { fleet }: Pick<Database, 'fleet'>,
  { res, cursor, listOf }: PageRequest,
): Promise<PageStart | undefined> {
  // Most requests are of the first page, and have none.
  if (cursor === undefined) return 'first';
  const own = await fleet.cell();
  if (own === undefined) return readListCursor(cursor, undefined);
  const { cellID } = own;
  const [first] = cellsOfOperator(own.fleet, callerOf(res).code);
  const isFirst = first === undefined || idOf(first) === cellID;
  return readListCursor(cursor, { cellID, takesPlain: isFirst || listOf === 'player' || !isRouted(res) });
}

/**
 * Names the cursor after each row of a page, when the request is of the launch router: it merges
 * the pages of several cells, and each goes on behind its last row that was taken.
 */
export function nameCursors(res: Response, rows: readonly (bigint | number)[]): void {
  if (isRouted(res)) res.setHeader(CURSORS_HEADER, rows.map(writeCursor).join(','));
}

/** A cell of a fleet names its version in each response. */
function isRouted(res: Response): boolean {
  return res.req.get(FLEET_HEADER) !== undefined && res.hasHeader(FLEET_HEADER);
}

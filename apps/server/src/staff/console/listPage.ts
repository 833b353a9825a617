import { readCursor, writeCursor } from '../../base/http/cursor.ts';
import { InvalidRequest } from '../../base/http/readBody.ts';

const MOST_ID = 2n ** 63n - 1n;
/** Operators and campaigns have ids of 32 bits: PostgreSQL compares them with no larger number. */
export const MOST_SMALL_ID = 2n ** 31n - 1n;

/**
 * Returns the row after which a page begins; undefined for the first page.
 * @throws InvalidRequest when this server has not written the cursor for such a list.
 */
export function pageStart(cursor: string | undefined, mostID = MOST_ID): bigint | undefined {
  const last = readCursor(cursor);
  if (last === 'none') return undefined;
  if (last === undefined || last > mostID) throw new InvalidRequest('cursor: it is not from this list');
  return last;
}

type PageOptions<Row, Item> = { limit: number; onWire: (row: Row) => Item; idOf: (row: Row) => bigint | number };

/** Makes a page of rows, of which one more than the limit was read when there is another page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { limit, onWire, idOf }: PageOptions<Row, Item>,
): { items: Item[]; cursor: string | null } {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    items: rows.slice(0, limit).map((row) => onWire(row)),
    cursor: last === undefined ? null : writeCursor(idOf(last)),
  };
}

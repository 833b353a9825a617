import { InvalidRequest } from '../http/readBody.ts';
import { readCursor } from '../operatorApi/cursor.ts';

/**
 * Returns the row before which a page begins; undefined for the first page.
 * @throws InvalidRequest when this server has not written the cursor.
 */
export function pageStart(cursor: string | undefined): bigint | undefined {
  const before = readCursor(cursor);
  if (before === undefined) throw new InvalidRequest('cursor: it is none of this list');
  return before === 'none' ? undefined : before;
}

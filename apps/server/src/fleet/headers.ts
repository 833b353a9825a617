/** Both ways: the version of the fleet of the sender. A cell of no fleet neither reads nor sends it. */
export const FLEET_HEADER = 'roundhouse-fleet';

/**
 * In a request of the launch router: the cells that have not got the player, by their first numbers,
 * as "1,3".
 */
export const ASKED_HEADER = 'roundhouse-asked';

/**
 * In a 421 of a cell: the first number of the cell that is to be asked next. In a response of the
 * router: the cell that has responded.
 */
export const CELL_HEADER = 'roundhouse-cell';

/**
 * In a page of a list that a router asks for: the cursor after each row, in order, as "MTI,MTE". The
 * router merges pages of several cells by it.
 */
export const CURSORS_HEADER = 'roundhouse-cursors';

export function readAsked(text: string | undefined): number[] {
  return /^\d{1,4}(,\d{1,4}){0,255}$/.test(text ?? '') ? (text as string).split(',').map(Number) : [];
}

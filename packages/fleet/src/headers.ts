/** Request and response name the version of the sender's fleet. A cell of no fleet ignores it. */
export const FLEET_HEADER = 'roundhouse-fleet';

/**
 * A request of the launch router names here the cells that have refused it, by their first
 * numbers, each with the version of the fleet in its refusal, as "1@2,3@2". A cell without a
 * version has that of the request.
 */
export const ASKED_HEADER = 'roundhouse-asked';

/**
 * A 421 of a cell has here the first number of the cell that gets the request next. A response of
 * the router has the cell that has responded.
 */
export const CELL_HEADER = 'roundhouse-cell';

/**
 * A page of a list that a router requests has here the cursor after each row, in order, as
 * "MTI,MTE". The router merges pages of several cells by it.
 */
export const CURSORS_HEADER = 'roundhouse-cursors';

/** A cell has said, by this version of the fleet, that it does not serve the player. */
export type Asked = { cellID: number; version: number };

/**
 * Reads which cells have had the request. Anything else than a list of them says nothing: it is
 * empty.
 */
export function readAsked(asked: string | undefined, fleetVersion: number | undefined): Asked[] {
  if (asked === undefined || !/^\d{1,4}(@\d{1,10})?(,\d{1,4}(@\d{1,10})?){0,255}$/.test(asked)) return [];
  return asked.split(',').map((each) => {
    const [cellID, version = fleetVersion ?? 0] = each.split('@').map(Number) as [number, number?];
    return { cellID, version };
  });
}

/** Writes what readAsked reads. */
export function writeAsked(asked: readonly { cellID: number; version: number | undefined }[]): string {
  return asked.map(({ cellID, version }) => (version === undefined ? `${cellID}` : `${cellID}@${version}`)).join(',');
}

/** Reads the version of the sender's fleet. Only one header counts. */
export function readFleetVersion(text: string | string[] | undefined): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

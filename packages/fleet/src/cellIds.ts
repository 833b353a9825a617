/** The number of a cell is in the bits of an id from here on: ids of both wires are below 2^53. */
export const CELL_SHIFT = 43n;

/** 0 is the number of a database that belongs to no fleet. */
export const MAX_CELL_NUMBER = 1023;

/** The rows that a cell makes under this number have ids from `first` to `last`. */
export function idRangeOf(number: number): { first: bigint; last: bigint } {
  const base = BigInt(number) << CELL_SHIFT;
  return { first: base + 1n, last: base + (1n << CELL_SHIFT) - 1n };
}

/** Returns the number of the cell that has made this id, for example a betID. */
export function cellNumberOf(id: bigint): number {
  return Number(id >> CELL_SHIFT);
}

/** A cell begins the random part of its sessionIDs with its number: "acme:c2.8f2c…". */
export function sessionMarkOf(number: number): string {
  return `c${number}.`;
}

/**
 * Returns the number of the cell that has made this sessionID; undefined when no cell's mark is in
 * it.
 */
export function cellNumberOfSession(sessionID: string): number | undefined {
  const [, digits] = /^(?:[^:]+:)?c(\d{1,4})\.[\w-]{32}$/.exec(sessionID) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

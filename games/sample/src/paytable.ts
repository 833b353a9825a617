/** W is the wild, S the scatter. H are the high symbols, L the low ones. */
export type SymbolName = 'W' | 'S' | 'H1' | 'H2' | 'H3' | 'L1' | 'L2' | 'L3';

/**
 * Three of a kind on a line pay this, in hundredths of the base bet. Nothing else pays on a line.
 */
export const PAY_HUNDREDTHS: Readonly<Record<SymbolName, number>> = {
  W: 5000,
  H1: 1000,
  H2: 400,
  H3: 200,
  L1: 100,
  L2: 60,
  L3: 30,
  S: 0,
};

/**
 * A line crosses reels 1, 2 and 3 on these rows (0 top, 2 bottom). Lines are numbered from 1 in
 * this order.
 */
export const LINES: readonly (readonly [number, number, number])[] = [
  [1, 1, 1],
  [0, 0, 0],
  [2, 2, 2],
  [0, 1, 2],
  [2, 1, 0],
];

export const FREE_SPINS = 10;

/** The most that one round pays, in hundredths of the base bet, whatever the mode costs. */
export const WIN_CAP_HUNDREDTHS = 100_000;

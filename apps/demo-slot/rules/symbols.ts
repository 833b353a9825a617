/** W wild, S scatter, H the high symbols, L the low ones. Books name symbols by these codes. */
export const SYMBOLS = ['W', 'S', 'H1', 'H2', 'H3', 'H4', 'L1', 'L2', 'L3', 'L4', 'L5'] as const;

export type SymbolCode = (typeof SYMBOLS)[number];

export const REELS = 5;
export const ROWS = 3;

/**
 * Column by column from the left, each from top to bottom: {@link REELS} columns of {@link ROWS}
 * symbols.
 */
export type Board = readonly (readonly SymbolCode[])[];

/** Both counted from 0: reel from the left, row from the top. */
export type Position = { readonly reel: number; readonly row: number };

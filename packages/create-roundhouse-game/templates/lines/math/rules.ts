/** The generator and the front end share these rules of the game. */

/** W is the wild, H are the high symbols, L the low ones. Books name symbols by these codes. */
export const SYMBOLS = ['W', 'H1', 'H2', 'H3', 'L1', 'L2', 'L3', 'L4'] as const;
export type SymbolCode = (typeof SYMBOLS)[number];

export const REELS = 5;
export const ROWS = 3;

/** Columns from the left, each from top to bottom. */
export type Board = SymbolCode[][];

/** The row (0 is the top) that each line crosses on reels 1 to 5. */
export const LINES = [
  [1, 1, 1, 1, 1],
  [0, 0, 0, 0, 0],
  [2, 2, 2, 2, 2],
  [0, 1, 2, 1, 0],
  [2, 1, 0, 1, 2],
  [0, 0, 1, 2, 2],
  [2, 2, 1, 0, 0],
  [1, 0, 0, 0, 1],
  [1, 2, 2, 2, 1],
  [1, 0, 1, 2, 1],
];

/** What three, four and five of a kind from the left pay on a line, in hundredths of the bet. */
export const PAYTABLE: Record<Exclude<SymbolCode, 'W'>, [three: number, four: number, five: number]> = {
  H1: [300, 1200, 5000],
  H2: [200, 800, 3000],
  H3: [150, 500, 2000],
  L1: [100, 300, 1000],
  L2: [80, 200, 800],
  L3: [50, 150, 500],
  L4: [30, 100, 400],
};

/** A wild replaces any symbol, and each wild in a win multiplies it by this. */
export const WILD_MULTIPLIER = 2;

/** The most that a round pays, in hundredths of the bet. */
export const WIN_CAP = 40_000;

/** A line that pays: `count` symbols from the left, `win` in hundredths of the bet. */
export type LineWin = { line: number; symbol: SymbolCode; count: number; multiplier: number; win: number };

/** What a book is made of: the board, the lines that pay if any do, and what the round pays. */
export type BookEvent = { index: number } & (
  | { type: 'reveal'; board: Board }
  | { type: 'winInfo'; wins: LineWin[] }
  | { type: 'finalWin'; amount: number }
);

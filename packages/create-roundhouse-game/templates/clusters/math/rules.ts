/** The generator and the front end share these rules of the game. */

/** H are the high symbols, L the low ones. Books name symbols by these codes. */
export const SYMBOLS = ['H1', 'H2', 'H3', 'L1', 'L2', 'L3', 'L4'] as const;
export type SymbolCode = (typeof SYMBOLS)[number];

export const COLUMNS = 7;
export const ROWS = 7;

/** Columns from the left, each from top to bottom. */
export type Board = SymbolCode[][];

/** From each of these sizes a cluster pays the next amount. Its equal symbols touch along sides. */
export const SIZES = [5, 7, 9, 12, 15] as const;

/** What a cluster pays for its size, in hundredths of the bet, before the multiplier. */
export const PAYTABLE: Record<SymbolCode, readonly [number, number, number, number, number]> = {
  H1: [300, 700, 2500, 7000, 20_000],
  H2: [250, 600, 1800, 5000, 12_000],
  H3: [200, 500, 1200, 3000, 8000],
  L1: [120, 300, 700, 1800, 5000],
  L2: [100, 250, 600, 1500, 4000],
  L3: [80, 180, 500, 1200, 3000],
  L4: [50, 120, 300, 800, 2000],
};

/**
 * The first tumble has the first multiplier, the second the second and so on. The last one stays.
 */
export const MULTIPLIERS = [1, 2, 5, 20, 100, 500];

/** These symbols fall in each mode. With fewer of them, clusters are larger and come more often. */
export const FALLING: Record<string, readonly SymbolCode[]> = {
  BASE: SYMBOLS,
  BOOST: SYMBOLS.filter((symbol) => symbol !== 'L4'),
};

/** The most that a round pays, in hundredths of the bet. */
export const WIN_CAP = 50_000;

/** A place on the board. Both numbers count from 0. */
export type Cell = [column: number, row: number];

/** `win` is in hundredths of the bet, with the multiplier applied. */
export type ClusterWin = { symbol: SymbolCode; cells: Cell[]; win: number };

/**
 * The events of a book: the board; each tumble with the clusters that vanish and, for each
 * column, the symbols that fall in from above, from top to bottom; and what the round pays.
 */
export type BookEvent = { index: number } & (
  | { type: 'reveal'; board: Board }
  | { type: 'tumble'; multiplier: number; wins: ClusterWin[]; fresh: Board }
  | { type: 'finalWin'; amount: number }
);

/** The generator, the game and its rules page share these rules of Aurora Line. */

export const GAME_ID = 'aurora-line';
export const GAME_VERSION = '1.0.0';
export const GAME_TITLE = 'Aurora Line';

/**
 * Every mode returns this to the player, in hundredths of a percent. The generator's weights meet
 * it exactly.
 */
export const RTP_BASIS_POINTS = 9600;

/** The most that a round pays, in hundredths of the base bet, whatever the mode costs. */
export const WIN_CAP_HUNDREDTHS = 500_000;

/** The free spins for three, four and five scatters anywhere. */
export const FREE_SPINS_BY_SCATTERS: Readonly<Record<number, number>> = { 3: 10, 4: 12, 5: 15 };
/** The free spins that three or more scatters add during free spins. */
export const RETRIGGER_SPINS = 5;
/** No round has more free spins than this. */
export const MAX_FREE_SPINS = 50;
/** The highest multiplier of free spins. It starts at 1, and each wild adds one. */
export const MAX_MULTIPLIER = 20;

/** Names of the bet modes, as they are in the published math and on the wire. */
export const MODES = ['BASE', 'ANTE', 'BONUS'] as const;
export type ModeName = (typeof MODES)[number];

/** The cost of a mode, in hundredths of the base bet. */
export const MODE_COST_HUNDREDTHS: Readonly<Record<ModeName, number>> = { BASE: 100, ANTE: 125, BONUS: 8000 };

/** What published math pays in the long run. Rates are fractions of 1. */
export type ModeStatistics = {
  /** Mean payout ÷ cost. */
  readonly rtp: number;
  /** The share of rounds that pay anything. */
  readonly hitRate: number;
  /** The deviation of payout ÷ cost. */
  readonly standardDeviation: number;
  /** A round pays at most this, in base bets. */
  readonly maxWin: number;
  /** The number of rounds in which it comes once. */
  readonly maxWinOneIn: number;
};

/**
 * A file in the front end's folder, with what the rules page says about the math that it is served
 * with.
 */
export const STATISTICS_FILE = 'statistics.json';

/** `version` is that of the game whose math it is. */
export type MathStatistics = { readonly version: string; readonly modes: Readonly<Record<ModeName, ModeStatistics>> };

/** From these standard deviations on the volatility is 1, 2 and so on, to 5. */
export const VOLATILITY_STEPS = [0, 2.5, 5, 10, 20] as const;

/**
 * W is the wild, S the scatter. H are the high symbols, L the low ones. Books name symbols by these
 * codes.
 */
export const SYMBOLS = ['W', 'S', 'H1', 'H2', 'H3', 'H4', 'L1', 'L2', 'L3', 'L4', 'L5'] as const;

export type SymbolCode = (typeof SYMBOLS)[number];

export const REELS = 5;
export const ROWS = 3;

/**
 * Lists columns from the left, each from top to bottom: {@link REELS} columns of {@link ROWS}
 * symbols.
 */
export type Board = readonly (readonly SymbolCode[])[];

/** Both count from 0: reel from the left, row from the top. */
export type Position = { readonly reel: number; readonly row: number };

/**
 * Each line crosses reels 1 to 5 on these rows (0 top, 2 bottom). Lines are numbered from 1 in this
 * order.
 */
export const LINES: readonly (readonly number[])[] = [
  [1, 1, 1, 1, 1],
  [0, 0, 0, 0, 0],
  [2, 2, 2, 2, 2],
  [0, 1, 2, 1, 0],
  [2, 1, 0, 1, 2],
  [0, 0, 1, 0, 0],
  [2, 2, 1, 2, 2],
  [1, 0, 0, 0, 1],
  [1, 2, 2, 2, 1],
  [1, 0, 1, 0, 1],
  [1, 2, 1, 2, 1],
  [0, 1, 0, 1, 0],
  [2, 1, 2, 1, 2],
  [0, 1, 1, 1, 0],
  [2, 1, 1, 1, 2],
  [1, 1, 0, 1, 1],
  [1, 1, 2, 1, 1],
  [0, 0, 1, 2, 2],
  [2, 2, 1, 0, 0],
  [0, 2, 0, 2, 0],
];

/** What three, four and five of a kind from the left pay on a line, in hundredths of the bet. */
type LinePays = readonly [three: number, four: number, five: number];

/**
 * A wild replaces every symbol except the scatter, and pays as a wild if that is more. The scatter
 * pays in free spins.
 */
export const PAYTABLE: Readonly<Record<Exclude<SymbolCode, 'S'>, LinePays>> = {
  W: [250, 1000, 5000],
  H1: [200, 750, 3000],
  H2: [150, 500, 2000],
  H3: [120, 400, 1500],
  H4: [100, 300, 1000],
  L1: [60, 200, 600],
  L2: [50, 150, 500],
  L3: [50, 150, 500],
  L4: [40, 120, 400],
  L5: [40, 120, 400],
};

/** A line with `count` symbols from the left. `win` is what it pays, with the multiplier. */
export type LineWin = {
  readonly line: number;
  readonly symbol: SymbolCode;
  readonly count: number;
  readonly win: number;
  /** `win` includes this multiplier of the free spins; 1 in the base game. */
  readonly multiplier: number;
  /** Reels count from the left. */
  readonly positions: readonly Position[];
};

export type SpinKind = 'basegame' | 'freegame';

/**
 * The books of this game have these events. Every amount is in hundredths of the base bet, like the
 * `payoutMultiplier` of a book.
 *
 * A spin is `reveal`, then `winInfo` and `setWin` when it pays. Free spins are `freeSpinTrigger`,
 * then for each spin `updateFreeSpin`, `reveal`, `updateMultiplier` when wilds landed, `winInfo`,
 * `setWin`, `setTotalWin`, `freeSpinRetrigger` when scatters landed; then `freeSpinEnd`. The spin
 * that triggers them also has `setTotalWin` when it pays. `winCap` comes after the `setTotalWin`
 * that reaches it, and `freeSpinEnd` next. Every book ends with `finalWin`.
 */
export type BookEventBody =
  /** `anticipation`: per reel, whether scatters before it make its stop worth waiting for. */
  | { type: 'reveal'; spin: SpinKind; board: Board; anticipation: readonly boolean[] }
  /** Lists the lines that pay, the best first. `totalWin` is their sum, or what the cap leaves. */
  | { type: 'winInfo'; totalWin: number; wins: readonly LineWin[] }
  /** What the spin that was just shown pays. */
  | { type: 'setWin'; amount: number }
  /** What the round has paid so far. */
  | { type: 'setTotalWin'; amount: number }
  | { type: 'freeSpinTrigger'; totalSpins: number; positions: readonly Position[] }
  /** Comes before each free spin; `spin` counts from 1. */
  | { type: 'updateFreeSpin'; spin: number; totalSpins: number }
  /**
   * Each wild adds one to the multiplier of this spin and all that follow. It is also an event when
   * the multiplier is at its maximum already.
   */
  | { type: 'updateMultiplier'; multiplier: number; positions: readonly Position[] }
  | { type: 'freeSpinRetrigger'; addedSpins: number; totalSpins: number; positions: readonly Position[] }
  /** The round has reached the win cap and ends. */
  | { type: 'winCap'; amount: number }
  /** What the free spins have paid together. */
  | { type: 'freeSpinEnd'; amount: number }
  | { type: 'finalWin'; amount: number };

export type BookEvent = { readonly index: number } & BookEventBody;
export type BookEventType = BookEventBody['type'];

import type { Board, Position, SymbolCode } from './symbols.ts';

/** `count` symbols from the left on a line. `win` is what it pays, the multiplier included. */
export type LineWin = {
  readonly line: number;
  readonly symbol: SymbolCode;
  readonly count: number;
  readonly win: number;
  /** The free spins' multiplier that `win` includes; 1 in the base game. */
  readonly multiplier: number;
  /** From the left. */
  readonly positions: readonly Position[];
};

export type SpinKind = 'basegame' | 'freegame';

/**
 * What a book of this game is made of. Every amount is in hundredths of the base bet, as a book's
 * `payoutMultiplier` is.
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
  /**
   * The lines that pay, the best first. `totalWin` is their sum, or what the win cap leaves of it.
   */
  | { type: 'winInfo'; totalWin: number; wins: readonly LineWin[] }
  /** What the spin that was just shown pays. */
  | { type: 'setWin'; amount: number }
  /** What the round has paid so far. */
  | { type: 'setTotalWin'; amount: number }
  | { type: 'freeSpinTrigger'; totalSpins: number; positions: readonly Position[] }
  /** Before each free spin; `spin` counts from 1. */
  | { type: 'updateFreeSpin'; spin: number; totalSpins: number }
  /**
   * Each wild adds one to the multiplier of this spin and all that follow. It is also an event when
   * the multiplier is at its maximum already.
   */
  | { type: 'updateMultiplier'; multiplier: number; positions: readonly Position[] }
  | { type: 'freeSpinRetrigger'; addedSpins: number; totalSpins: number; positions: readonly Position[] }
  /** The round has reached the most that it can pay and ends. */
  | { type: 'winCap'; amount: number }
  /** What the free spins have paid together. */
  | { type: 'freeSpinEnd'; amount: number }
  | { type: 'finalWin'; amount: number };

export type BookEvent = { readonly index: number } & BookEventBody;
export type BookEventType = BookEventBody['type'];

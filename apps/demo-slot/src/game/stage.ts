import type { Pace } from '@roundhouse/sdk/events';
import type { LineWin, SpinKind } from '../../rules/bookEvents.ts';
import type { Board, Position } from '../../rules/symbols.ts';

/** How a step is to be shown. `instant`: no motion and no sound, only the picture that is left when it is over. */
export type Showing = {
  readonly pace: Pace;
  /** Aborted when the player skips or stops: what still moves jumps to its end and the step resolves. */
  readonly skipped: AbortSignal;
};

export type Scene = 'base' | 'freeSpins';

/** From the smallest up. What is below the stake is never celebrated, so it has no tier. */
export type WinTier = 'win' | 'big' | 'mega' | 'epic' | 'max';

/**
 * What the game asks of its picture. The stage draws and decides nothing: it knows no money, no round and no server. Amounts come as
 * texts, or as micros with the function that writes them (for counting up). What is shown it also makes heard; music, buttons and the
 * beginning and end of free spins sound without it. Every promise resolves when the step has been shown.
 */
export type Stage = {
  /** Fetches and prepares everything. `onProgress`: 0 to 1. Rejects with an error named NoWebGlError when the browser cannot draw it. */
  load(onProgress: (progress: number) => void): Promise<void>;
  /** The loading screen is gone; the picture may move. */
  enter(): void;
  /** A board at once, without motion: at the start, and when a round is resumed. */
  showBoard(board: Board): void;
  /** The reels begin to turn, and turn until `stopReels` or `showBoard`. */
  startReels(spin: SpinKind, pace: Pace): void;
  /** The reels stop one after the other on this board; with anticipation where it says so. */
  stopReels(board: Board, anticipation: readonly boolean[], showing: Showing): Promise<void>;
  /** All lines that pay at once, then (pace normal) each in turn, until `clearWins`. Resolves when all have been seen once. */
  showLineWins(wins: readonly LineWin[], write: (win: LineWin) => string, showing: Showing): Promise<void>;
  clearWins(): void;
  /** Counts up from one amount to another with the celebration of the tier; ends with the last amount. */
  celebrate(win: Celebration, showing: Showing): Promise<void>;
  /** The scatters (or wilds) come alive. */
  pulse(positions: readonly Position[], showing: Showing): Promise<void>;
  /** The scene changes with a transition. */
  changeScene(scene: Scene, showing: Showing): Promise<void>;
  /** A full-screen announcement in the scene, such as the start of free spins with their number. */
  announce(card: AnnouncementCard, showing: Showing): Promise<void>;
  /** The free spins' multiplier; the wilds at `positions` fly into it. */
  setMultiplier(multiplier: number, positions: readonly Position[], showing: Showing): Promise<void>;
  /** The player's device turned, the window changed: lays everything out again inside this free rectangle (CSS pixels). */
  resize(size: StageSize): void;
  /** Stops all motion and frees what was taken. */
  destroy(): void;
};

export type Celebration = {
  readonly tier: WinTier;
  readonly fromMicros: number;
  readonly toMicros: number;
  /** Writes an amount as the player reads it. Called for each step of the count. */
  readonly write: (micros: number) => string;
  /** The words of the tier in the player's language; none for the tier `win`. */
  readonly title: string | undefined;
  /** Told each step, so that the win below the reels counts along. */
  readonly onCount: (micros: number) => void;
};

export type AnnouncementCard = {
  readonly kind: 'freeSpinsStart' | 'freeSpinsMore' | 'freeSpinsEnd';
  readonly title: string;
  /** The large number or amount. */
  readonly value: string;
  readonly note: string | undefined;
};

/** The whole canvas, and the part of it that no bar of buttons covers. CSS pixels. */
export type StageSize = {
  readonly width: number;
  readonly height: number;
  readonly free: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
};

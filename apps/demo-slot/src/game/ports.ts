import type { Client } from '@roundhouse/sdk';
import type { Pace } from '@roundhouse/sdk/events';
import type { Board, LineWin, Position, SpinKind } from '../../rules.ts';

/** How a step is shown. `instant` has no motion and no sound, only the final picture. */
export type Showing = {
  readonly pace: Pace;
  /** Aborted when the player skips or stops. The step then jumps to its end and resolves. */
  readonly skipped: AbortSignal;
};

export type Scene = 'base' | 'freeSpins';

/**
 * The tiers of a win, in ascending order. A win below the stake is not celebrated and has no tier.
 */
export type WinTier = 'win' | 'big' | 'mega' | 'epic' | 'max';

/**
 * The picture as the game uses it. The stage draws and decides nothing. It has no access to
 * money, rounds or the server. Amounts come as texts, or as micros with a formatter (for counting
 * up). The stage also plays the sounds of what it shows. The game plays music, buttons and the
 * start and end of free spins. Every promise resolves when the step has been shown.
 */
export type Stage = {
  /**
   * Loads and prepares everything. `onProgress`: 0 to 1. Rejects with an error named NoWebGlError
   * when the browser has no WebGL.
   */
  load(onProgress: (progress: number) => void): Promise<void>;
  /** The loading screen is closed, and the picture may move. */
  enter(): void;
  /** Shows a board at once, without motion: at the start, and when a round is resumed. */
  showBoard(board: Board): void;
  /** The reels turn until `stopReels` or `showBoard`. */
  startReels(spin: SpinKind, pace: Pace): void;
  /** The reels stop on this board one after the other, some of them with anticipation. */
  stopReels(board: Board, anticipation: readonly boolean[], showing: Showing): Promise<void>;
  /**
   * Shows all lines that pay at once, then (pace normal) each in turn, until `clearWins`. Resolves
   * when all have been seen once.
   */
  showLineWins(wins: readonly LineWin[], write: (win: LineWin) => string, showing: Showing): Promise<void>;
  /**
   * Shows one line with what it pays, alone and without sound, until the next call or `clearWins`.
   * Its symbols do not move where motion is reduced.
   */
  showLine(win: LineWin, amount: string): void;
  /** Marks the lines that pay, at once and at rest, without sound, until `clearWins`. */
  markLines(wins: readonly LineWin[]): void;
  clearWins(): void;
  /**
   * Returns the symbol under a point of the window in CSS pixels; undefined where no symbol is.
   */
  symbolAt(point: Point): SymbolPlace | undefined;
  /**
   * Counts up from one amount to another with the celebration of the tier; ends with the last
   * amount.
   */
  celebrate(win: Celebration, showing: Showing): Promise<void>;
  /** Animates the scatters or wilds. */
  pulse(positions: readonly Position[], showing: Showing): Promise<void>;
  /** Changes the scene with a transition. */
  changeScene(scene: Scene, showing: Showing): Promise<void>;
  /** Shows a full-screen card in the scene, such as the start of free spins with their number. */
  announce(card: AnnouncementCard, showing: Showing): Promise<void>;
  /** Shows the free spins' multiplier; the wilds at `positions` fly into it. */
  setMultiplier(multiplier: number, positions: readonly Position[], showing: Showing): Promise<void>;
  /** Draws at most 30 frames a second from now on, or as many as the screen shows. */
  saveBattery(on: boolean): void;
  /** Lays everything out again, for example when the device turns. */
  resize(size: StageSize): void;
  /** Stops all motion and frees all resources. */
  destroy(): void;
};

/** CSS pixels from the window's top left corner. */
export type Point = { readonly x: number; readonly y: number };
export type Rect = Point & { readonly width: number; readonly height: number };

export type SymbolPlace = Position & { readonly box: Rect };

export type Celebration = {
  readonly tier: WinTier;
  readonly fromMicros: number;
  readonly toMicros: number;
  /** Writes an amount as the player reads it, for each step of the count. */
  readonly write: (micros: number) => string;
  /** The tier's words in the player's language; the tier `win` has none. */
  readonly title: string | undefined;
  /** A line below the amount; the tier `win` has none. */
  readonly note: string | undefined;
  /** The stage calls it at each step, so that the win below the reels counts along. */
  readonly onCount: (micros: number) => void;
};

export type AnnouncementCard = {
  readonly kind: 'freeSpinsStart' | 'freeSpinsMore' | 'freeSpinsEnd';
  readonly title: string;
  readonly value: string;
  readonly note: string | undefined;
};

/** Has the whole canvas, and its part without bars of buttons, in CSS pixels. */
export type StageSize = {
  readonly width: number;
  readonly height: number;
  readonly free: Rect;
};

/** Names the game's sounds. Music plays until another piece is started. */
export type Cue =
  | 'button'
  | 'betChange'
  | 'spinStart'
  | 'reelStop'
  | 'scatterLand1'
  | 'scatterLand2'
  | 'scatterLand3'
  | 'anticipation'
  | 'lineWin'
  | 'winCount'
  | 'winCountEnd'
  | 'bigWin'
  | 'megaWin'
  | 'epicWin'
  | 'wildLand'
  | 'multiplierUp'
  | 'freeSpinsStart'
  | 'freeSpinsEnd'
  | 'trainWhistle'
  | 'error';

export type Music = 'base' | 'freeSpins' | 'none';

export type AudioPort = {
  /** Browsers let sound start only after a touch or a key. */
  unlock(): void;
  play(cue: Cue): void;
  /** Stops a cue that lasts: anticipation, winCount. */
  stop(cue: Cue): void;
  music(piece: Music): void;
  setMuted(muted: boolean): void;
  setVolumes(volumes: Volumes): void;
};

/** Each channel has its own volume. */
export type SoundChannel = 'music' | 'effects';

/** Whole percents, 0 to 100. */
export type Volumes = Readonly<Record<SoundChannel, number>>;

/** Keys are the same on any keyboard layout. */
export type GameKey = 'spin' | 'raiseBet' | 'lowerBet' | 'mute' | 'stopAutoplay';

/** Each `on…` returns the function that removes the listener. */
export type Page = {
  /**
   * Returns the stored value of this name; undefined without one, or if the browser stores nothing.
   */
  recall(name: string): string | undefined;
  keep(name: string, value: string): void;
  readonly canFullscreen: boolean;
  isFullscreen(): boolean;
  toggleFullscreen(): void;
  onFullscreen(listener: () => void): () => void;
  isOnline(): boolean;
  onOnline(listener: (online: boolean) => void): () => void;
  /** The player comes back to the game from another window, or from the page around it. */
  onReturn(listener: () => void): () => void;
  /** A key that is held down spins once. The listener returns whether the game used the key. */
  onKey(listener: (key: GameKey) => boolean): () => void;
  reload(): void;
  /** Resolves when a later page plays the session. The client is closed then. */
  holdSession(client: Client): Promise<void>;
  /** Leads to another page, in the whole window where the game is in a frame. */
  leave(url: string): void;
  /** Opens a page in a new tab that cannot reach the game. A browser may refuse it. */
  openTab(url: string): void;
  /** Saves a text as a file of this name, where the browser saves downloads. */
  saveFile(name: string, text: string): void;
};

/** Time is an argument, in milliseconds, so that tests need not wait. */
export type Clock = {
  nowMs(): number;
  /** Runs once after the delay. The returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
};

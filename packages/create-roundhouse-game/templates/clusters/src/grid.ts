import { Container, Sprite } from 'pixi.js';
import { type Board, type Cell, ROWS, type SymbolCode } from '../math/rules.ts';
import { CELL, type SymbolTextures } from './symbols.ts';

/** In units of the stage per square millisecond. */
const GRAVITY = 0.008;
const FIRST_SPEED = 0.4;
/** How much later each column begins to fall than the one before. */
const BETWEEN_COLUMNS_MS = 45;
/** How much later each symbol begins to fall than the one below. */
const BETWEEN_ROWS_MS = 16;
const SQUASH_MS = 260;
const VANISH_MS = 200;
/** A symbol beside a cluster that pays has this tint. */
const DIMMED = 0x6f86ad;

type Piece = {
  sprite: Sprite;
  symbol: SymbolCode;
  y: number;
  targetY: number;
  speed: number;
  delayMs: number;
  /** The time since it has landed; SQUASH_MS at rest. */
  landedMs: number;
};

type GridOptions = {
  textures: SymbolTextures;
  /** Something begins to move. */
  onMotion: () => void;
  /** A symbol bursts at this place of the board. */
  onPop: (x: number, y: number) => void;
};

/** Shows the symbols of the board, which fall and vanish. */
export class Grid extends Container {
  #columns: Piece[][] = [];
  /** They are on their way out; nothing waits for them. */
  #leaving: { sprite: Sprite; step: (sprite: Sprite, ms: number) => boolean }[] = [];
  #onLanded: (() => void) | undefined;

  readonly #options: GridOptions;

  constructor(options: GridOptions) {
    super();
    this.#options = options;
  }

  get board(): Board {
    return this.#columns.map((pieces) => pieces.map(({ symbol }) => symbol));
  }

  /** Shows the board without any motion. */
  place(board: Board): void {
    for (const { sprite } of [...this.#columns.flat(), ...this.#leaving]) sprite.destroy();
    this.#leaving = [];
    this.#columns = board.map((symbols, column) => symbols.map((symbol, row) => this.#piece(symbol, column, row)));
    this.#landed();
    this.#options.onMotion();
  }

  /** Lets all symbols fall out below. */
  drop(): void {
    for (const [column, pieces] of this.#columns.entries()) {
      for (const [row, { sprite }] of pieces.entries()) {
        let speed = FIRST_SPEED;
        let delayMs = fallDelayMs(column, row);
        this.#leave(sprite, (leaving, ms) => {
          delayMs -= ms;
          if (delayMs > 0) return false;
          speed += GRAVITY * ms;
          leaving.y += speed * ms;
          return leaving.y > (ROWS + 1) * CELL;
        });
      }
    }
    this.#columns = [];
  }

  /** Lets a board fall in from above. Resolves when it is at rest. */
  fill(board: Board): Promise<void> {
    this.#columns = board.map((symbols, column) => {
      return symbols.map((symbol, row) => this.#fresh(symbol, { column, row, above: ROWS }));
    });
    return this.#landing();
  }

  /**
   * The cells vanish, the rest falls, and fresh symbols come from above until the board is full.
   */
  tumble(gone: readonly Cell[], fresh: Board): Promise<void> {
    this.#columns = this.#columns.map((pieces, column) => {
      const isGone = (row: number) => gone.some((cell) => cell[0] === column && cell[1] === row);
      for (const [row, { sprite }] of pieces.entries()) if (isGone(row)) this.#vanish(sprite);
      const kept = pieces.filter((_, row) => !isGone(row));
      const added = fresh[column] ?? [];
      for (const [place, piece] of kept.entries()) {
        const row = added.length + place;
        Object.assign(piece, { targetY: centre(row), delayMs: fallDelayMs(column, row) });
      }
      return [...added.map((symbol, row) => this.#fresh(symbol, { column, row, above: added.length })), ...kept];
    });
    return this.#landing();
  }

  /** Lights these cells and dims all others; without cells, all are as before. */
  light(cells: readonly Cell[]): void {
    for (const { sprite, symbol } of this.#columns.flat()) {
      sprite.tint = cells.length > 0 ? DIMMED : 0xffffff;
      sprite.texture = this.#options.textures[symbol].rest;
      sprite.scale.set(1);
    }
    for (const [column, row] of cells) {
      const piece = this.#columns[column]?.[row];
      if (piece) Object.assign(piece.sprite, { tint: 0xffffff, texture: this.#options.textures[piece.symbol].lit });
    }
  }

  /** Lets the cells swell, from 0 to 1. */
  swell(cells: readonly Cell[], share: number): void {
    for (const [column, row] of cells) this.#columns[column]?.[row]?.sprite.scale.set(1 + 0.16 * share);
  }

  /** Returns whether anything still moves. */
  update(ms: number): boolean {
    this.#leaving = this.#leaving.filter(({ sprite, step }) => {
      const isGone = step(sprite, ms);
      if (isGone) sprite.destroy();
      return !isGone;
    });
    let isFalling = false;
    let isSquashed = false;
    for (const piece of this.#columns.flat()) {
      if (piece.y < piece.targetY) {
        isFalling = true;
        fall(piece, ms);
      } else if (piece.landedMs < SQUASH_MS) {
        isSquashed = true;
        squash(piece, ms);
      }
    }
    if (!isFalling) this.#landed();
    return isFalling || isSquashed || this.#leaving.length > 0;
  }

  #piece(symbol: SymbolCode, column: number, row: number): Piece {
    const sprite = this.addChild(new Sprite(this.#options.textures[symbol].rest));
    sprite.anchor.set(0.5);
    sprite.position.set(centre(column), centre(row));
    const y = centre(row);
    return { sprite, symbol, y, targetY: y, speed: FIRST_SPEED, delayMs: 0, landedMs: SQUASH_MS };
  }

  /** Puts a symbol this many rows above its place. */
  #fresh(symbol: SymbolCode, { column, row, above }: { column: number; row: number; above: number }): Piece {
    const piece = this.#piece(symbol, column, row);
    piece.y -= above * CELL;
    piece.sprite.y = piece.y;
    piece.delayMs = fallDelayMs(column, row);
    return piece;
  }

  #vanish(sprite: Sprite): void {
    let passedMs = 0;
    this.#options.onPop(sprite.x, sprite.y);
    this.#leave(sprite, (leaving, ms) => {
      passedMs += ms;
      const share = Math.min(1, passedMs / VANISH_MS);
      // It draws breath, then bursts.
      leaving.scale.set(share < 0.3 ? 1.16 - 0.4 * share : 1.04 + 0.7 * (share - 0.3));
      leaving.alpha = 1 - share ** 2;
      return share === 1;
    });
  }

  #leave(sprite: Sprite, step: (sprite: Sprite, ms: number) => boolean): void {
    this.#leaving.push({ sprite, step });
    this.#options.onMotion();
  }

  #landing(): Promise<void> {
    this.#options.onMotion();
    return new Promise((resolve) => {
      this.#onLanded = resolve;
    });
  }

  #landed(): void {
    const onLanded = this.#onLanded;
    this.#onLanded = undefined;
    onLanded?.();
  }
}

/** A falling symbol is longer the faster it is. */
function fall(piece: Piece, ms: number): void {
  piece.delayMs -= ms;
  if (piece.delayMs > 0) return;
  piece.speed += GRAVITY * ms;
  piece.y = Math.min(piece.targetY, piece.y + piece.speed * ms);
  const stretch = Math.min(0.1, 0.03 * piece.speed);
  piece.sprite.y = piece.y;
  piece.sprite.scale.set(1 - stretch / 2, 1 + stretch);
  if (piece.y < piece.targetY) return;
  piece.speed = FIRST_SPEED;
  piece.landedMs = 0;
}

/** A symbol that has landed is flat, swings, and comes to rest. Its lower edge stays. */
function squash(piece: Piece, ms: number): void {
  piece.landedMs = Math.min(SQUASH_MS, piece.landedMs + ms);
  const share = piece.landedMs / SQUASH_MS;
  const flat = 0.2 * (1 - share) ** 2 * Math.cos(2.5 * Math.PI * share);
  piece.sprite.scale.set(1 + 0.6 * flat, 1 - flat);
  piece.sprite.y = piece.y + 0.4 * CELL * flat;
}

function fallDelayMs(column: number, row: number): number {
  return column * BETWEEN_COLUMNS_MS + (ROWS - row) * BETWEEN_ROWS_MS;
}

function centre(place: number): number {
  return (place + 0.5) * CELL;
}

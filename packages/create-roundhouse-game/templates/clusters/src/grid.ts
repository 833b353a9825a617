import { Container, Sprite, type Texture } from 'pixi.js';
import { type Board, type Cell, ROWS, type SymbolCode } from '../math/rules.ts';
import { CELL } from './symbols.ts';

/** In units of the stage per square millisecond. */
const GRAVITY = 0.008;
const FIRST_SPEED = 0.4;
/** How much later each column begins to fall than the one before. */
const BETWEEN_COLUMNS_MS = 45;
const VANISH_MS = 220;

type Piece = { sprite: Sprite; symbol: SymbolCode; targetY: number; speed: number; delayMs: number };

/** Shows the symbols of the board, which fall and vanish. */
export class Grid extends Container {
  readonly #textures: Record<SymbolCode, Texture>;
  #columns: Piece[][] = [];
  /** They are on their way out; nothing waits for them. */
  #leaving: { sprite: Sprite; step: (sprite: Sprite, ms: number) => boolean }[] = [];
  #onLanded: (() => void) | undefined;

  readonly #onMotion: () => void;

  /** `onMotion` is called when something begins to move. */
  constructor(textures: Record<SymbolCode, Texture>, onMotion: () => void) {
    super();
    this.#textures = textures;
    this.#onMotion = onMotion;
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
    this.#onMotion();
  }

  /** Lets all symbols fall out below. */
  drop(): void {
    for (const { sprite } of this.#columns.flat()) {
      let speed = FIRST_SPEED;
      const bottom = ROWS * CELL;
      this.#leave(sprite, (leaving, ms) => {
        speed += GRAVITY * ms;
        leaving.y += speed * ms;
        return leaving.y > bottom + CELL;
      });
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
        Object.assign(piece, { targetY: centre(row), delayMs: column * BETWEEN_COLUMNS_MS });
      }
      return [...added.map((symbol, row) => this.#fresh(symbol, { column, row, above: added.length })), ...kept];
    });
    return this.#landing();
  }

  /** Lets the cells swell, from 0 to 1. */
  swell(cells: readonly Cell[], share: number): void {
    for (const [column, row] of cells) this.#columns[column]?.[row]?.sprite.scale.set(1 + 0.14 * share);
  }

  /** Returns whether anything still moves. */
  update(ms: number): boolean {
    this.#leaving = this.#leaving.filter(({ sprite, step }) => {
      const isGone = step(sprite, ms);
      if (isGone) sprite.destroy();
      return !isGone;
    });
    let isMoving = false;
    for (const piece of this.#columns.flat()) {
      if (piece.sprite.y >= piece.targetY) continue;
      isMoving = true;
      piece.delayMs -= ms;
      if (piece.delayMs > 0) continue;
      piece.speed += GRAVITY * ms;
      piece.sprite.y = Math.min(piece.targetY, piece.sprite.y + piece.speed * ms);
      if (piece.sprite.y === piece.targetY) piece.speed = FIRST_SPEED;
    }
    if (!isMoving) this.#landed();
    return isMoving || this.#leaving.length > 0;
  }

  #piece(symbol: SymbolCode, column: number, row: number): Piece {
    const sprite = this.addChild(new Sprite(this.#textures[symbol]));
    sprite.anchor.set(0.5);
    sprite.position.set(centre(column), centre(row));
    return { sprite, symbol, targetY: centre(row), speed: FIRST_SPEED, delayMs: 0 };
  }

  /** Puts a symbol this many rows above its place. */
  #fresh(symbol: SymbolCode, { column, row, above }: { column: number; row: number; above: number }): Piece {
    const piece = this.#piece(symbol, column, row);
    piece.sprite.y -= above * CELL;
    piece.delayMs = column * BETWEEN_COLUMNS_MS;
    return piece;
  }

  #vanish(sprite: Sprite): void {
    let passedMs = 0;
    this.#leave(sprite, (leaving, ms) => {
      passedMs += ms;
      const share = Math.min(1, passedMs / VANISH_MS);
      leaving.scale.set(1.14 + 0.4 * share);
      leaving.alpha = 1 - share;
      return share === 1;
    });
  }

  #leave(sprite: Sprite, step: (sprite: Sprite, ms: number) => boolean): void {
    this.#leaving.push({ sprite, step });
    this.#onMotion();
  }

  #landing(): Promise<void> {
    this.#onMotion();
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

function centre(place: number): number {
  return (place + 0.5) * CELL;
}

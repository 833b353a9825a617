import { Container, Graphics, Sprite, type Texture } from 'pixi.js';
import { ROWS, SYMBOLS, type SymbolCode } from '../math/rules.ts';
import { CELL } from './symbols.ts';

/** It is in units of the stage per millisecond. */
const SPEED = 3.2;
const BOUNCE_MS = 260;
const BOUNCE = 0.16 * CELL;

/** Shows one column of symbols, which turns downwards. */
export class Reel extends Container {
  /** The first one is above the window. */
  readonly #cells: Sprite[];
  readonly #textures: Record<SymbolCode, Texture>;
  #shown: SymbolCode[];
  #state: 'still' | 'turning' | 'stopping' | 'bouncing' = 'still';
  /** They come in from above before the reel stops. */
  #coming: SymbolCode[] = [];
  #offset = 0;
  #bouncedMs = 0;
  #rowHeight = CELL;
  readonly #window = new Graphics();
  #onStopped = () => {};

  constructor(textures: Record<SymbolCode, Texture>) {
    super();
    this.#textures = textures;
    this.#shown = Array.from({ length: ROWS + 1 }, randomSymbol);
    this.#cells = this.#shown.map(() => this.addChild(new Sprite()));
    this.mask = this.addChild(this.#window);
    this.setRowHeight(CELL);
  }

  setRowHeight(height: number): void {
    this.#rowHeight = height;
    this.#window
      .clear()
      .rect(0, 0, CELL, height * ROWS)
      .fill('#ffffff');
    this.#draw();
  }

  turn(): void {
    this.#state = 'turning';
  }

  /** Lets the symbols in, from top to bottom, and stops on them. */
  stop(symbols: readonly SymbolCode[]): Promise<void> {
    this.#coming = [...symbols].reverse();
    this.#state = 'stopping';
    return new Promise((resolve) => {
      this.#onStopped = resolve;
    });
  }

  /** Shows the symbols without any motion. */
  show(symbols: readonly SymbolCode[]): void {
    this.#shown = [randomSymbol(), ...symbols];
    this.#rest();
  }

  /** Stops on what it shows. */
  halt(): void {
    this.#rest();
  }

  /** Returns whether it still moves. */
  update(ms: number): boolean {
    if (this.#isTurning()) this.#offset += SPEED * ms;
    while (this.#isTurning() && this.#offset >= this.#rowHeight) this.#shift();
    if (this.#state === 'bouncing') {
      this.#bouncedMs += ms;
      const share = Math.min(1, this.#bouncedMs / BOUNCE_MS);
      this.#offset = BOUNCE * Math.sin(Math.PI * share) * (1 - share);
      if (share === 1) this.#rest();
    }
    if (this.#state === 'still') return false;
    this.#draw();
    return true;
  }

  #isTurning(): boolean {
    return this.#state === 'turning' || this.#state === 'stopping';
  }

  #shift(): void {
    this.#offset -= this.#rowHeight;
    const isLast = this.#state === 'stopping' && this.#coming.length === 0;
    this.#shown = [this.#coming.shift() ?? randomSymbol(), ...this.#shown.slice(0, ROWS)];
    if (!isLast) return;
    this.#state = 'bouncing';
    this.#bouncedMs = 0;
  }

  #rest(): void {
    this.#state = 'still';
    this.#offset = 0;
    this.#coming = [];
    this.#draw();
    this.#onStopped();
    this.#onStopped = () => {};
  }

  #draw(): void {
    for (const [row, cell] of this.#cells.entries()) {
      cell.texture = this.#textures[this.#shown[row] as SymbolCode];
      cell.y = (row - 0.5) * this.#rowHeight - CELL / 2 + this.#offset;
    }
  }
}

/** Returns a symbol that flies by. It does not count. */
function randomSymbol(): SymbolCode {
  return SYMBOLS[Math.floor(Math.random() * SYMBOLS.length)] as SymbolCode;
}

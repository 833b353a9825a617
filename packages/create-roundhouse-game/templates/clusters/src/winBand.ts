import { Container, Sprite, type Texture } from 'pixi.js';
import { isCalm } from './motion.ts';
import { goldText } from './words.ts';

export const BAND = { width: 360, height: 72 };
const TEXT_WIDTH = 260;
const COUNT_MS = 600;
/** Nobody reads faster, and each new text is a new texture. */
const WRITE_EVERY_MS = 40;

/** Amounts are in hundredths of the bet. */
type Count = { from: number; to: number; textOf: (amount: number) => string; isCelebrated: boolean };

/** The band below the board, where the wins of a round add up. */
export class WinBand extends Container {
  readonly #amount = goldText(38);
  #count: (Count & { passedMs: number; writtenMs: number }) | undefined;

  constructor(texture: Texture) {
    super();
    const band = new Sprite(texture);
    band.anchor.set(0.5);
    this.addChild(band, this.#amount);
    this.visible = false;
  }

  /** Counts up if the win is celebrated; otherwise only writes it. */
  count(count: Count): void {
    this.visible = true;
    this.#count = { ...count, passedMs: count.isCelebrated && !isCalm() ? 0 : COUNT_MS, writtenMs: 0 };
    // The size fits the last amount, so that the digits do not shrink while more come in.
    this.#amount.text = count.textOf(count.to);
    this.#amount.scale.set(1);
    this.#amount.scale.set(Math.min(1, TEXT_WIDTH / this.#amount.width));
  }

  /** Writes the last amount at once. */
  finish(): void {
    if (this.#count !== undefined) this.#count.passedMs = COUNT_MS;
  }

  hide(): void {
    this.visible = false;
    this.#count = undefined;
  }

  /** Returns whether it still counts. */
  update(ms: number): boolean {
    if (this.#count === undefined) return false;
    const { from, to, textOf } = this.#count;
    this.#count.passedMs += ms;
    const share = Math.min(1, this.#count.passedMs / COUNT_MS);
    this.scale.set(1 + 0.1 * Math.sin(Math.PI * share));
    if (share < 1 && this.#count.passedMs - this.#count.writtenMs < WRITE_EVERY_MS) return true;
    this.#count.writtenMs = this.#count.passedMs;
    this.#amount.text = textOf(Math.round(from + (to - from) * share));
    if (share === 1) this.#count = undefined;
    return share < 1;
  }
}

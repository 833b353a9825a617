import { Container, Sprite, type Texture } from 'pixi.js';
import { isCalm } from './motion.ts';
import { goldText } from './words.ts';

export const BAND = { width: 360, height: 72 };
const TEXT_WIDTH = 260;
const SWELL_MS = 600;

/** The band below the board, where the wins of a round add up. */
export class WinBand extends Container {
  readonly #amount = goldText(38);
  #passedMs = SWELL_MS;

  constructor(texture: Texture) {
    super();
    const band = new Sprite(texture);
    band.anchor.set(0.5);
    this.addChild(band, this.#amount);
    this.visible = false;
  }

  /** Writes the sum, which the WIN meter shows too. The band swells if the win is celebrated. */
  write(text: string, { isCelebrated }: { isCelebrated: boolean }): void {
    this.visible = true;
    this.#passedMs = isCelebrated && !isCalm() ? 0 : SWELL_MS;
    this.#amount.text = text;
    this.#amount.scale.set(1);
    this.#amount.scale.set(Math.min(1, TEXT_WIDTH / this.#amount.width));
  }

  hide(): void {
    this.visible = false;
    this.#passedMs = SWELL_MS;
  }

  /** Returns whether it still swells. */
  update(ms: number): boolean {
    this.#passedMs = Math.min(SWELL_MS, this.#passedMs + ms);
    this.scale.set(1 + 0.1 * Math.sin((Math.PI * this.#passedMs) / SWELL_MS));
    return this.visible && this.#passedMs < SWELL_MS;
  }
}

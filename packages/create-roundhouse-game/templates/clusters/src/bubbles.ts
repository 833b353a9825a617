import { Container, Sprite, type Texture } from 'pixi.js';
import { isCalm } from './motion.ts';

const IN_A_BURST = 7;
/** More of them would not be seen. */
const MOST = 200;
const LIFE_MS = 700;
/** In units of the stage per square millisecond, upwards. */
const LIFT = 0.0006;

type Bubble = { sprite: Sprite; right: number; down: number; size: number; leftMs: number };

/** Bubbles that burst out of a symbol and rise. */
export class Bubbles extends Container {
  readonly #texture: Texture;
  #rising: Bubble[] = [];

  constructor(texture: Texture) {
    super();
    this.#texture = texture;
  }

  burst(x: number, y: number): void {
    for (let bubble = 0; bubble < IN_A_BURST && !isCalm() && this.#rising.length < MOST; bubble += 1) {
      const sprite = this.addChild(new Sprite(this.#texture));
      sprite.anchor.set(0.5);
      sprite.position.set(x, y);
      const angle = Math.random() * 2 * Math.PI;
      const speed = 0.06 + 0.2 * Math.random();
      const [right, down] = [speed * Math.cos(angle), speed * Math.sin(angle)];
      const leftMs = LIFE_MS * (0.5 + Math.random() / 2);
      this.#rising.push({ sprite, right, down, size: 0.12 + 0.4 * Math.random() ** 2, leftMs });
    }
  }

  /** Returns whether there are any. */
  update(ms: number): boolean {
    this.#rising = this.#rising.filter((bubble) => {
      const { sprite } = bubble;
      bubble.leftMs -= ms;
      if (bubble.leftMs <= 0) sprite.destroy();
      if (bubble.leftMs <= 0) return false;
      bubble.right *= 0.996 ** ms;
      bubble.down -= LIFT * ms;
      sprite.position.set(sprite.x + bubble.right * ms, sprite.y + bubble.down * ms);
      sprite.scale.set(bubble.size * (1.3 - bubble.leftMs / LIFE_MS / 2));
      sprite.alpha = Math.min(1, bubble.leftMs / 160);
      return true;
    });
    return this.#rising.length > 0;
  }
}

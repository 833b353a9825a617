import { Container, Sprite } from 'pixi.js';
import type { Artwork } from '../art/artwork.ts';

const FLAKES = 110;
const CALM_FLAKES = 46;
/** CSS pixels a second at full speed. */
const STREAM_SPEED = 1150;

/**
 * Snow falls gently at night and streams past the running train. It is in plain arrays, which are
 * filled once.
 */
export class Weather {
  readonly view = new Container();
  /** It is 0 to fall, 1 to stream; it may be tweened. */
  rush = 0;
  private readonly sprites: Sprite[] = [];
  private readonly x = new Float32Array(FLAKES);
  private readonly y = new Float32Array(FLAKES);
  private readonly depth = new Float32Array(FLAKES);
  private readonly phase = new Float32Array(FLAKES);
  private width = 1;
  private height = 1;
  private timeMs = 0;
  private share = 1;
  private readonly streakScale: number;

  constructor(artwork: Artwork) {
    const flake = artwork.get('dot');
    const streak = artwork.get('streak');
    this.streakScale = 1 / streak.width;
    for (let index = 0; index < FLAKES; index++) {
      const sprite = new Sprite(index < CALM_FLAKES ? flake : streak);
      sprite.anchor.set(0.5);
      this.x[index] = Math.random();
      this.y[index] = Math.random();
      this.depth[index] = 0.25 + (0.75 * (index % 23)) / 22;
      this.phase[index] = Math.random() * Math.PI * 2;
      this.sprites.push(sprite);
      this.view.addChild(sprite);
    }
  }

  /** Sets the part of the flakes that is drawn, 0 to 1. */
  setShare(share: number): void {
    this.share = share;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  update(deltaMs: number): void {
    this.timeMs += deltaMs;
    const seconds = deltaMs / 1000;
    const time = this.timeMs / 1000;
    for (let index = 0; index < FLAKES; index++) {
      const sprite = this.sprites[index];
      if (sprite === undefined) continue;
      const falls = index < CALM_FLAKES;
      const alpha = falls ? 1 - 0.6 * this.rush : this.rush;
      sprite.visible = alpha > 0.02 && index % 10 < this.share * 10;
      if (!sprite.visible) continue;
      const depth = this.depth[index] ?? 1;
      const phase = this.phase[index] ?? 0;
      const across = falls ? -12 - 500 * this.rush : -STREAM_SPEED;
      const down = falls ? 26 : 70;
      let x = (this.x[index] ?? 0) + (across * depth * seconds) / this.width;
      let y = (this.y[index] ?? 0) + (down * depth * seconds) / this.height;
      if (x < -0.1) x += 1.2;
      if (y > 1.05) y -= 1.1;
      this.x[index] = x;
      this.y[index] = y;
      const sway = falls ? Math.sin(time * 0.8 + phase) * 10 * depth : 0;
      sprite.position.set(x * this.width + sway, y * this.height);
      sprite.alpha = alpha * (0.18 + 0.5 * depth * depth);
      if (falls) {
        const size = (2.2 + 5 * depth) / 24;
        sprite.scale.set(size);
      } else {
        sprite.scale.set((40 + 190 * depth) * this.streakScale * (0.4 + 0.6 * this.rush), 0.18 + 0.4 * depth);
        sprite.rotation = -0.06;
      }
    }
  }
}

import { Container, Sprite } from 'pixi.js';
import type { Artwork } from '../art/artwork.ts';
import type { Sparks } from './sparks.ts';

/** Where things are in the picture of the train, in parts of its width and height. */
const CHIMNEY = { x: 0.941, y: 0.17 };
const LAMP = { x: 0.974, y: 0.31 };
const WHEELS_Y = 0.93;
const PUFF_EVERY_MS = 85;
const MOST_PUFFS = 6;

/** Shows the night train from the side. It drives to the right; its wheels are on `y`. */
export class Train {
  readonly view = new Container();
  private readonly body: Sprite;
  private readonly beam: Sprite;
  private readonly glow: Sprite;
  private readonly sparks: Sparks;
  private sincePuffMs = 0;
  private timeMs = 0;

  constructor(artwork: Artwork, sparks: Sparks) {
    this.sparks = sparks;
    this.body = new Sprite(artwork.get('scene/train'));
    this.body.anchor.set(0, WHEELS_Y);
    this.glow = light(artwork, { tint: 0xffc46b, alpha: 0.2 });
    this.beam = light(artwork, { tint: 0xffe9b0, alpha: 0.5 });
    this.view.addChild(this.glow, this.body, this.beam);
    this.view.visible = false;
  }

  get width(): number {
    return this.body.width;
  }

  setWidth(width: number): void {
    const scale = width / this.body.texture.width;
    this.body.scale.set(scale);
    const height = this.body.texture.height * scale;
    this.beam.position.set(width * LAMP.x + height * 0.55, height * (LAMP.y - WHEELS_Y));
    this.beam.setSize(height * 2.2, height * 0.7);
    this.glow.position.set(width * 0.4, height * -0.4);
    this.glow.setSize(width * 1.1, height * 2.2);
  }

  /** `wind` is the speed of the air past it, in CSS pixels a second. */
  update(deltaMs: number, wind: number): void {
    if (!this.view.visible) return;
    this.timeMs += deltaMs;
    this.body.y = Math.sin(this.timeMs / 70) * this.body.height * 0.004;
    this.beam.alpha = 0.42 + 0.1 * Math.sin(this.timeMs / 90);
    this.sincePuffMs = Math.min(this.sincePuffMs + deltaMs, MOST_PUFFS * PUFF_EVERY_MS);
    for (; this.sincePuffMs >= PUFF_EVERY_MS; this.sincePuffMs -= PUFF_EVERY_MS) this.puff(wind);
  }

  /** After a long frame several puffs are due. Each starts where the wind has blown it by now. */
  private puff(wind: number): void {
    const blownSeconds = (this.sincePuffMs - PUFF_EVERY_MS) / 1000;
    this.sparks.steam({
      x: this.view.x + this.width * CHIMNEY.x - wind * blownSeconds,
      y: this.view.y + this.body.height * (CHIMNEY.y - WHEELS_Y),
      size: this.body.height,
      wind,
    });
  }
}

function light(artwork: Artwork, look: { tint: number; alpha: number }): Sprite {
  const sprite = new Sprite(artwork.get('soft'));
  sprite.anchor.set(0.5);
  sprite.blendMode = 'add';
  sprite.tint = look.tint;
  sprite.alpha = look.alpha;
  return sprite;
}

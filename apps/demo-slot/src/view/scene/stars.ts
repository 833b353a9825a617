import { Container, Sprite } from 'pixi.js';
import type { Artwork } from '../art/artwork.ts';

const STARS = 120;
const BRIGHT = 9;

/** Fixed stars that twinkle; a few of them large, with rays. */
export class Stars {
  readonly view = new Container();
  private readonly sprites: Sprite[] = [];
  private readonly base = new Float32Array(STARS);
  private readonly phase = new Float32Array(STARS);
  private readonly u = new Float32Array(STARS);
  private readonly v = new Float32Array(STARS);

  constructor(artwork: Artwork) {
    for (let star = 0; star < STARS; star++) {
      const bright = star < BRIGHT;
      const sprite = new Sprite(artwork.get(bright ? 'fx/spark' : 'dot'));
      sprite.anchor.set(0.5);
      sprite.blendMode = 'add';
      const brightness = Math.random() ** 2;
      sprite.scale.set(bright ? 0.14 + 0.12 * brightness : 0.05 + 0.11 * brightness);
      sprite.tint = star % 5 === 0 ? 0xbfd4ff : star % 7 === 0 ? 0xfff0d0 : 0xffffff;
      this.base[star] = 0.3 + 0.6 * brightness;
      this.phase[star] = Math.random() * Math.PI * 2;
      this.u[star] = Math.random();
      this.v[star] = Math.random() ** 1.3;
      this.sprites.push(sprite);
      this.view.addChild(sprite);
    }
  }

  resize(width: number, horizonY: number): void {
    for (let star = 0; star < STARS; star++) {
      this.sprites[star]?.position.set((this.u[star] ?? 0) * width, (this.v[star] ?? 0) * horizonY * 0.8);
    }
  }

  update(timeMs: number): void {
    const time = timeMs / 1000;
    for (let star = 0; star < STARS; star++) {
      const sprite = this.sprites[star];
      if (sprite === undefined) continue;
      const phase = this.phase[star] ?? 0;
      sprite.alpha = (this.base[star] ?? 0) * (0.72 + 0.28 * Math.sin(time * (0.7 + (star % 5) * 0.35) + phase));
    }
  }
}

import { Container, Sprite } from 'pixi.js';
import type { Artwork } from '../art/artwork.ts';
import type { Clock } from '../clock.ts';

const PUFFS = 40;
const RUSH_MS = 1500;
const FADE_MS = 320;
const TINTS = [0xffffff, 0x7d93d2, 0xdfe8ff, 0xa9bbee, 0xf4f8ff];

/** Shows the transition between scenes: the train passes, and its steam hides the change. */
export class SteamWipe {
  readonly view = new Container();
  private readonly clock: Clock;
  private readonly calm: boolean;
  private readonly puffs: Sprite[] = [];
  private readonly lane = new Float32Array(PUFFS);
  private readonly lag = new Float32Array(PUFFS);
  private readonly cover: Sprite;
  private readonly train: Sprite;
  private width = 1;
  private height = 1;
  private position = 0;

  constructor(artwork: Artwork, options: { clock: Clock; calm: boolean }) {
    this.clock = options.clock;
    this.calm = options.calm;
    this.cover = new Sprite(artwork.get('white'));
    this.cover.tint = options.calm ? 0x070b1f : 0x8ea4dc;
    this.train = new Sprite(artwork.get('scene/train'));
    this.train.anchor.set(0, 0.5);
    this.view.addChild(this.cover);
    for (let puff = 0; puff < PUFFS; puff++) {
      const sprite = new Sprite(artwork.get('puff'));
      sprite.anchor.set(0.5);
      sprite.tint = TINTS[puff % TINTS.length] ?? 0xffffff;
      this.lane[puff] = (puff % 8) / 7;
      this.lag[puff] = Math.random() * 0.5;
      sprite.rotation = Math.random() * Math.PI * 2;
      this.puffs.push(sprite);
      this.view.addChild(sprite);
    }
    this.view.addChild(this.train);
    this.view.visible = false;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.cover.setSize(width, height);
    this.train.scale.set(Math.max(height * 0.62, width * 0.24) / this.train.texture.height);
    this.train.y = height * 0.62;
    for (let puff = 0; puff < PUFFS; puff++) {
      const size = Math.max(width * 0.34, height * 0.42) * (0.8 + 0.5 * (this.lag[puff] ?? 0));
      this.puffs[puff]?.setSize(size * 1.5);
    }
  }

  /** Calls `change` when the steam covers the scene. */
  async run(change: () => void, options: { skipped: AbortSignal; factor: number }): Promise<void> {
    this.view.visible = true;
    this.progress = 0;
    if (this.calm || options.skipped.aborted) {
      await this.fade(change);
    } else {
      const ms = (RUSH_MS * Math.max(0.6, options.factor)) / 2;
      const signal = options.skipped;
      await this.clock.tween(this as SteamWipe, { progress: 0.5 }, { ms, signal });
      change();
      await this.clock.tween(this as SteamWipe, { progress: 1 }, { ms, signal });
    }
    this.view.visible = false;
  }

  get progress(): number {
    return this.position;
  }
  set progress(progress: number) {
    this.position = progress;
    const { width, height } = this;
    this.cover.alpha = Math.max(0, 1 - (Math.abs(progress - 0.5) / 0.3) ** 2);
    const trainWidth = this.train.width;
    this.train.visible = !this.calm;
    this.train.x = -trainWidth + (width + trainWidth * 2) * Math.min(1, progress * 1.75) - trainWidth * 0.1;
    for (let puff = 0; puff < PUFFS; puff++) {
      const sprite = this.puffs[puff];
      if (sprite === undefined) continue;
      sprite.visible = !this.calm;
      const at = progress * 1.9 - (this.lag[puff] ?? 0) * 0.8;
      sprite.x = width * (-0.35 + at * 1.25);
      sprite.y = height * ((this.lane[puff] ?? 0) * 1.1 - 0.05);
      sprite.alpha = Math.max(0, Math.min(1, at * 6)) * Math.max(0, Math.min(1, (1 - progress) * 3));
    }
  }

  private async fade(change: () => void): Promise<void> {
    this.train.visible = false;
    for (const puff of this.puffs) puff.visible = false;
    this.cover.alpha = 0;
    await this.clock.tween(this.cover, { alpha: 1 }, { ms: FADE_MS });
    change();
    await this.clock.tween(this.cover, { alpha: 0 }, { ms: FADE_MS });
  }
}

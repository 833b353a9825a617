import { Easing } from '@tweenjs/tween.js';
import { Container, Sprite } from 'pixi.js';
import type { Artwork } from '../art/artwork.ts';
import type { Rect } from '../boardLayout.ts';
import type { Clock } from '../clock.ts';
import type { Sparks } from '../scene/sparks.ts';
import { createWords, writeWords } from '../words.ts';

const SIDE = 320;

/**
 * The firebox shows the free spins' multiplier: the fire grows with it. It is hidden in the base
 * game.
 */
export class Gauge {
  readonly view = new Container();
  private readonly inner = new Container();
  private readonly fire: Sprite;
  private readonly flash: Sprite;
  private readonly text = createWords('amount');
  private readonly clock: Clock;
  private readonly sparks: Sparks;
  private readonly calm: boolean;
  private heat = 0;
  private emberMs = 0;

  constructor(artwork: Artwork, options: { clock: Clock; sparks: Sparks; calm: boolean }) {
    this.clock = options.clock;
    this.calm = options.calm;
    this.sparks = options.sparks;
    this.fire = new Sprite(artwork.get('soft'));
    this.fire.anchor.set(0.5);
    this.fire.blendMode = 'add';
    this.fire.tint = 0xff8a2a;
    this.flash = new Sprite(artwork.get('fx/glow'));
    this.flash.anchor.set(0.5);
    this.flash.blendMode = 'add';
    this.flash.tint = 0xffd98a;
    this.flash.alpha = 0;
    this.flash.setSize(SIDE * 2.2);
    const box = new Sprite(artwork.get('scene/firebox'));
    box.anchor.set(0.5);
    box.setSize(SIDE);
    this.inner.addChild(this.fire, box, this.text, this.flash);
    this.view.addChild(this.inner);
    this.view.visible = false;
    this.view.alpha = 0;
  }

  get x(): number {
    return this.view.x;
  }
  get y(): number {
    return this.view.y;
  }

  layout(place: Rect): void {
    this.view.position.set(place.x + place.width / 2, place.y + place.height / 2);
    this.view.scale.set(place.width / SIDE);
  }

  show(multiplier: number): void {
    writeWords(this.text, `${multiplier}×`, { width: SIDE * 0.54, height: SIDE * 0.46 });
    this.heat = Math.min(1, (multiplier - 1) / 12);
  }

  async flare(multiplier: number, signal: AbortSignal): Promise<void> {
    this.show(multiplier);
    this.flash.alpha = this.calm ? 0.4 : 1;
    this.inner.scale.set(this.calm ? 1 : 1.28);
    this.sparks.burst({
      x: this.x,
      y: this.y,
      count: 18,
      size: this.view.scale.x * 60,
      reach: this.view.scale.x * SIDE * 0.9,
    });
    await Promise.all([
      this.clock.tween(this.flash, { alpha: 0 }, { ms: 620, easing: Easing.Quadratic.Out, signal }),
      this.clock.tween(this.inner.scale, { x: 1, y: 1 }, { ms: 560, easing: Easing.Elastic.Out, signal }),
    ]);
  }

  update(deltaMs: number, timeMs: number): void {
    if (!this.view.visible) return;
    const flicker = this.calm ? 0.5 : 0.5 + 0.28 * Math.sin(timeMs / 140) + 0.22 * Math.sin(timeMs / 61);
    this.fire.alpha = 0.4 + 0.3 * this.heat + 0.16 * flicker;
    this.fire.setSize(SIDE * (1.45 + 0.35 * this.heat + 0.07 * flicker));
    this.emberMs += deltaMs;
    if (this.emberMs < 210 - 130 * this.heat) return;
    this.emberMs = 0;
    const unit = this.view.scale.x * SIDE;
    this.sparks.embers({
      x: this.x,
      y: this.y + unit * 0.1,
      width: unit * 0.5,
      count: 0.7,
      size: unit * 0.09,
      rise: unit * 0.55,
    });
  }
}

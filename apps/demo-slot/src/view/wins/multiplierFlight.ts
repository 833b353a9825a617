import { Easing } from '@tweenjs/tween.js';
import { Container, Sprite } from 'pixi.js';
import type { Position } from '../../../rules.ts';
import type { Artwork } from '../art/artwork.ts';
import type { Clock } from '../clock.ts';
import type { Picture } from '../picture.ts';

const ORBS = 15;
const FLIGHT_MS = 620;
const STAGGER_MS = 110;

/** Shows the light of a wild, on its way from the board into the firebox. */
class Orb {
  readonly view = new Container();
  fromX = 0;
  fromY = 0;
  toX = 0;
  toY = 0;
  bend = 0;
  private way = 0;

  constructor(artwork: Artwork) {
    const glow = new Sprite(artwork.get('fx/glow'));
    const core = new Sprite(artwork.get('fx/spark'));
    for (const sprite of [glow, core]) {
      sprite.anchor.set(0.5);
      sprite.blendMode = 'add';
      this.view.addChild(sprite);
    }
    glow.tint = 0x4dffd0;
    glow.setSize(2.4);
    core.setSize(1);
    this.view.visible = false;
  }

  /** Returns the part of its way, 0 to 1, on a curve. */
  get part(): number {
    return this.way;
  }
  set part(part: number) {
    this.way = part;
    const rest = 1 - part;
    const middleX = (this.fromX + this.toX) / 2;
    const middleY = Math.min(this.fromY, this.toY) - this.bend;
    this.view.x = rest * rest * this.fromX + 2 * rest * part * middleX + part * part * this.toX;
    this.view.y = rest * rest * this.fromY + 2 * rest * part * middleY + part * part * this.toY;
    this.view.rotation = part * 5;
  }
}

export class MultiplierFlight {
  readonly view = new Container();
  private readonly clock: Clock;
  private readonly picture: Picture;
  private readonly orbs: Orb[] = [];

  constructor(artwork: Artwork, options: { clock: Clock; picture: Picture }) {
    this.clock = options.clock;
    this.picture = options.picture;
    for (let index = 0; index < ORBS; index++) {
      const orb = new Orb(artwork);
      this.orbs.push(orb);
      this.view.addChild(orb.view);
    }
  }

  async fly(positions: readonly Position[], options: { signal: AbortSignal; factor: number }): Promise<void> {
    const flights = positions.slice(0, ORBS).map((position, order) => this.flyOne(position, { order, ...options }));
    await Promise.all(flights);
  }

  private async flyOne(
    position: Position,
    options: { order: number; signal: AbortSignal; factor: number },
  ): Promise<void> {
    const orb = this.orbs[options.order];
    if (orb === undefined) return;
    const { board, gauge, layout, sparks } = this.picture;
    const size = layout.symbolSize;
    orb.fromX = board.view.x + board.x(position.reel) * board.view.scale.x;
    orb.fromY = board.view.y + board.y(position.row) * board.view.scale.y;
    orb.toX = gauge.x;
    orb.toY = gauge.y;
    orb.bend = size * 0.9;
    orb.part = 0;
    orb.view.scale.set(size * 0.55);
    orb.view.visible = true;
    sparks.burst({ x: orb.fromX, y: orb.fromY, count: 12, size: size * 0.3, reach: size });
    await this.clock.tween(
      orb,
      { part: 1 },
      {
        ms: FLIGHT_MS * options.factor,
        delayMs: options.order * STAGGER_MS * options.factor,
        easing: Easing.Cubic.In,
        signal: options.signal,
      },
    );
    orb.view.visible = false;
  }
}

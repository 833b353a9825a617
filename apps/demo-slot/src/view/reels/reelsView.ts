import { Container, Graphics, Sprite, type Texture } from 'pixi.js';
import { REELS, SYMBOLS } from '../../../rules.ts';
import type { Artwork } from '../art/artwork.ts';
import { SMEAR_STRETCH } from '../art/tiles.ts';
import { CELLS } from './reelMotion.ts';
import type { ReelSchedule } from './reelSchedule.ts';

/** A symbol that is faster than this is drawn smeared, in rows a second. */
const SMEAR_SPEED = 12;
/** A symbol's picture leaves a margin in its square. */
export const SYMBOL_FILL = 0.97;

/**
 * Shows the turning reels: it has a fixed sprite for every cell. Each frame only moves them and
 * swaps their textures; nothing is created. A resting reel is not drawn here: its symbols are
 * actors then.
 */
export class ReelsView {
  readonly view = new Container();
  private readonly schedule: ReelSchedule;
  private readonly sprites: Sprite[] = [];
  private readonly sharp: Texture[] = [];
  private readonly smeared: Texture[] = [];
  /** Each sprite shows this now: symbol, plus 100 when smeared; -1 nothing yet. */
  private readonly shown = new Int16Array(REELS * CELLS).fill(-1);
  private readonly mask = new Graphics();
  private columnPitch = SYMBOL_UNITS;
  private rowPitch = SYMBOL_UNITS;
  private masked = false;

  constructor(artwork: Artwork, schedule: ReelSchedule) {
    this.schedule = schedule;
    for (const code of SYMBOLS) {
      this.sharp.push(artwork.get(`symbols/${code}`));
      this.smeared.push(artwork.get(`smeared/${code}`));
    }
    for (let place = 0; place < REELS * CELLS; place++) {
      const sprite = new Sprite(this.sharp[0]);
      sprite.anchor.set(0.5);
      sprite.visible = false;
      this.sprites.push(sprite);
      this.view.addChild(sprite);
    }
    this.mask.visible = false;
    this.view.addChild(this.mask);
  }

  /** All lengths are units of the board. */
  layout(pitch: { column: number; row: number; windowWidth: number; windowHeight: number }): void {
    this.columnPitch = pitch.column;
    this.rowPitch = pitch.row;
    this.mask
      .clear()
      .rect(-pitch.windowWidth / 2, -pitch.windowHeight / 2, pitch.windowWidth, pitch.windowHeight)
      .fill(0xffffff);
  }

  update(): void {
    const moving = this.schedule.moving;
    if (moving !== this.masked) this.setMasked(moving);
    for (let reel = 0; reel < REELS; reel++) this.updateReel(reel);
  }

  private updateReel(reel: number): void {
    const motion = this.schedule.reels[reel];
    if (motion === undefined) return;
    const turning = motion.moving;
    const x = (reel - (REELS - 1) / 2) * this.columnPitch;
    const fraction = motion.fraction;
    const smear = motion.speed > SMEAR_SPEED;
    for (let cell = 0; cell < CELLS; cell++) {
      const place = reel * CELLS + cell;
      const sprite = this.sprites[place];
      if (sprite === undefined) continue;
      sprite.visible = turning;
      if (!turning) continue;
      sprite.x = x;
      sprite.y = (cell - 2 + fraction) * this.rowPitch;
      const symbol = motion.cells[cell] ?? 0;
      const look = smear ? symbol + 100 : symbol;
      if (this.shown[place] !== look) this.dress(sprite, place, look);
    }
  }

  private dress(sprite: Sprite, place: number, look: number): void {
    this.shown[place] = look;
    const smear = look >= 100;
    const texture = smear ? this.smeared[look - 100] : this.sharp[look];
    if (texture === undefined) return;
    sprite.texture = texture;
    const width = SYMBOL_UNITS * SYMBOL_FILL;
    sprite.scale.set(width / texture.width, (smear ? width * SMEAR_STRETCH : width) / texture.height);
  }

  setMasked(masked: boolean): void {
    this.masked = masked;
    this.mask.visible = masked;
    this.view.mask = masked ? this.mask : null;
  }
}

/** A symbol has this side in the board's units. The board is scaled as a whole. */
export const SYMBOL_UNITS = 200;

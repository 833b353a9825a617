import { Container, NineSliceSprite, Sprite } from 'pixi.js';
import { type Board, type Position, REELS, ROWS } from '../../../rules.ts';
import type { Artwork } from '../art/artwork.ts';
import type { BoardLayout } from '../boardLayout.ts';
import type { Clock } from '../clock.ts';
import { LineShow } from '../wins/lineShow.ts';
import type { ReelSchedule } from './reelSchedule.ts';
import { ReelsView, SYMBOL_UNITS } from './reelsView.ts';
import { type ActorMode, SymbolActor } from './symbolActor.ts';

/** The corners and edges in the frame's picture, which is 600 wide. */
const FRAME_ART = { width: 600, corner: 92, edge: 41 };
const IDLE_EVERY_MS = 2100;

/** Shows frame, window, reels, resting symbols and win lines, in units from the window's middle. */
export class BoardView {
  readonly view = new Container();
  readonly lines: LineShow;
  readonly actors: SymbolActor[] = [];
  private readonly schedule: ReelSchedule;
  private readonly reels: ReelsView;
  private readonly columns: Sprite[] = [];
  private readonly dividers: Sprite[] = [];
  private readonly glowColumns: Sprite[] = [];
  private readonly shades: Sprite[] = [];
  private readonly frame: NineSliceSprite;
  private readonly freeFrame: NineSliceSprite;
  private readonly actorLayer = new Container();
  private pitch = { column: SYMBOL_UNITS, row: SYMBOL_UNITS, windowWidth: 1, windowHeight: 1 };
  private sinceIdleMs = 0;
  private lit = -1;

  constructor(artwork: Artwork, options: { schedule: ReelSchedule; clock: Clock; calm: boolean }) {
    this.schedule = options.schedule;
    this.reels = new ReelsView(artwork, options.schedule);
    this.lines = new LineShow(artwork, options.clock);
    for (let reel = 0; reel < REELS; reel++) {
      this.columns.push(add(this.view, new Sprite(artwork.get('barrel'))));
    }
    this.view.addChild(this.reels.view);
    // It lies over the reels: the light of the reel with anticipation falls on its symbols.
    for (let reel = 0; reel < REELS; reel++) {
      const glow = add(this.view, new Sprite(artwork.get('column')));
      glow.blendMode = 'add';
      glow.tint = 0xffb02e;
      glow.alpha = 0;
      this.glowColumns.push(glow);
    }
    for (let reel = 1; reel < REELS; reel++) {
      this.dividers.push(add(this.view, new Sprite(artwork.get('divider'))));
    }
    for (let shade = 0; shade < 2; shade++) {
      const sprite = add(this.view, new Sprite(artwork.get('shadeDown')));
      sprite.alpha = 0.72;
      this.shades.push(sprite);
    }
    this.actorLayer.sortableChildren = true;
    this.frame = nineSlice(artwork, 'ui/frame');
    this.freeFrame = nineSlice(artwork, 'ui/frameFree');
    this.freeFrame.alpha = 0;
    this.view.addChild(this.frame, this.freeFrame, this.actorLayer, this.lines.view);
    for (let place = 0; place < REELS * ROWS; place++) {
      const actor = new SymbolActor(artwork, { calm: options.calm });
      this.actors.push(actor);
      this.actorLayer.addChild(actor.view);
    }
  }

  /** 0: the brass frame of the base game, 1: the silver one of the free spins. */
  set free(free: number) {
    this.freeFrame.alpha = free;
    this.freeFrame.visible = free > 0;
  }
  get free(): number {
    return this.freeFrame.alpha;
  }

  layout(layout: BoardLayout): void {
    const scale = layout.symbolSize / SYMBOL_UNITS;
    this.view.scale.set(scale);
    this.view.position.set(layout.window.x + layout.window.width / 2, layout.window.y + layout.window.height / 2);
    const column = layout.columnPitch / scale;
    const row = layout.rowPitch / scale;
    const windowWidth = layout.window.width / scale;
    const windowHeight = layout.window.height / scale;
    this.pitch = { column, row, windowWidth, windowHeight };
    this.reels.layout(this.pitch);
    this.lines.layout(this.pitch);
    this.layoutWindow();
    const border = layout.border / scale;
    for (const frame of [this.frame, this.freeFrame]) layoutFrame(frame, { border, windowWidth, windowHeight });
    for (let place = 0; place < this.actors.length; place++) {
      this.actors[place]?.view.position.set(this.x(Math.floor(place / ROWS)), this.y(place % ROWS));
    }
  }

  x(reel: number): number {
    return (reel - (REELS - 1) / 2) * this.pitch.column;
  }
  y(row: number): number {
    return (row - (ROWS - 1) / 2) * this.pitch.row;
  }

  actor(position: Position): SymbolActor | undefined {
    return this.actors[position.reel * ROWS + position.row];
  }

  /** Shows the symbols of one reel as actors. */
  rest(reel: number, symbols: Board[number]): void {
    for (let row = 0; row < ROWS; row++) {
      const actor = this.actors[reel * ROWS + row];
      const code = symbols[row];
      if (actor === undefined || code === undefined) continue;
      actor.view.visible = true;
      actor.show(code);
    }
  }

  /** The reels turn: no actor is shown. */
  hideActors(): void {
    for (const actor of this.actors) actor.view.visible = false;
  }

  setModes(mode: (place: number) => ActorMode): void {
    for (let place = 0; place < this.actors.length; place++) {
      const actor = this.actors[place];
      if (actor === undefined) continue;
      actor.setMode(mode(place));
      actor.view.zIndex = actor.raised ? 1 : 0;
    }
  }

  /** It is for the stage's warm-up. */
  warmUp(on: boolean): void {
    this.reels.setMasked(on);
    this.lines.warmUp(on);
  }

  update(deltaMs: number, timeMs: number): void {
    this.reels.update();
    for (let place = 0; place < this.actors.length; place++) {
      const actor = this.actors[place];
      if (actor?.view.visible) actor.update(deltaMs);
    }
    this.lines.update(timeMs);
    this.updateGlow(deltaMs, timeMs);
    this.idle(deltaMs);
  }

  private updateGlow(deltaMs: number, timeMs: number): void {
    const awaited = this.schedule.anticipating;
    for (let reel = 0; reel < REELS; reel++) {
      const glow = this.glowColumns[reel];
      if (glow === undefined) continue;
      const goal = reel === awaited ? 0.72 + 0.28 * Math.sin(timeMs / 75) : 0;
      glow.alpha += (goal - glow.alpha) * Math.min(1, deltaMs / 130);
      glow.visible = glow.alpha > 0.01;
    }
  }

  /** From time to time one symbol breathes, or a sheen sweeps over the lit ones. */
  private idle(deltaMs: number): void {
    this.sinceIdleMs += deltaMs;
    if (this.sinceIdleMs < IDLE_EVERY_MS || this.schedule.moving) return;
    this.sinceIdleMs = 0;
    this.lit = (this.lit + 4 + Math.floor(Math.random() * 7)) % this.actors.length;
    const actor = this.actors[this.lit];
    if (actor?.mode !== 'rest') return;
    actor.setMode('breathe');
    for (let place = 0; place < this.actors.length; place++) {
      const other = this.actors[place];
      if (other !== undefined && other.mode !== 'dim') other.sweep();
    }
  }

  private layoutWindow(): void {
    const { column, windowWidth, windowHeight } = this.pitch;
    const edge = (windowWidth - REELS * column) / 2;
    for (let reel = 0; reel < REELS; reel++) {
      const outer = reel === 0 || reel === REELS - 1 ? edge : 0;
      const left = this.x(reel) - column / 2 - (reel === 0 ? outer : 0);
      for (const sprite of [this.columns[reel], this.glowColumns[reel]]) {
        sprite?.position.set(left, -windowHeight / 2);
        sprite?.setSize(column + outer, windowHeight);
      }
    }
    this.dividers.forEach((divider, index) => {
      divider.setSize(7, windowHeight);
      divider.position.set(this.x(index) + column / 2 - 3.5, -windowHeight / 2);
    });
    const [top, bottom] = this.shades;
    top?.position.set(-windowWidth / 2, -windowHeight / 2);
    top?.setSize(windowWidth, SYMBOL_UNITS * 0.42);
    bottom?.position.set(-windowWidth / 2, windowHeight / 2);
    bottom?.setSize(windowWidth, SYMBOL_UNITS * 0.42);
    if (bottom !== undefined) bottom.scale.y = -Math.abs(bottom.scale.y);
  }
}

function add(parent: Container, sprite: Sprite): Sprite {
  parent.addChild(sprite);
  return sprite;
}

function nineSlice(artwork: Artwork, name: string): NineSliceSprite {
  const texture = artwork.get(name);
  const corner = (texture.width * FRAME_ART.corner) / FRAME_ART.width;
  return new NineSliceSprite({
    texture,
    leftWidth: corner,
    rightWidth: corner,
    topHeight: corner,
    bottomHeight: corner,
  });
}

function layoutFrame(
  frame: NineSliceSprite,
  size: { border: number; windowWidth: number; windowHeight: number },
): void {
  const edge = (frame.texture.width * FRAME_ART.edge) / FRAME_ART.width;
  const scale = size.border / edge;
  const outer = size.border * 1.08;
  frame.scale.set(scale);
  // A nine-slice sprite is sized before it is scaled.
  frame.setSize((size.windowWidth + 2 * outer) / scale, (size.windowHeight + 2 * outer) / scale);
  frame.position.set(-size.windowWidth / 2 - outer, -size.windowHeight / 2 - outer);
}

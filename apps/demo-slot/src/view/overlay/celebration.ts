import { Easing } from '@tweenjs/tween.js';
import { Container, Sprite } from 'pixi.js';
import type { AudioPort, Celebration, Cue, Showing, WinTier } from '../../game/ports.ts';
import type { Artwork } from '../art/artwork.ts';
import type { BoardLayout, Rect } from '../boardLayout.ts';
import type { Clock } from '../clock.ts';
import { Sparks } from '../scene/sparks.ts';
import { celebrationTimes, countCurve, countedMicros, SKIPPED_HOLD_MS } from '../times.ts';
import { createWords, writeTitle, writeWords } from '../words.ts';

type Look = { readonly cue: Cue; readonly light: number; readonly rays: number; readonly coins: number };

const LOOKS: Readonly<Record<Exclude<WinTier, 'win'>, Look>> = {
  big: { cue: 'bigWin', light: 0x2ff3c3, rays: 0x58ffd0, coins: 16 },
  mega: { cue: 'megaWin', light: 0x7a5bff, rays: 0xffb84a, coins: 26 },
  epic: { cue: 'epicWin', light: 0xff5fd2, rays: 0xffc65a, coins: 38 },
  max: { cue: 'epicWin', light: 0xffb347, rays: 0xffe08a, coins: 48 },
};

/** The large amount is repainted no faster, because nobody can read faster. */
const WRITE_EVERY_MS = 33;
const PARTICLES = { solid: 160, light: 110 };
const CALM_SHARE = 0.2;

/**
 * Counts a win up: on a plaque over the reels, or across the whole screen with rays, coins and
 * embers.
 */
export class CelebrationView {
  readonly view = new Container();
  private readonly clock: Clock;
  private readonly audio: AudioPort;
  private readonly sparks: Sparks;
  private readonly calm: boolean;
  private readonly shade: Sprite;
  private readonly light: Sprite;
  private readonly rays: Sprite;
  private readonly raysBack: Sprite;
  private readonly plaque: Sprite;
  private readonly title = createWords('title');
  private readonly amount = createWords('amount');
  private readonly note = createWords('note');
  private readonly panel = new Container();
  private layoutNow: BoardLayout | undefined;
  private free: Rect = { x: 0, y: 0, width: 1, height: 1 };
  private look: Look | undefined;
  private amountRoom = { width: 1, height: 1 };
  private coinShare = 0;
  private timeMs = 0;

  constructor(artwork: Artwork, options: { clock: Clock; audio: AudioPort; calm: boolean }) {
    this.clock = options.clock;
    this.audio = options.audio;
    // Coins rise behind the amount, so that it stays readable.
    this.sparks = new Sparks(artwork, PARTICLES);
    this.sparks.setShare(options.calm ? CALM_SHARE : 1);
    this.calm = options.calm;
    this.shade = new Sprite(artwork.get('white'));
    this.shade.tint = 0x03041a;
    this.shade.alpha = 0.84;
    this.light = middle(artwork, 'soft');
    this.rays = middle(artwork, 'sunburst');
    this.raysBack = middle(artwork, 'sunburst');
    this.plaque = new Sprite(artwork.get('ui/plaque'));
    this.plaque.anchor.set(0.5);
    this.panel.addChild(this.plaque, this.amount, this.title, this.note);
    this.view.addChild(this.shade, this.light, this.raysBack, this.rays, this.sparks.view, this.panel);
    this.view.visible = false;
  }

  layout(layout: BoardLayout, free: Rect): void {
    this.layoutNow = layout;
    this.free = free;
    this.shade.setSize(layout.width, layout.height);
    if (this.view.visible) this.place();
  }

  async show(win: Celebration, showing: Showing): Promise<void> {
    if (showing.pace === 'instant') {
      win.onCount(win.toMicros);
      return;
    }
    this.look = win.tier === 'win' ? undefined : LOOKS[win.tier];
    this.entitle(win);
    writeWords(this.amount, win.write(win.toMicros), { width: 1, height: 1 });
    this.place();
    this.open();
    if (this.look !== undefined) this.audio.play(this.look.cue);
    this.audio.play('winCount');
    await this.count(win, showing);
    this.audio.stop('winCount');
    this.audio.play('winCountEnd');
    await this.rest(win.tier, showing);
    await this.close(showing);
  }

  update(deltaMs: number): void {
    if (!this.view.visible || this.look === undefined || this.layoutNow === undefined) return;
    this.timeMs += deltaMs;
    const turn = this.calm ? 0.15 : 1;
    this.rays.rotation += (deltaMs / 9000) * turn;
    this.raysBack.rotation -= (deltaMs / 14000) * turn;
    this.rays.alpha = 0.3 + 0.06 * Math.sin(this.timeMs / 320);
    this.light.alpha = 0.55 + 0.1 * Math.sin(this.timeMs / 410);
    const { width, height } = this.layoutNow;
    const perFrame = (this.look.coins * this.coinShare * deltaMs) / 1000;
    const size = Math.min(width, height) * 0.085;
    this.sparks.coins({ x: width / 2, y: height + size, width: width * 0.8, count: perFrame, size, height });
    this.sparks.embers({
      x: width / 2,
      y: height,
      width,
      count: perFrame * 0.5,
      size: size * 0.4,
      rise: height * 0.42,
    });
    this.sparks.update(deltaMs);
  }

  setShare(share: number): void {
    this.sparks.setShare(this.calm ? CALM_SHARE : share);
  }

  private entitle(win: Celebration): void {
    writeTitle(this.title, this.look === undefined ? '' : (win.title ?? ''));
    writeWords(this.note, this.look === undefined ? '' : (win.note ?? ''), { width: 1, height: 1 });
  }

  /** Sizes everything for the current layout, also when the device turns during a celebration. */
  private place(): void {
    const { layoutNow: layout, free } = this;
    if (layout === undefined) return;
    const great = this.look !== undefined;
    for (const sprite of [this.shade, this.light, this.rays, this.raysBack, this.title]) sprite.visible = great;
    if (great) this.placeGreat(layout, free);
    else this.placeSmall(layout);
  }

  private placeGreat(layout: BoardLayout, free: Rect): void {
    const centreX = layout.width / 2;
    const centreY = free.y + free.height * 0.5;
    const upright = layout.kind === 'portrait';
    const width = Math.min(free.width * (upright ? 0.99 : 0.94), free.height * 1.5, Math.max(1100, free.height * 1.35));
    // In portrait there is height left, so the letters are larger.
    const unit = (width / 10) * (upright ? 1.3 : 1);
    this.panel.position.set(centreX, centreY);
    this.plaque.setSize(width * 0.96, (width * 0.96 * 180) / 800);
    this.plaque.position.set(0, unit * 0.95);
    this.amountRoom = { width: width * 0.66, height: (width / 10) * 1.8 };
    writeWords(this.amount, this.amount.text, this.amountRoom);
    this.amount.position.set(0, unit * 0.95);
    writeWords(this.title, this.title.text, { width: width * 0.96, height: unit * 2.1 });
    this.title.position.set(0, -unit * 1.15);
    writeWords(this.note, this.note.text, { width: width * 0.9, height: (width / 10) * (upright ? 0.62 : 0.46) });
    this.note.position.set(0, unit * 0.95 + (width / 10) * 1.5);
    const reach = Math.hypot(layout.width, layout.height) * 1.15;
    this.rays.setSize(reach);
    this.raysBack.setSize(reach * 0.9);
    this.raysBack.alpha = 0.16;
    this.light.setSize(width * 1.9, width * 1.25);
    for (const sprite of [this.rays, this.raysBack, this.light]) sprite.position.set(centreX, centreY);
    this.rays.tint = this.look?.rays ?? 0xffffff;
    this.raysBack.tint = this.look?.light ?? 0xffffff;
    this.light.tint = this.look?.light ?? 0xffffff;
  }

  /** The place is the lower row, so that most of the winning symbols stay visible. */
  private placeSmall(layout: BoardLayout): void {
    const { window } = layout;
    const width = Math.min(window.width * 0.62, layout.symbolSize * 3.4);
    const height = (width * 180) / 800;
    this.panel.position.set(window.x + window.width / 2, window.y + window.height - height * 0.46);
    this.plaque.setSize(width, height);
    this.plaque.position.set(0, 0);
    this.amountRoom = { width: width * 0.66, height: height * 0.9 };
    writeWords(this.amount, this.amount.text, this.amountRoom);
    this.amount.position.set(0, 0);
  }

  private open(): void {
    this.view.visible = true;
    this.view.alpha = 0;
    this.coinShare = 1;
    this.panel.scale.set(this.calm ? 1 : 0.55);
    void this.clock.tween(this.view, { alpha: 1 }, { ms: 220 });
    void this.clock.tween(this.panel.scale, { x: 1, y: 1 }, { ms: 460, easing: Easing.Back.Out });
    if (this.look === undefined) return;
    this.sparks.burst({
      x: this.panel.x,
      y: this.panel.y,
      count: 46,
      size: this.free.height * 0.09,
      reach: this.free.height * 0.6,
    });
  }

  private async count(win: Celebration, showing: Showing): Promise<void> {
    const { countMs } = celebrationTimes(win.tier, showing.pace);
    const { clock } = this;
    let lastMs = Number.NEGATIVE_INFINITY;
    let counted = win.fromMicros;
    const step = (part: number) => {
      if (clock.nowMs - lastMs < WRITE_EVERY_MS && part < 1) return;
      lastMs = clock.nowMs;
      const micros = countedMicros({ ...win, progress: part >= 1 ? 1 : countCurve(part) });
      if (micros === counted && part < 1) return;
      counted = micros;
      this.write(win, micros);
    };
    this.write(win, win.fromMicros);
    await clock.tween(new Progress(step), { part: 1 }, { ms: countMs, signal: showing.skipped });
    this.write(win, win.toMicros);
  }

  private write(win: Celebration, micros: number): void {
    win.onCount(micros);
    // The size fits the last amount, so that the digits do not shrink when more of them come in.
    this.amount.text = win.write(micros);
  }

  private async rest(tier: WinTier, showing: Showing): Promise<void> {
    this.coinShare = 0.35;
    if (!this.calm && this.look !== undefined) {
      this.amount.scale.set(this.amount.scale.x * 1.12);
      const goal = this.amount.scale.x / 1.12;
      void this.clock.tween(this.amount.scale, { x: goal, y: goal }, { ms: 420, easing: Easing.Elastic.Out });
    }
    const { holdMs } = celebrationTimes(tier, showing.pace);
    if (!showing.skipped.aborted) await this.clock.wait(holdMs, showing.skipped);
    if (showing.skipped.aborted && tier !== 'win') await this.clock.wait(SKIPPED_HOLD_MS);
  }

  private async close(showing: Showing): Promise<void> {
    this.coinShare = 0;
    await this.clock.tween(this.view, { alpha: 0 }, { ms: showing.skipped.aborted ? 120 : 260 });
    this.view.visible = false;
    this.look = undefined;
    this.sparks.clear();
  }
}

/** A value to tween that reports each change. */
class Progress {
  private value = 0;
  private readonly onStep: (part: number) => void;

  constructor(onStep: (part: number) => void) {
    this.onStep = onStep;
  }
  get part(): number {
    return this.value;
  }
  set part(part: number) {
    this.value = part;
    this.onStep(part);
  }
}

function middle(artwork: Artwork, name: string): Sprite {
  const sprite = new Sprite(artwork.get(name));
  sprite.anchor.set(0.5);
  sprite.blendMode = 'add';
  return sprite;
}

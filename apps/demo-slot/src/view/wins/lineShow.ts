import { Easing } from '@tweenjs/tween.js';
import { Container, Sprite, type Text } from 'pixi.js';
import { LINES, type LineWin, REELS } from '../../../rules.ts';
import type { Showing } from '../../game/ports.ts';
import type { Artwork } from '../art/artwork.ts';
import type { Clock } from '../clock.ts';
import { SYMBOL_UNITS } from '../reels/reelsView.ts';
import { lineShowTimes } from '../times.ts';
import { createWords, writeWords } from '../words.ts';
import { spreadApart } from './lineNumbers.ts';
import { LineRibbon } from './lineRibbon.ts';

export type BoardPitch = {
  readonly column: number;
  readonly row: number;
  readonly windowWidth: number;
  readonly windowHeight: number;
};

const PLAQUE_SIZE = 58;
/** Numbers of many lines at once shrink to this and then overlap. */
const SMALLEST_PLAQUE = 34;

/** Draws the lines that pay from the left with their numbers, then shows each with what it pays. */
export class LineShow {
  readonly view = new Container();
  private readonly clock: Clock;
  private readonly ribbons: LineRibbon[] = [];
  private readonly numbers: { view: Container; text: Text }[] = [];
  private readonly amount = createWords('amount');
  private readonly amountBack: Sprite;
  private readonly amountView = new Container();
  private pitch: BoardPitch = { column: SYMBOL_UNITS, row: SYMBOL_UNITS, windowWidth: 1, windowHeight: 1 };

  constructor(artwork: Artwork, clock: Clock) {
    this.clock = clock;
    const plaques = new Container();
    for (let line = 0; line < LINES.length; line++) {
      const ribbon = new LineRibbon();
      this.ribbons.push(ribbon);
      this.view.addChild(ribbon.view);
      const plaque = numberPlaque(artwork, line + 1);
      this.numbers.push(plaque);
      plaques.addChild(plaque.view);
    }
    this.amountBack = new Sprite(artwork.get('soft'));
    this.amountBack.anchor.set(0.5);
    this.amountBack.tint = 0x03051a;
    this.amountView.addChild(this.amountBack, this.amount);
    this.amountView.visible = false;
    this.view.addChild(plaques, this.amountView);
  }

  layout(pitch: BoardPitch): void {
    this.pitch = pitch;
  }

  /** `highlight` gets the lines on the screen, so that their symbols move. */
  async show(
    wins: readonly LineWin[],
    write: (win: LineWin) => string,
    options: { showing: Showing; highlight: (shown: readonly LineWin[]) => void },
  ): Promise<void> {
    const { showing, highlight } = options;
    const { pace, skipped } = showing;
    const times = lineShowTimes(wins.length, pace);
    highlight(wins);
    const single = wins.length === 1 ? wins[0] : undefined;
    if (single !== undefined) {
      this.writeAmount(single, write(single));
      this.popAmount();
    }
    this.placeNumbers(wins);
    await Promise.all(wins.map((win, order) => this.draw(win, { order, times, skipped })));
    await this.clock.wait(times.allMs, skipped);
    if (times.eachMs > 0 && wins.length > 1) {
      for (const win of wins) {
        if (skipped.aborted) break;
        this.only(win);
        highlight([win]);
        this.writeAmount(win, write(win));
        this.popAmount();
        await this.clock.wait(times.eachMs, skipped);
      }
    }
    highlight(wins);
    await this.fadeOut(skipped);
  }

  /** Shows one drawn line. Nothing waits, so a slow machine draws few frames. */
  showAlone(win: LineWin, words: string, { calm }: { calm: boolean }): void {
    const ribbon = this.ribbons[win.line - 1];
    if (ribbon === undefined) return;
    this.placeNumbers([win]);
    this.trace(ribbon, win);
    ribbon.progress = 1;
    this.only(win);
    this.writeAmount(win, words);
    if (calm) this.amountView.scale.set(1);
    else this.popAmount();
  }

  /** Shows all of them drawn, without what they pay. */
  mark(wins: readonly LineWin[]): void {
    this.placeNumbers(wins);
    for (const win of wins) {
      const ribbon = this.ribbons[win.line - 1];
      if (ribbon === undefined) continue;
      this.trace(ribbon, win);
      ribbon.progress = 1;
      ribbon.strength = 1;
    }
  }

  /** Draws one ribbon before the game is visible, so that its shader is compiled. */
  warmUp(on: boolean): void {
    const [ribbon] = this.ribbons;
    if (ribbon !== undefined) ribbon.strength = on ? 1 : 0;
  }

  clear(): void {
    for (const ribbon of this.ribbons) ribbon.strength = 0;
    for (const number of this.numbers) number.view.visible = false;
    this.amountView.visible = false;
  }

  update(timeMs: number): void {
    for (let line = 0; line < this.ribbons.length; line++) this.ribbons[line]?.update(timeMs);
  }

  /** Places numbers beside the row in which a line begins, apart from each other. */
  private placeNumbers(wins: readonly LineWin[]): void {
    const { row, windowWidth, windowHeight } = this.pitch;
    const rowsOf = ({ line }: LineWin) => LINES[line - 1] ?? [];
    const sorted = [...wins].sort((one, other) => byRows(rowsOf(one), rowsOf(other)));
    const reach = (windowHeight - PLAQUE_SIZE) / 2;
    const places = spreadApart(
      sorted.map((win) => ((rowsOf(win)[0] ?? 1) - 1) * row),
      { spacing: PLAQUE_SIZE + 2, from: -reach, to: reach },
    );
    const pitch = Math.min(PLAQUE_SIZE, (2 * reach) / Math.max(1, wins.length - 1));
    const scale = Math.max(SMALLEST_PLAQUE, pitch) / PLAQUE_SIZE;
    for (const [order, { line }] of sorted.entries()) {
      const number = this.numbers[line - 1];
      number?.view.position.set(-windowWidth / 2 - 4, places[order] ?? 0);
      number?.view.scale.set(scale);
    }
  }

  private async draw(
    win: LineWin,
    step: { order: number; times: { drawMs: number; staggerMs: number }; skipped: AbortSignal },
  ): Promise<void> {
    const ribbon = this.ribbons[win.line - 1];
    if (ribbon === undefined) return;
    this.trace(ribbon, win);
    ribbon.progress = 0;
    ribbon.strength = 1;
    await this.clock.tween(
      ribbon,
      { progress: 1 },
      {
        ms: step.times.drawMs,
        delayMs: step.order * step.times.staggerMs,
        easing: Easing.Quadratic.Out,
        signal: step.skipped,
      },
    );
  }

  /** The ribbon runs from the line's number through the symbols that pay. */
  private trace(ribbon: LineRibbon, win: LineWin): void {
    const { column, row, windowWidth } = this.pitch;
    const rows = LINES[win.line - 1] ?? [];
    const number = this.numbers[win.line - 1];
    if (number === undefined) return;
    const xs = [-windowWidth / 2 + 6];
    const ys = [number.view.y];
    for (let reel = 0; reel < win.count; reel++) {
      xs.push((reel - (REELS - 1) / 2) * column);
      ys.push(((rows[reel] ?? 1) - 1) * row);
    }
    // The line ends a little past the last symbol, so that it crosses it.
    const last = xs.length - 1;
    xs.push((xs[last] ?? 0) + column * 0.34);
    ys.push(ys[last] ?? 0);
    ribbon.trace(xs, ys, (win.line * 0.137) % 1);
    number.view.visible = true;
    number.view.alpha = 1;
  }

  private only(win: LineWin): void {
    for (let line = 0; line < this.ribbons.length; line++) {
      const ribbon = this.ribbons[line];
      const number = this.numbers[line];
      if (ribbon === undefined || number === undefined) continue;
      const shown = line === win.line - 1;
      ribbon.strength = shown ? 1 : 0;
      number.view.visible = shown;
    }
  }

  private writeAmount(win: LineWin, words: string): void {
    const middle = win.positions[Math.floor((win.positions.length - 1) / 2)];
    const { column, row } = this.pitch;
    writeWords(this.amount, words, { width: column * 2.8, height: SYMBOL_UNITS * 0.74 });
    const width = this.amount.width;
    this.amountBack.setSize(width * 1.5 + 60, SYMBOL_UNITS * 0.75);
    this.amountBack.alpha = 0.85;
    const x = ((middle?.reel ?? 2) - (REELS - 1) / 2) * column;
    const edge = this.pitch.windowWidth / 2 - width / 2;
    this.amountView.position.set(Math.min(edge, Math.max(-edge, x)), ((middle?.row ?? 1) - 1) * row + row * 0.22);
    this.amountView.visible = true;
    this.amountView.alpha = 1;
  }

  private popAmount(): void {
    this.amountView.scale.set(0.7);
    void this.clock.tween(this.amountView.scale, { x: 1, y: 1 }, { ms: 260, easing: Easing.Back.Out });
  }

  private async fadeOut(skipped: AbortSignal): Promise<void> {
    const ms = 180;
    const fading: Promise<void>[] = [this.clock.tween(this.amountView, { alpha: 0 }, { ms, signal: skipped })];
    for (const ribbon of this.ribbons) {
      if (ribbon.view.visible) fading.push(this.clock.tween(ribbon, { strength: 0 }, { ms, signal: skipped }));
    }
    for (const { view } of this.numbers) {
      if (view.visible) fading.push(this.clock.tween(view, { alpha: 0 }, { ms, signal: skipped }));
    }
    await Promise.all(fading);
    this.clear();
  }
}

/** Sorts lines from the highest on the first reel to the lowest, then by the next reels. */
function byRows(one: readonly number[], other: readonly number[]): number {
  const reel = one.findIndex((row, place) => row !== other[place]);
  return reel < 0 ? 0 : (one[reel] ?? 0) - (other[reel] ?? 0);
}

function numberPlaque(artwork: Artwork, line: number): { view: Container; text: Text } {
  const view = new Container();
  const back = new Sprite(artwork.get('medal'));
  back.anchor.set(0.5);
  back.setSize(PLAQUE_SIZE);
  const text = createWords('plain');
  writeWords(text, String(line), { width: PLAQUE_SIZE * 0.82, height: PLAQUE_SIZE * 0.78 });
  view.addChild(back, text);
  view.visible = false;
  return { view, text };
}

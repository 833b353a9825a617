import { Container, Graphics } from 'pixi.js';
import { type Board, LINES, type LineWin, REELS, ROWS, type SymbolCode } from '../math/rules.ts';
import { Reel } from './reel.ts';
import { createScene } from './scene.ts';
import { CELL, drawSymbols } from './symbols.ts';
import type { Texts } from './texts.ts';

const GAP = 10;
const FRAME = 26;
const WIDTH = REELS * CELL + (REELS - 1) * GAP;
/** On a tall page the rows are this much higher than the symbols, at most. */
const TALLEST_ROW = 1.8 * CELL;
/** The reels turn at least this long, and each stops this much later than the one before. */
const TURN_MS = 450;
const BETWEEN_STOPS_MS = 130;
const PULSE_MS = 3000;
const LINE_COLORS = ['#ffd34d', '#4dd2ff', '#ff6b8b', '#7dff8a', '#c78bff'];

export type Stage = {
  turn(): void;
  /** Stops the reels on the board, one after the other; they may turn already or not. */
  land(board: Board, onReel: () => void): Promise<void>;
  /** Ends the landing without motion. */
  landNow(): void;
  /** Shows the board that was there before the reels turned. */
  rest(): void;
  /** The line stays until `clearWins`, and pulses when it is celebrated. */
  showWin(win: LineWin, options: { isCelebrated: boolean }): void;
  clearWins(): void;
  /** All moves this many times as fast. */
  setTempo(tempo: number): void;
  announce(text: string): void;
  picture(symbol: SymbolCode): HTMLCanvasElement;
};

export async function createStage(element: HTMLElement, texts: Texts): Promise<Stage> {
  const scene = await createScene(element);
  const { app, show, announce, wake } = scene;
  const textures = drawSymbols(app.renderer, texts.wild);
  const reels = Array.from({ length: REELS }, (_, place) => {
    const reel = new Reel(textures);
    reel.x = FRAME + place * (CELL + GAP);
    reel.y = FRAME;
    return reel;
  });
  const frame = new Graphics();
  const lines = new Container({ position: { x: FRAME, y: FRAME } });
  const wins: LineWin[] = [];
  let rowHeight = CELL;
  /** The lines still pulse for this time. */
  let pulseMs = 0;

  show({
    root: new Container({ children: [frame, ...reels, lines] }),
    arrange(aspect) {
      const width = WIDTH + 2 * FRAME;
      rowHeight = Math.max(CELL, Math.min(TALLEST_ROW, (aspect * width - 2 * FRAME) / ROWS));
      const height = ROWS * rowHeight + 2 * FRAME;
      drawFrame(frame, width, height);
      for (const reel of reels) reel.setRowHeight(rowHeight);
      drawWins();
      return { width, height };
    },
    update(ms) {
      const turning = reels.filter((reel) => reel.update(ms));
      pulseMs = Math.max(0, pulseMs - ms);
      lines.alpha = pulseMs > 0 ? 0.75 + 0.25 * Math.sin(pulseMs / 130) : 1;
      return turning.length > 0 || pulseMs > 0;
    },
  });

  function drawWins(): void {
    for (const drawn of lines.removeChildren()) drawn.destroy();
    for (const win of wins) lines.addChild(drawnLine(win, rowHeight));
    wake();
  }

  let turningSince: number | undefined;
  let target: Board | undefined;
  let landed: Board | undefined;
  let before: Board | undefined;
  let tempo = 1;
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms / tempo));

  const turn = () => {
    if (turningSince !== undefined) return;
    before = landed;
    turningSince = performance.now();
    for (const reel of reels) reel.turn();
    wake();
  };
  const landNow = () => {
    if (target === undefined) return;
    for (const [place, reel] of reels.entries()) reel.show(target[place] ?? []);
    landed = target;
    target = undefined;
    turningSince = undefined;
    wake();
  };
  const clearWins = () => {
    wins.length = 0;
    drawWins();
  };

  return {
    turn,
    landNow,
    clearWins,
    announce,
    setTempo(next) {
      tempo = next;
      scene.setTempo(next);
    },
    rest() {
      clearWins();
      for (const reel of reels) reel.halt();
      turningSince = undefined;
      target = before;
      landNow();
    },
    async land(shown, onReel) {
      turn();
      target = shown;
      await sleep(Math.max(0, (turningSince ?? 0) + TURN_MS - performance.now()));
      for (const [place, reel] of reels.entries()) {
        if (target !== shown) return;
        const stopped = reel.stop(shown[place] ?? []);
        if (place === REELS - 1) await stopped;
        else await sleep(BETWEEN_STOPS_MS);
        if (target === shown) onReel();
      }
      landNow();
    },
    showWin(win, { isCelebrated }) {
      pulseMs = isCelebrated ? PULSE_MS : 0;
      wins.push(win);
      drawWins();
    },
    picture: (symbol) => app.renderer.extract.canvas(textures[symbol]) as HTMLCanvasElement,
  };
}

/** Frames and joins the cells of the line that pay. */
function drawnLine({ line, count }: LineWin, rowHeight: number): Graphics {
  const rows = (LINES[line] ?? []).slice(0, count);
  const color = LINE_COLORS[line % LINE_COLORS.length] as string;
  const points = rows.map((row, reel) => ({ x: reel * (CELL + GAP) + CELL / 2, y: (row + 0.5) * rowHeight }));
  const drawn = new Graphics();
  for (const { x, y } of points) {
    drawn.roundRect(x - CELL / 2 + 4, y - CELL / 2 + 4, CELL - 8, CELL - 8, 18).stroke({ width: 6, color });
  }
  for (const [place, { x, y }] of points.entries()) {
    if (place === 0) drawn.moveTo(x, y);
    else drawn.lineTo(x, y);
  }
  return drawn.stroke({ width: 8, color, alpha: 0.55, cap: 'round', join: 'round' });
}

function drawFrame(drawn: Graphics, width: number, height: number): void {
  drawn.clear();
  drawn
    .roundRect(4, 4, width - 8, height - 8, 34)
    .fill('#0b1026')
    .stroke({ width: 8, color: '#d8a842' });
  drawn.roundRect(12, 12, width - 24, height - 24, 27).stroke({ width: 2, color: '#7c5b17' });
  for (let reel = 0; reel < REELS; reel += 1) {
    const x = FRAME + reel * (CELL + GAP);
    drawn.roundRect(x, FRAME, CELL, height - 2 * FRAME, 16).fill(reel % 2 === 0 ? '#19224a' : '#1d2857');
  }
}

import { Application, Container, Graphics, Text } from 'pixi.js';
import { type Board, LINES, type LineWin, REELS, ROWS } from '../math/rules.ts';
import { Reel } from './reel.ts';
import { CELL, drawSymbols } from './symbols.ts';

const GAP = 10;
const WIDTH = REELS * CELL + (REELS - 1) * GAP;
const HEIGHT = ROWS * CELL;
const FRAME = 26;
/** How long the reels turn at least, and how much later each of them stops than the one before. */
const TURN_MS = 450;
const BETWEEN_STOPS_MS = 130;
const LINE_COLORS = ['#ffd34d', '#4dd2ff', '#ff6b8b', '#7dff8a', '#c78bff'];

export type Stage = {
  turn(): void;
  /** Stops the reels on the board, at once when `isInstant`; they may turn already or not. */
  land(board: Board, onReel: () => void): Promise<void>;
  /** Ends the landing without motion. */
  landNow(): void;
  /** Stops without a result, on the board that was there before. */
  rest(): void;
  /** The line stays until `clearWins`, and pulses when it is celebrated. */
  showWin(win: LineWin, options: { isCelebrated: boolean }): void;
  clearWins(): void;
  /** Large letters over the board, for a moment. */
  announce(text: string): void;
};

export async function createStage(element: HTMLElement, texts: { wild: string }): Promise<Stage> {
  const app = new Application();
  await app.init({
    resizeTo: element,
    backgroundAlpha: 0,
    antialias: true,
    autoDensity: true,
    resolution: Math.min(2, devicePixelRatio),
  });
  element.append(app.canvas);
  new ResizeObserver(() => app.resize()).observe(element);

  const textures = drawSymbols(app.renderer, texts.wild);
  const reels = Array.from({ length: REELS }, (_, place) => {
    const reel = new Reel(textures);
    reel.x = place * (CELL + GAP);
    return reel;
  });
  const lines = new Container();
  const words = announcement();
  const board = new Container({ children: [frame(), ...reels, lines, words] });
  app.stage.addChild(board);

  const scaleToPage = () => {
    const { width, height } = app.screen;
    const scale = Math.min(width / (WIDTH + 3 * FRAME), height / (HEIGHT + 3 * FRAME));
    board.scale.set(scale);
    board.position.set((width - WIDTH * scale) / 2, (height - HEIGHT * scale) / 2);
  };
  app.renderer.on('resize', scaleToPage);
  scaleToPage();

  let clock = 0;
  let turningSince: number | undefined;
  let target: Board | undefined;
  let landed: Board | undefined;
  let pulses = false;
  app.ticker.add(({ elapsedMS }) => {
    clock += elapsedMS;
    for (const reel of reels) reel.update(elapsedMS);
    lines.alpha = pulses ? 0.75 + 0.25 * Math.sin(clock / 130) : 1;
    words.alpha = Math.max(0, words.alpha - elapsedMS / 2200);
    words.scale.set(1.25 - 0.25 * words.alpha);
  });
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  const turn = () => {
    if (turningSince !== undefined) return;
    turningSince = performance.now();
    for (const reel of reels) reel.turn();
  };
  const landNow = () => {
    if (target === undefined) return;
    for (const [place, reel] of reels.entries()) reel.show(target[place] ?? []);
    landed = target;
    target = undefined;
    turningSince = undefined;
  };

  return {
    turn,
    landNow,
    rest() {
      target = landed;
      for (const reel of reels) reel.halt();
      turningSince = undefined;
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
    showWin({ line, count }, { isCelebrated }) {
      pulses = isCelebrated;
      const rows = (LINES[line] ?? []).slice(0, count);
      const color = LINE_COLORS[line % LINE_COLORS.length] as string;
      const points = rows.map((row, reel) => ({ x: reel * (CELL + GAP) + CELL / 2, y: row * CELL + CELL / 2 }));
      const drawn = new Graphics();
      for (const { x, y } of points) {
        drawn.roundRect(x - CELL / 2 + 4, y - CELL / 2 + 4, CELL - 8, CELL - 8, 18).stroke({ width: 6, color });
      }
      for (const [place, { x, y }] of points.entries()) {
        if (place === 0) drawn.moveTo(x, y);
        else drawn.lineTo(x, y);
      }
      lines.addChild(drawn.stroke({ width: 8, color, alpha: 0.55, cap: 'round', join: 'round' }));
    },
    clearWins() {
      for (const drawn of lines.removeChildren()) drawn.destroy();
    },
    announce(text) {
      words.text = text;
      words.alpha = 1.4;
    },
  };
}

function frame(): Graphics {
  const drawn = new Graphics();
  const [x, y, width, height] = [-FRAME, -FRAME, WIDTH + 2 * FRAME, HEIGHT + 2 * FRAME];
  drawn.roundRect(x, y, width, height, 34).fill('#0b1026').stroke({ width: 8, color: '#d8a842' });
  drawn.roundRect(x + 8, y + 8, width - 16, height - 16, 27).stroke({ width: 2, color: '#7c5b17' });
  for (let reel = 0; reel < REELS; reel += 1) {
    drawn.roundRect(reel * (CELL + GAP), 0, CELL, HEIGHT, 16).fill(reel % 2 === 0 ? '#19224a' : '#1d2857');
  }
  return drawn;
}

function announcement(): Text {
  const words = new Text({
    style: {
      fontFamily: 'system-ui, sans-serif',
      fontWeight: '900',
      fontSize: 96,
      fill: '#fff3c4',
      stroke: { color: '#8a2b00', width: 14, join: 'round' },
    },
  });
  words.anchor.set(0.5);
  words.position.set(WIDTH / 2, HEIGHT / 2);
  words.alpha = 0;
  return words;
}

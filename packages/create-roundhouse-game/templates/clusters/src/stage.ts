import { Container, Graphics, NineSliceSprite, type Text, type Texture } from 'pixi.js';
import { type Board, type Cell, type ClusterWin, COLUMNS, ROWS, SYMBOLS, type SymbolCode } from '../math/rules.ts';
import { drawArt, SCALE, type Size, sharpTexture } from './art.ts';
import { Bubbles } from './bubbles.ts';
import { Grid } from './grid.ts';
import { createLadder, GAP } from './ladder.ts';
import { createScene } from './scene.ts';
import { CELL, drawSymbols, pictureOf } from './symbols.ts';
import { BAND, WinBand } from './winBand.ts';
import { goldText } from './words.ts';

const BOARD = { width: COLUMNS * CELL, height: ROWS * CELL };
const FRAME = 22;
/** How far the corals of the frame's corners stand out. */
const CORALS = 14;
/** A corner of the frame's picture; what lies between corners is stretched. */
const FRAME_ART = { side: 400, corner: 130 };
/** The band lies on the frame and below it, even while it swells, so that no symbol is covered. */
const BAND_AWAY = 8;
const BELOW = BAND_AWAY + BAND.height - FRAME + 4;
/** The ladder of multipliers is above the board, or on its left if the page is wide. */
const LADDER = 84;
const LARGEST_LADDER = 132;
const SWELL_MS = 420;
const WIN_RISE_MS = 900;

type ShownWins = { isCelebrated: boolean; textOf: (win: number) => string; sum: number };

export type Stage = {
  readonly grid: Grid;
  readonly board: Board;
  /** Shows how many tumbles the round has had. */
  setTumbles(count: number): void;
  /** Frames the clusters, tells what each pays, and adds it to the round's win. */
  showWins(wins: readonly ClusterWin[], shown: ShownWins): void;
  clearWins(): void;
  /** Takes away what the round has won. */
  clearBand(): void;
  /** All moves this many times as fast. */
  setTempo(tempo: number): void;
  picture(symbol: SymbolCode): HTMLCanvasElement;
};

export async function createStage(element: HTMLElement, onProgress: (share: number) => void): Promise<Stage> {
  const { show, wake, setTempo } = await createScene(element);
  onProgress(0.5);
  const [textures, frameArt, plate, plateLit, bandArt, bubble] = await Promise.all([
    drawSymbols(),
    textureOf('frame', { width: FRAME_ART.side, height: FRAME_ART.side }),
    textureOf('plate', { width: 100, height: 100 }),
    textureOf('plateLit', { width: 100, height: 100 }),
    textureOf('band', BAND),
    textureOf('bubble', { width: 48, height: 48 }),
  ]);
  onProgress(1);
  const bubbles = new Bubbles(bubble);
  const grid = new Grid({ textures, onMotion: wake, onPop: (x, y) => bubbles.burst(x, y) });
  grid.place(Array.from({ length: COLUMNS }, () => Array.from({ length: ROWS }, anySymbol)));
  const mask = new Graphics().rect(0, 0, BOARD.width, BOARD.height).fill('#ffffff');
  const outlines = new Graphics();
  const words = new Container<Text>();
  const band = new WinBand(bandArt);
  band.position.set(BOARD.width / 2, BOARD.height + BAND_AWAY + BAND.height / 2);
  grid.mask = mask;
  // They never change, so that one picture of them is enough.
  const back = new Container({ children: [well(), frame(frameArt)] });
  back.cacheAsTexture({ resolution: Math.min(SCALE, devicePixelRatio), antialias: true });
  const field = new Container({ children: [back, mask, outlines, grid, bubbles, band, words] });
  const ladder = createLadder({ rest: plate, lit: plateLit });
  let swelling: { cells: Cell[]; passedMs: number } | undefined;

  show({
    root: new Container({ children: [field, ladder.root] }),
    arrange(aspect) {
      const [width, height] = [BOARD.width + 2 * FRAME, BOARD.height + 2 * FRAME];
      const above = Math.min(LARGEST_LADDER, aspect * width - height - BELOW - GAP);
      if (above < LADDER) {
        const free = (height + BELOW) / aspect - width - GAP;
        const beside = Math.min(LARGEST_LADDER, Math.max(LADDER, free));
        ladder.arrangeColumn({ width: beside, height });
        field.position.set(beside + GAP + FRAME, FRAME);
        return { width: width + beside + GAP, height: height + BELOW };
      }
      ladder.arrangeRow({ width, height: above });
      field.position.set(FRAME, above + GAP + FRAME);
      return { width, height: height + BELOW + above + GAP };
    },
    update(ms) {
      const moves = [grid.update(ms), bubbles.update(ms), band.update(ms), ladder.update(ms)];
      for (const word of [...words.children]) {
        word.y -= ms * 0.03;
        word.alpha -= ms / WIN_RISE_MS / 1.5;
        if (word.alpha <= 0) word.destroy();
      }
      if (swelling !== undefined) {
        swelling.passedMs += ms;
        grid.swell(swelling.cells, Math.sin((Math.PI / 2) * Math.min(1, swelling.passedMs / SWELL_MS)));
      }
      return moves.includes(true) || words.children.length > 0 || swelling !== undefined;
    },
  });

  return {
    grid,
    get board() {
      return grid.board;
    },
    setTumbles(count) {
      ladder.light(count);
      wake();
    },
    showWins(wins, shown) {
      // After a skip, all tumbles come at once: only the last one's amounts can be read.
      for (const word of words.removeChildren()) word.destroy();
      for (const { cells, win } of wins) {
        outline(outlines, cells);
        words.addChild(winText(shown.textOf(win), cells));
      }
      band.write(shown.textOf(shown.sum), shown);
      const cells = wins.flatMap((win) => win.cells);
      grid.light(cells);
      if (shown.isCelebrated) swelling = { cells, passedMs: 0 };
      wake();
    },
    clearWins() {
      outlines.clear();
      grid.light([]);
      swelling = undefined;
      wake();
    },
    clearBand() {
      band.hide();
      wake();
    },
    setTempo,
    picture: (symbol) => pictureOf(textures[symbol].rest),
  };
}

async function textureOf(name: string, { width, height }: Size): Promise<Texture> {
  return sharpTexture(await drawArt(name, { width: SCALE * width, height: SCALE * height }));
}

/** Returns a symbol of the board before the first round. It does not count. */
function anySymbol(): SymbolCode {
  return SYMBOLS[Math.floor(Math.random() * SYMBOLS.length)] as SymbolCode;
}

/** Makes a text in the middle of the cluster. */
function winText(text: string, cells: readonly Cell[]): Text {
  const word = goldText(48);
  const middle = (axis: 0 | 1) => (cells.reduce((sum, cell) => sum + cell[axis] + 0.5, 0) / cells.length) * CELL;
  word.text = text;
  const x = Math.min(Math.max(middle(0), word.width / 2), BOARD.width - word.width / 2);
  word.position.set(x, middle(1));
  word.alpha = 1.5;
  return word;
}

/** Draws the edge around cells that adjoin, and lights what is inside. */
function outline(drawn: Graphics, cells: readonly Cell[]): void {
  const has = (column: number, row: number) => cells.some((cell) => cell[0] === column && cell[1] === row);
  for (const [column, row] of cells) drawn.rect(column * CELL, row * CELL, CELL, CELL);
  drawn.fill({ color: '#ffe27a', alpha: 0.22 });
  for (const [width, alpha] of [
    [14, 0.25],
    [5, 1],
  ] as const) {
    for (const [column, row] of cells) {
      const [left, top, right, bottom] = [column * CELL, row * CELL, (column + 1) * CELL, (row + 1) * CELL];
      if (!has(column, row - 1)) drawn.moveTo(left, top).lineTo(right, top);
      if (!has(column, row + 1)) drawn.moveTo(left, bottom).lineTo(right, bottom);
      if (!has(column - 1, row)) drawn.moveTo(left, top).lineTo(left, bottom);
      if (!has(column + 1, row)) drawn.moveTo(right, top).lineTo(right, bottom);
    }
    drawn.stroke({ width, alpha, color: '#ffe9a0', cap: 'round' });
  }
}

/** Makes the dark water behind the symbols. */
function well(): Graphics {
  const drawn = new Graphics()
    .roundRect(-FRAME / 2, -FRAME / 2, BOARD.width + FRAME, BOARD.height + FRAME, 24)
    .fill({ color: '#041c3d', alpha: 0.86 });
  for (let column = 0; column < COLUMNS; column += 1) {
    for (let row = 0; row < ROWS; row += 1) {
      // The light comes from above.
      const alpha = ((column + row) % 2 === 0 ? 0.2 : 0.1) * (1 - (0.6 * row) / ROWS);
      drawn.roundRect(column * CELL + 2, row * CELL + 2, CELL - 4, CELL - 4, 18).fill({ color: '#5fc9f5', alpha });
    }
  }
  return drawn;
}

function frame(texture: Texture): Container {
  const { corner } = FRAME_ART;
  const away = FRAME + CORALS;
  const size = { width: BOARD.width + 2 * away, height: BOARD.height + 2 * away };
  const corners = { leftWidth: corner, rightWidth: corner, topHeight: corner, bottomHeight: corner };
  const drawn = new NineSliceSprite({ texture, ...corners, ...size });
  drawn.position.set(-away);
  return drawn;
}

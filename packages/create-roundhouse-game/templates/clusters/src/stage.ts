import { Container, Graphics, Text } from 'pixi.js';
import {
  type Board,
  type Cell,
  type ClusterWin,
  COLUMNS,
  MULTIPLIERS,
  ROWS,
  SYMBOLS,
  type SymbolCode,
} from '../math/rules.ts';
import { Grid } from './grid.ts';
import { createScene } from './scene.ts';
import { CELL, drawSymbols } from './symbols.ts';

const FRAME = 22;
/** The ladder of multipliers is above the board, or on its left if the page is wide. */
const LADDER = 84;
const TALLEST_LADDER = 140;
const GAP = 14;
const SWELL_MS = 420;
const WIN_RISE_MS = 900;

export type Stage = {
  readonly grid: Grid;
  readonly board: Board;
  /** Shows how many tumbles the round has had. */
  setTumbles(count: number): void;
  /** Frames the clusters and tells what each pays; resolves when they have been seen. */
  showWins(wins: readonly ClusterWin[], options: { isCelebrated: boolean; textOf: (win: number) => string }): void;
  clearWins(): void;
  announce(text: string): void;
  picture(symbol: SymbolCode): HTMLCanvasElement;
};

export async function createStage(element: HTMLElement): Promise<Stage> {
  const { app, show, announce, wake } = await createScene(element);
  const textures = drawSymbols(app.renderer);
  const grid = new Grid(textures, wake);
  grid.place(Array.from({ length: COLUMNS }, () => Array.from({ length: ROWS }, anySymbol)));
  const frame = new Graphics();
  const mask = new Graphics().rect(0, 0, COLUMNS * CELL, ROWS * CELL).fill('#ffffff');
  const outlines = new Graphics();
  const words = new Container();
  grid.mask = mask;
  const field = new Container({ children: [frame, mask, grid, outlines, words] });
  const ladder = createLadder();
  let swelling: { cells: Cell[]; passedMs: number } | undefined;

  show({
    root: new Container({ children: [field, ladder.root] }),
    arrange(aspect) {
      const [width, height] = [COLUMNS * CELL + 2 * FRAME, ROWS * CELL + 2 * FRAME];
      drawFrame(frame, width, height);
      const above = Math.min(TALLEST_LADDER, aspect * width - height - GAP);
      if (above < LADDER) {
        ladder.arrangeColumn({ width: LADDER, height });
        field.position.set(LADDER + GAP + FRAME, FRAME);
        return { width: width + LADDER + GAP, height };
      }
      ladder.arrangeRow({ width, height: above });
      field.position.set(FRAME, above + GAP + FRAME);
      return { width, height: height + above + GAP };
    },
    update(ms) {
      const isMoving = grid.update(ms);
      for (const word of [...words.children]) {
        word.y -= ms * 0.03;
        word.alpha -= ms / WIN_RISE_MS / 1.5;
        if (word.alpha <= 0) word.destroy();
      }
      if (swelling !== undefined) {
        swelling.passedMs += ms;
        grid.swell(swelling.cells, Math.sin((Math.PI / 2) * Math.min(1, swelling.passedMs / SWELL_MS)));
      }
      return isMoving || words.children.length > 0 || swelling !== undefined;
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
    showWins(wins, { isCelebrated, textOf }) {
      for (const { cells, win } of wins) {
        for (const [column, row] of cells) {
          outlines.roundRect(column * CELL + 3, row * CELL + 3, CELL - 6, CELL - 6, 16);
        }
        outlines.fill({ color: '#ffffff', alpha: 0.16 }).stroke({ width: 3, color: '#fff6c9', alpha: 0.9 });
        words.addChild(winText(textOf(win), cells));
      }
      wake();
      if (isCelebrated) swelling = { cells: wins.flatMap(({ cells }) => cells), passedMs: 0 };
    },
    clearWins() {
      outlines.clear();
      swelling = undefined;
      wake();
    },
    announce,
    picture: (symbol) => app.renderer.extract.canvas(textures[symbol]) as HTMLCanvasElement,
  };
}

/** Returns a symbol of the board before the first round. It does not count. */
function anySymbol(): SymbolCode {
  return SYMBOLS[Math.floor(Math.random() * SYMBOLS.length)] as SymbolCode;
}

/** Makes a text in the middle of the cluster. */
function winText(text: string, cells: readonly Cell[]): Text {
  const style = { fontFamily: 'system-ui, sans-serif', fontWeight: '900', fontSize: 46, fill: '#fff6c9' } as const;
  const word = new Text({ text, style: { ...style, stroke: { color: '#02233a', width: 9, join: 'round' } } });
  const middle = (axis: 0 | 1) => (cells.reduce((sum, cell) => sum + cell[axis] + 0.5, 0) / cells.length) * CELL;
  word.anchor.set(0.5);
  word.position.set(middle(0), middle(1));
  word.alpha = 1.5;
  return word;
}

function drawFrame(drawn: Graphics, width: number, height: number): void {
  drawn.clear();
  drawn
    .roundRect(3 - FRAME, 3 - FRAME, width - 6, height - 6, 30)
    .fill({ color: '#032b45', alpha: 0.82 })
    .stroke({ width: 6, color: '#56d3c9' });
  for (let column = 0; column < COLUMNS; column += 1) {
    for (let row = 0; row < ROWS; row += 1) {
      const alpha = (column + row) % 2 === 0 ? 0.09 : 0.04;
      drawn.roundRect(column * CELL + 2, row * CELL + 2, CELL - 4, CELL - 4, 14).fill({ color: '#ffffff', alpha });
    }
  }
}

type Size = { width: number; height: number };
type Ladder = {
  root: Container;
  arrangeRow(size: Size): void;
  /** Arranges them with the least multiplier at the bottom. */
  arrangeColumn(size: Size): void;
  light(tumbles: number): void;
};

/** Makes the multipliers in a row or a column. The one that counts is lit. */
function createLadder(): Ladder {
  const style = { fontFamily: 'system-ui, sans-serif', fontWeight: '800', fontSize: 30, fill: '#dffcff' } as const;
  const steps = MULTIPLIERS.map((multiplier) => {
    const plate = new Graphics();
    const text = new Text({ text: `×${multiplier}`, style });
    text.anchor.set(0.5);
    return { root: new Container({ children: [plate, text] }), plate, text };
  });
  let lit = -1;
  let size: Size = { width: LADDER, height: LADDER };

  const draw = () => {
    const widest = Math.max(...steps.map(({ text }) => text.width / text.scale.x));
    for (const [place, { plate, text }] of steps.entries()) {
      const isLit = place === lit;
      plate.clear().roundRect(0, 0, size.width, size.height, 20);
      plate.fill({ color: isLit ? '#ffd166' : '#032b45', alpha: isLit ? 1 : 0.82 });
      plate.stroke({ width: 4, color: '#56d3c9', alpha: isLit ? 1 : 0.5 });
      text.style.fill = isLit ? '#3a2300' : '#dffcff';
      text.scale.set(Math.min(1.2, (0.84 * size.width) / widest));
      text.position.set(size.width / 2, size.height / 2);
    }
  };

  return {
    root: new Container({ children: steps.map(({ root }) => root) }),
    arrangeRow({ width, height }) {
      const step = (width + GAP) / steps.length;
      size = { width: step - GAP, height };
      for (const [place, { root }] of steps.entries()) root.position.set(place * step, 0);
      draw();
    },
    arrangeColumn({ width, height }) {
      const step = (height + GAP) / steps.length;
      size = { width, height: step - GAP };
      for (const [place, { root }] of [...steps].reverse().entries()) root.position.set(0, place * step);
      draw();
    },
    light(tumbles) {
      lit = tumbles === 0 ? -1 : Math.min(tumbles, steps.length) - 1;
      draw();
    },
  };
}

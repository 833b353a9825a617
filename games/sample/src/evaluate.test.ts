import { describe, expect, it } from 'vitest';
import { lineWins, scatterPositions, totalOf } from './evaluate.ts';
import type { SymbolName } from './paytable.ts';
import type { Board } from './reels.ts';

/** Written as a player sees it: three rows, top to bottom. */
function board(...rows: [string, string, string]): Board {
  const cells = rows.map((row) => row.split(' ') as SymbolName[]);
  return [0, 1, 2].map((reel) => cells.flatMap((row) => row[reel] ?? []));
}

function pays(shown: Board, multiplier = 1): [line: number, symbol: string, win: number][] {
  return lineWins(shown, multiplier).map(({ meta, symbol, win }) => [meta.lineIndex, symbol, win]);
}

describe('line wins', () => {
  it.each<[SymbolName, number]>([
    ['W', 5000],
    ['H1', 1000],
    ['H2', 400],
    ['H3', 200],
    ['L1', 100],
    ['L2', 60],
    ['L3', 30],
  ])('three %s in the middle row pay %i hundredths', (symbol, hundredths) => {
    expect(pays(board('L1 S L2', `${symbol} ${symbol} ${symbol}`, 'H3 S H2'))).toEqual([[1, symbol, hundredths]]);
  });

  it('are nothing where no line has three of a kind', () => {
    expect(pays(board('L1 L1 L2', 'H1 H2 H1', 'H1 L3 L2'))).toEqual([]);
  });

  it.each([
    [1, board('H1 H2 H3', 'L1 L1 L1', 'H2 H3 H1')],
    [2, board('L1 L1 L1', 'H1 H2 H3', 'H2 H3 H1')],
    [3, board('H1 H2 H3', 'H2 H3 H1', 'L1 L1 L1')],
    [4, board('L1 H2 H3', 'H1 L1 H2', 'H3 H2 L1')],
    [5, board('H1 H2 L1', 'H2 L1 H3', 'L1 H3 H2')],
  ])('are found on line %i', (line, shown) => {
    expect(pays(shown)).toEqual([[line, 'L1', 100]]);
  });

  it('let a wild stand for the other symbol of its line, on each line for another one', () => {
    expect(pays(board('L1 L2 L3', 'H1 W H1', 'L3 L2 L1'))).toEqual([
      [1, 'H1', 1000],
      [4, 'L1', 100],
      [5, 'L3', 30],
    ]);
  });

  it('let two wilds complete one symbol, which pays as that symbol', () => {
    expect(pays(board('W H2 H3', 'H1 W L1', 'L1 H1 L3'))).toEqual([[4, 'L3', 30]]);
  });

  it('never count a scatter, not with wilds either', () => {
    expect(pays(board('S S S', 'W S W', 'H1 H2 H3'))).toEqual([]);
  });

  it('pay all five lines of a board of one symbol, multiplied', () => {
    const wins = lineWins(board('L2 L2 L2', 'L2 L2 L2', 'L2 L2 L2'), 7);
    expect(wins.map(({ win }) => win)).toEqual([420, 420, 420, 420, 420]);
    expect(totalOf(wins)).toBe(2100);
  });

  it('say where the line runs and how its win came about', () => {
    expect(lineWins(board('H3 L1 L2', 'L1 H3 L3', 'L2 L3 W'), 3)).toEqual([
      {
        symbol: 'H3',
        kind: 3,
        win: 600,
        positions: [
          { reel: 0, row: 0 },
          { reel: 1, row: 1 },
          { reel: 2, row: 2 },
        ],
        meta: { lineIndex: 4, multiplier: 3, winWithoutMult: 200 },
      },
    ]);
  });
});

describe('scatters', () => {
  it('are found anywhere', () => {
    expect(scatterPositions(board('L1 S L2', 'S L3 H1', 'H2 H3 S'))).toEqual([
      { reel: 0, row: 1 },
      { reel: 1, row: 0 },
      { reel: 2, row: 2 },
    ]);
  });
});

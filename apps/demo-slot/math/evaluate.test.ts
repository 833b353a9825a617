import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Board, LINES, SYMBOLS, type SymbolCode } from '../rules.ts';
import { countOf, linesPay, lineWins, positionsOf } from './evaluate.ts';
import { linesByHand } from './rulesByHand.ts';

/** Returns a board written as a player sees it: three rows, top to bottom. */
function board(...rows: [string, string, string]): Board {
  const cells = rows.map((row) => row.split(' ') as SymbolCode[]);
  return [0, 1, 2, 3, 4].map((reel) => cells.flatMap((row) => row[reel] ?? []));
}

/** Returns what the middle row of a board pays whose other rows pay nothing on any line. */
function middleRow(row: string): [string, number, number][] {
  return lineWins(board('S S S S S', row, 'S S S S S'), 1).map(({ symbol, count, win }) => [symbol, count, win]);
}

describe('a line', () => {
  it.each<[string, [string, number, number][]]>([
    ['H1 H1 L1 H1 H1', []],
    ['H1 H1 H1 L1 H1', [['H1', 3, 200]]],
    ['L5 L5 L5 L5 H1', [['L5', 4, 120]]],
    ['L1 L1 L1 L1 L1', [['L1', 5, 600]]],
    ['L1 H1 H1 H1 H1', []],
    ['W H2 W H2 L1', [['H2', 4, 500]]],
    ['H2 W W W W', [['H2', 5, 2000]]],
    ['W W H3 H1 H1', [['H3', 3, 120]]],
    ['W W W L5 L5', [['L5', 5, 400]]],
    ['W W W L5 H1', [['W', 3, 250]]],
    ['W W W W L1', [['W', 4, 1000]]],
    ['W W W W H1', [['H1', 5, 3000]]],
    ['W W W W W', [['W', 5, 5000]]],
    ['W W S H1 H1', []],
    ['S S S S S', []],
    ['W W W S W', [['W', 3, 250]]],
  ])('of %s pays %j', (row, wins) => {
    expect(middleRow(row)).toEqual(wins);
  });
});

describe('the lines of a board', () => {
  it('are each paid where they run, from the left', () => {
    for (const [place, rows] of LINES.entries()) {
      const shown = rows.map((row, reel) =>
        [0, 1, 2].map((other) => (other === row && reel < 4 ? 'H4' : 'S') as SymbolCode),
      );
      const found = lineWins(shown, 3).find(({ line }) => line === place + 1);
      const positions = rows.slice(0, 4).map((row, reel) => ({ reel, row }));
      expect(found).toEqual({ line: place + 1, symbol: 'H4', count: 4, win: 900, multiplier: 3, positions });
    }
  });

  it('are the best first, and pay together what the board pays', () => {
    const shown = board('L1 L1 L1 L2 L3', 'H1 W H1 H1 L4', 'L5 L5 L5 L5 L5');
    const wins = lineWins(shown, 1);
    expect(wins.map(({ win }) => win)).toEqual(wins.map(({ win }) => win).sort((a, b) => b - a));
    expect(linesPay(shown)).toBe(wins.reduce((sum, { win }) => sum + win, 0));
  });

  it('pay the same as a slow reading of all possibilities, on any board', () => {
    // The boards have few symbols and many wilds: much pays on them, and wilds and symbols compete.
    const symbol = fc.oneof(
      { weight: 2, arbitrary: fc.constant<SymbolCode>('W') },
      { weight: 3, arbitrary: fc.constantFrom<SymbolCode>('H1', 'L5') },
      { weight: 1, arbitrary: fc.constantFrom(...SYMBOLS) },
    );
    const anyBoard = fc.array(fc.array(symbol, { minLength: 3, maxLength: 3 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(anyBoard, fc.integer({ min: 1, max: 20 }), (shown, multiplier) => {
        const expected = linesByHand(shown, multiplier);
        expect(lineWins(shown, multiplier)).toEqual(expected);
        expect(linesPay(shown) * multiplier).toBe(expected.reduce((sum, { win }) => sum + win, 0));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('symbols', () => {
  it('are found anywhere, reel by reel', () => {
    const shown = board('L1 S L2 L3 S', 'S L3 H1 W L4', 'H2 H3 L5 L1 W');
    expect(positionsOf(shown, 'S')).toEqual([
      { reel: 0, row: 1 },
      { reel: 1, row: 0 },
      { reel: 4, row: 0 },
    ]);
    expect(countOf(shown, 'S')).toBe(3);
    expect(countOf(shown, 'W')).toBe(2);
  });
});

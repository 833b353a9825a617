import { describe, expect, it } from 'vitest';
import { lineWins } from '../math/round.ts';
import { type Board, LINES, PAYTABLE, WIN_CAP } from '../math/rules.ts';
import { booksOf, openMode } from './published.ts';

it('every book pays what the lines of its board pay', async () => {
  for (const { pays, events } of booksOf(await openMode('BASE'))) {
    const [reveal] = events;
    if (reveal?.type !== 'reveal') throw new Error('a book does not begin with a board');
    const won = lineWins(reveal.board).reduce((sum, { win }) => sum + win, 0);
    expect(pays).toBe(Math.min(won, WIN_CAP));
  }
});

describe('a line', () => {
  /**
   * Returns a board whose first line, the middle row, shows these symbols, and whose other lines
   * pay nothing.
   */
  const boardOf = (middle: string): Board => {
    const others = [
      ['L1', 'L2'],
      ['H3', 'L4'],
      ['L3', 'H2'],
      ['L1', 'L2'],
      ['H3', 'L4'],
    ];
    return middle.split(' ').map((symbol, reel) => [others[reel]?.[0], symbol, others[reel]?.[1]]) as Board;
  };

  it.each([
    ['H1 H1 H1 L4 H1', { symbol: 'H1', count: 3, multiplier: 1 }],
    ['L4 L4 L4 L4 L4', { symbol: 'L4', count: 5, multiplier: 1 }],
    ['H2 W W H2 L1', { symbol: 'H2', count: 4, multiplier: 4 }],
  ] as const)('of %s pays for %j', (middle, { symbol, count, multiplier }) => {
    const win = (PAYTABLE[symbol][count - 3] ?? 0) * multiplier;
    expect(lineWins(boardOf(middle))).toContainEqual({ line: 0, symbol, count, multiplier, win });
  });

  it('pays nothing without three of a kind from the left', () => {
    expect(lineWins(boardOf('H1 H1 L4 H1 H1')).filter(({ line }) => line === 0)).toEqual([]);
  });

  it('has a row for each reel', () => {
    for (const rows of LINES) expect(rows).toHaveLength(5);
  });
});

import { describe, expect, it } from 'vitest';
import { clusterWins, payOf, tumble } from '../math/clusters.ts';
import { MODES } from '../math/modes.ts';
import { type Board, type BookEvent, FALLING, MULTIPLIERS, PAYTABLE, SIZES, WIN_CAP } from '../math/rules.ts';
import { booksOf, openMode } from './published.ts';

/** Plays the events of a book by the rules. Returns the payout and each symbol that was seen. */
function replay(events: readonly BookEvent[]): { won: number; symbols: Set<string> } {
  const [reveal, ...rest] = events;
  if (reveal?.type !== 'reveal') throw new Error('a book does not begin with a board');
  const symbols = new Set<string>(reveal.board.flat());
  let { board } = reveal;
  let won = 0;
  let tumbles = 0;
  for (const event of rest) {
    if (event.type !== 'tumble') break;
    expect(event.multiplier).toBe(MULTIPLIERS[tumbles] ?? MULTIPLIERS.at(-1));
    expect(event.wins).toEqual(clusterWins(board, event.multiplier));
    const gone = event.wins.flatMap(({ cells }) => cells);
    board = tumble(board, gone, event.fresh);
    for (const symbol of event.fresh.flat()) symbols.add(symbol);
    won += event.wins.reduce((sum, { win }) => sum + win, 0);
    tumbles += 1;
  }
  expect(events).toHaveLength(tumbles + 2);
  // The round goes on as long as a cluster pays and the cap is not reached.
  if (won < WIN_CAP) expect(clusterWins(board, 1)).toEqual([]);
  return { won: Math.min(won, WIN_CAP), symbols };
}

it.each(Object.keys(MODES))('the events of every book of %s sum up to its payout', async (name) => {
  const seen = new Set<string>();
  for (const { pays, events } of booksOf(await openMode(name))) {
    const { won, symbols } = replay(events);
    expect(won).toBe(pays);
    for (const symbol of symbols) seen.add(symbol);
  }
  expect([...seen].sort()).toEqual([...(FALLING[name] ?? [])].sort());
});

describe('a cluster', () => {
  /** Reads rows from the top; a dot is a symbol that adjoins no equal one. */
  const boardOf = (...rows: string[]): Board => {
    const names = { a: 'H1', b: 'L4' } as const;
    const filler = (column: number, row: number) => ((column + row) % 2 === 0 ? 'L1' : 'L2');
    return Array.from({ length: rows[0]?.length ?? 0 }, (_, column) =>
      rows.map((row, place) => names[row[column] as 'a' | 'b'] ?? filler(column, place)),
    );
  };

  it('pays from five symbols on that adjoin along their sides, times the multiplier', () => {
    const wins = clusterWins(boardOf('aaa.', '..ab', 'b.ab', '.bbb'), 5);
    expect(wins).toEqual([
      { symbol: 'H1', cells: expect.any(Array), win: 5 * PAYTABLE.H1[0] },
      { symbol: 'L4', cells: expect.any(Array), win: 5 * PAYTABLE.L4[0] },
    ]);
    expect(wins[0]?.cells).toHaveLength(5);
  });

  it('pays nothing for corners and for four', () => {
    expect(clusterWins(boardOf('a.a.', '.a.a', 'a.a.', 'bbbb'), 1)).toEqual([]);
  });

  it.each(SIZES)('of %i pays its place in the paytable, and one more the same or more', (size) => {
    expect(payOf('H2', size)).toBe(PAYTABLE.H2[SIZES.indexOf(size)]);
    expect(payOf('H2', size + 1)).toBeGreaterThanOrEqual(payOf('H2', size));
    expect(payOf('H2', size - 1)).toBeLessThan(payOf('H2', size));
  });
});

it('a tumble lets the rest fall and fresh symbols in above', () => {
  const board: Board = [
    ['H1', 'L1', 'H2'],
    ['L3', 'L3', 'L3'],
  ];
  const gone = [
    [0, 1],
    [1, 0],
    [1, 2],
  ] as [number, number][];
  expect(tumble(board, gone, [['L4'], ['H3', 'L2']])).toEqual([
    ['L4', 'H1', 'H2'],
    ['H3', 'L2', 'L3'],
  ]);
});

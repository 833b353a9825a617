import { describe, expect, it } from 'vitest';
import { boardOf, describeEvent, positionsOf } from './bookEvents.ts';

const dollars = (hundredths: number) => `$${hundredths / 100}`;

describe('one line about an event', () => {
  it.each([
    [{ type: 'setTotalWin', amount: 0 }, 'so far 0.00×'],
    [{ type: 'finalWin', amount: 150 }, 'the round pays 1.50× = $1.5'],
    [{ type: 'updateFreeSpin', amount: 3, total: 10 }, 'free spin 3 of 10'],
    [{ type: 'updateGlobalMult', globalMult: 4 }, 'multiplier ×4 from now on'],
    [
      {
        type: 'freeSpinTrigger',
        totalFs: 8,
        positions: [
          { reel: 0, row: 1 },
          { reel: 4, row: 2 },
        ],
      },
      '8 free spins, scatters on reels 1, 5',
    ],
    [{ type: 'winInfo', totalWin: 120, wins: [{ symbol: 'L1', kind: 3, win: 120 }] }, '1.20× = $1.2: 3 L1 1.20×'],
    [{ type: 'winInfo', index: 0, numberRolled: 1, totalWin: 200 }, 'numberRolled 1, totalWin 200'],
    [{ type: 'collapse', index: 4, cells: [1], count: 2 }, 'count 2'],
    [{ type: 'tease', index: 4 }, 'no details'],
    [{ type: 'constructor', index: 4, level: 1 }, 'level 1'],
    [{ type: 'winInfo', totalWin: 'much', wins: [null] }, 'much: a win'],
    [{ type: 'finalWin', index: 3 }, 'no details'],
    [{ type: 'updateFreeSpin', amount: 3 }, 'free spin 3'],
    [{ type: 'freeSpinTrigger', positions: [] }, 'no details'],
    [{ type: 'freeSpinTrigger', totalFs: 8, positions: [null] }, '8 free spins'],
    [null, 'no details'],
  ])('%j: %s', (event, text) => {
    expect(describeEvent(event, dollars)).toBe(text);
  });

  const places = (count: number) => Array.from({ length: count }, (_, reel) => ({ reel, row: 1 }));
  const meta = { globalMult: 1, clusterMult: 2, winWithoutMult: 40, overlay: { reel: 2, row: 3 } };

  it.each([
    ['lines', { symbol: 'L1', kind: 3, win: 80, positions: places(3), meta: { lineIndex: 4 } }, '3 L1 0.80×'],
    ['ways', { symbol: 'H2', kind: 4, win: 80, positions: places(6), meta: { ways: 12 } }, '4 H2 0.80×'],
    ['a cluster', { symbol: 'H1', clusterSize: 7, win: 80, positions: places(7), meta }, '7 H1 0.80×'],
    ['scatters', { symbol: 'S', win: 80, positions: places(9), meta }, '9 S 0.80×'],
    ['a symbol that is an object', { symbol: { name: 'M' }, win: 80, positions: places(5) }, '5 M 0.80×'],
    ['no place', { win: 80 }, '0.80×'],
    ['nothing known', { paid: true }, 'a win'],
  ])('describes a win of %s', (_of, win, text) => {
    expect(describeEvent({ index: 1, type: 'winInfo', totalWin: 80, wins: [win] }, () => null)).toBe(`0.80×: ${text}`);
  });

  it('leaves money out where the bet is not known', () => {
    expect(describeEvent({ type: 'setWin', amount: 150 }, () => null)).toBe('this spin wins 1.50×');
  });

  it('shows the window of a board, not what is above and below it', () => {
    const board = [['H1', 'W', 'L1', 'S', 'L2'].map((name) => ({ name })), ['L4', 'L5', 'H3', 'H2', 'L1']];
    expect(describeEvent({ type: 'reveal', board, paddingPositions: [4, 7] }, dollars)).toBe('W L5  /  L1 H3  /  S H2');
  });
});

describe('the board of an event', () => {
  it('is rows of cells, whatever the cells are', () => {
    const rows = boardOf({ board: [[{ name: 'W', multiplier: 5 }, 'A'], [7]] });
    expect(rows).toEqual([
      {
        isPadding: false,
        cells: [
          { name: 'W', multiplier: 5, reel: 0, row: 0 },
          { name: '7', multiplier: null, reel: 1, row: 0 },
        ],
      },
      {
        isPadding: false,
        cells: [
          { name: 'A', multiplier: null, reel: 0, row: 1 },
          { name: '', multiplier: null, reel: 1, row: 1 },
        ],
      },
    ]);
  });

  it.each([null, {}, { board: [] }, { board: [[]] }, { board: 'W' }, { board: ['W'] }])('is missing in %j', (event) => {
    expect(boardOf(event)).toBeNull();
  });
});

describe('the cells that an event speaks of', () => {
  it('are its positions and those of its wins', () => {
    const wins = [{ positions: [{ reel: 0, row: 1 }] }, { positions: [{ reel: 1, row: 2 }] }, {}];
    expect(positionsOf({ positions: [{ reel: 2, row: 0 }, 5], wins })).toEqual([
      { reel: 2, row: 0 },
      { reel: 0, row: 1 },
      { reel: 1, row: 2 },
    ]);
    expect(positionsOf({ type: 'finalWin' })).toEqual([]);
  });
});

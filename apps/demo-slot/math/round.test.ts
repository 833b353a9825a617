import { seededRandom } from '@roundhouse/math';
import { describe, expect, it } from 'vitest';
import { type Board, type BookEventBody, type BookEventType, type SymbolCode, WIN_CAP_HUNDREDTHS } from '../rules.ts';
import { reelsOf } from './reels.ts';
import { playFreeSpins } from './round.ts';

const LOW: readonly SymbolCode[][] = [
  ['L1', 'L1', 'L1'],
  ['L2', 'L2', 'L2'],
];

/** Returns a board with this number of scatters that pays nothing on its lines. */
function triggeringBoard(scatters: number): Board {
  return [0, 1, 2, 3, 4].map((reel) => (reel < scatters ? ['S', 'L3', 'L4'] : (LOW[reel % 2] ?? [])));
}

/** Plays free spins on reels that show the same symbols at every stop, in another order. */
function play(strips: readonly string[], { scatters = 3, paidBefore = 0 } = {}) {
  const events: BookEventBody[] = [];
  const total = playFreeSpins({
    reels: reelsOf(strips),
    board: triggeringBoard(scatters),
    paidBefore,
    random: seededRandom({ stream: 1, round: 1 }),
    record: (event) => events.push(event),
  });
  const ofType = <Type extends BookEventType>(type: Type) =>
    events.filter((event): event is Extract<BookEventBody, { type: Type }> => event.type === type);
  return { events, total, ofType };
}

const NOTHING = ['L1 L1 L1', 'L2 L2 L2', 'L3 L3 L3', 'L4 L4 L4', 'L5 L5 L5'];

describe('free spins', () => {
  it.each([
    [3, 10],
    [4, 12],
    [5, 15],
  ])('for %i scatters are %i', (scatters, spins) => {
    const { ofType } = play(NOTHING, { scatters });
    expect(ofType('freeSpinTrigger')[0]).toMatchObject({ totalSpins: spins });
    expect(ofType('updateFreeSpin').map(({ spin }) => spin)).toEqual(Array.from({ length: spins }, (_, i) => i + 1));
  });

  it('need three scatters', () => {
    expect(() => play(NOTHING, { scatters: 2 })).toThrow(RangeError);
  });

  it('record only their spins when nothing happens in them', () => {
    const { events, total } = play(NOTHING, { paidBefore: 70 });
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['freeSpinTrigger', 'updateFreeSpin', 'reveal', 'freeSpinEnd']),
    );
    expect(events.at(-1)).toEqual({ type: 'freeSpinEnd', amount: 0 });
    expect(total).toBe(70);
  });

  it('raise the multiplier by one for each wild, before the spin pays, to twenty at most', () => {
    const { ofType } = play(['L1 L1 L1', 'W W W', 'L1 L1 L1', 'L2 L2 L2', 'L3 L3 L3']);
    const path = [4, 7, 10, 13, 16, 19, 20, 20, 20, 20];
    expect(ofType('updateMultiplier').map(({ multiplier }) => multiplier)).toEqual(path);
    // All twenty lines have three L1.
    expect(ofType('setWin').map(({ amount }) => amount)).toEqual(path.map((multiplier) => 20 * 60 * multiplier));
    expect(ofType('winInfo')[0]?.wins[0]).toMatchObject({ symbol: 'L1', count: 3, win: 240, multiplier: 4 });
  });

  it('record the total after each spin that pays, and their own payout at the end', () => {
    const { ofType, total } = play(['L5 L5 L5', 'L5 L5 L5', 'L5 L5 L5', 'L2 L2 L2', 'L3 L3 L3'], { paidBefore: 120 });
    const spinPay = 20 * 40;
    expect(ofType('setTotalWin').map(({ amount }) => amount)).toEqual(
      Array.from({ length: 10 }, (_, place) => 120 + (place + 1) * spinPay),
    );
    expect(ofType('freeSpinEnd')).toEqual([{ type: 'freeSpinEnd', amount: 10 * spinPay }]);
    expect(total).toBe(120 + 10 * spinPay);
  });

  it.each([
    [3, [15, 20, 25, 30, 35, 40, 45, 50]],
    [4, [17, 22, 27, 32, 37, 42, 47, 50]],
  ])('for %i scatters add five for three scatters, to fifty at most', (scatters, totals) => {
    const { ofType } = play(['S L1 L1', 'S L2 L2', 'S L3 L3', 'L4 L4 L4', 'L5 L5 L5'], { scatters });
    expect(ofType('freeSpinRetrigger').map(({ totalSpins }) => totalSpins)).toEqual(totals);
    const added = ofType('freeSpinRetrigger').reduce((sum, { addedSpins }) => sum + addedSpins, 0);
    expect(added).toBe(50 - (scatters === 3 ? 10 : 12));
    expect(ofType('updateFreeSpin')).toHaveLength(50);
  });

  it('add none for two scatters', () => {
    const { ofType } = play(['S L1 L1', 'S L2 L2', 'L3 L3 L3', 'L4 L4 L4', 'L5 L5 L5']);
    expect(ofType('freeSpinRetrigger')).toEqual([]);
  });

  it('have anticipation after two scatters, except on a reel without a scatter', () => {
    const { ofType } = play(['S L1 L1', 'S L2 L2', 'L3 L3 L3', 'S L4 L4', 'S L5 L5']);
    expect(ofType('reveal')[0]?.anticipation).toEqual([false, false, false, true, true]);
  });

  it('end at once when the round reaches the win cap, and pay no more than that', () => {
    const { events, ofType, total } = play(['W W W', 'W W W', 'W W W', 'W W W', 'W W W'], { paidBefore: 50 });
    expect(total).toBe(WIN_CAP_HUNDREDTHS);
    const left = WIN_CAP_HUNDREDTHS - 50;
    expect(ofType('winInfo')).toMatchObject([{ totalWin: left }]);
    expect(events.slice(-4)).toEqual([
      { type: 'setWin', amount: left },
      { type: 'setTotalWin', amount: WIN_CAP_HUNDREDTHS },
      { type: 'winCap', amount: WIN_CAP_HUNDREDTHS },
      { type: 'freeSpinEnd', amount: left },
    ]);
    expect(ofType('updateFreeSpin')).toHaveLength(1);
  });

  it('pay the same without a recorder', () => {
    const input = {
      reels: reelsOf(['W L1 L1 S L2', 'W L1 L3 S L2', 'W L1 S L2', 'L1 S L2 W', 'S L1 L2']),
      paidBefore: 0,
    };
    const board = triggeringBoard(5);
    for (let round = 0; round < 20; round++) {
      const unrecorded = playFreeSpins({
        ...input,
        board,
        random: seededRandom({ stream: 2, round }),
        record: undefined,
      });
      const recorded = playFreeSpins({ ...input, board, random: seededRandom({ stream: 2, round }), record: () => {} });
      expect(recorded).toBe(unrecorded);
    }
  });
});

import { seededRandom } from '@roundhouse/math';
import { describe, expect, it } from 'vitest';
import { countOf } from './evaluate.ts';
import { boardsWithScatters, reelsOf } from './reels.ts';
import { ANTE_REELS, BASE_REELS, FREE_REELS } from './strips.ts';

describe('reels', () => {
  it('show three symbols from each stop downwards, round the ring', () => {
    const [reel] = reelsOf(['S L1 L2 W']);
    expect(reel?.windows).toEqual([
      ['S', 'L1', 'L2'],
      ['L1', 'L2', 'W'],
      ['L2', 'W', 'S'],
      ['W', 'S', 'L1'],
    ]);
    expect(reel?.plain).toEqual([['L1', 'L2', 'W']]);
    expect(reel?.scattered).toHaveLength(3);
  });

  it('refuse two scatters in a window, over the end of the strip too, and unknown symbols', () => {
    expect(() => reelsOf(['S L1 S L2 L3 L4'])).toThrow(RangeError);
    expect(() => reelsOf(['S L1 L2 L3 L4 L5 S'])).toThrow(RangeError);
    expect(() => reelsOf(['L1 L2 L6'])).toThrow(RangeError);
  });
});

describe.each([
  { name: 'BASE', reels: BASE_REELS },
  { name: 'ANTE', reels: ANTE_REELS },
  { name: 'the free spins', reels: FREE_REELS },
])('the reels of $name', ({ reels }) => {
  it('are five, and each can show every symbol', () => {
    expect(reels).toHaveLength(5);
    for (const { windows } of reels) expect(new Set(windows.flat()).size).toBe(11);
  });
});

const small = reelsOf(['S L1 L2 L3', 'L1 L2 L3 L4 L5 S', 'S L1 L2 L3 L4', 'W W W S L1', 'L1 L2 S L3']);

/** Counts every combination of stops. */
function waysByHand(counts: readonly number[]): number {
  const boards = small.reduce<string[][][]>(
    (begun, { windows }) => begun.flatMap((board) => windows.map((window) => [...board, [...window]])),
    [[]],
  );
  return boards.filter((board) => counts.includes(board.flat().filter((symbol) => symbol === 'S').length)).length;
}

describe('boards with a number of scatters', () => {
  it.each([[[0]], [[3]], [[5]], [[0, 1, 2]], [[3, 4, 5]]])('%j are counted exactly', (counts) => {
    expect(Number(boardsWithScatters(small, counts).ways)).toBe(waysByHand(counts));
  });

  it('have that number and no other', () => {
    const random = seededRandom({ stream: 1, round: 1 });
    for (const count of [0, 1, 2, 3, 4, 5]) {
      const source = boardsWithScatters(BASE_REELS, [count]);
      for (let draw = 0; draw < 200; draw++) expect(countOf(source.draw(random), 'S')).toBe(count);
    }
  });

  it('are drawn as often as the reels show them', () => {
    const random = seededRandom({ stream: 2, round: 1 });
    const source = boardsWithScatters(small, [4]);
    const seen = new Map<string, number>();
    const draws = Number(source.ways) * 300;
    for (let draw = 0; draw < draws; draw++) {
      const board = JSON.stringify(source.draw(random));
      seen.set(board, (seen.get(board) ?? 0) + 1);
    }
    expect(seen.size).toBe(Number(source.ways));
    expect(Math.min(...seen.values())).toBeGreaterThan(210);
    expect(Math.max(...seen.values())).toBeLessThan(390);
  });
});

describe('free spins', () => {
  it.each([
    { mode: 'BASE', reels: BASE_REELS, rarest: 200, commonest: 150 },
    { mode: 'ANTE', reels: ANTE_REELS, rarest: 100, commonest: 80 },
  ])('come once in $commonest to $rarest rounds of $mode', ({ reels, rarest, commonest }) => {
    const all = Number(boardsWithScatters(reels, [0, 1, 2, 3, 4, 5]).ways);
    const oneIn = all / Number(boardsWithScatters(reels, [3, 4, 5]).ways);
    expect(all).toBe(reels.reduce((product, { windows }) => product * windows.length, 1));
    expect(oneIn).toBeLessThan(rarest);
    expect(oneIn).toBeGreaterThan(commonest);
  });
});

import { describe, expect, it } from 'vitest';
import { reelsOf } from './reels.ts';
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

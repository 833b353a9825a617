import { describe, expect, it } from 'vitest';
import { BASE_STRIPS, boardAt, everyStop, FREE_STRIPS } from './reels.ts';

function counts(strip: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(strip)].map((symbol) => [symbol, strip.filter((other) => other === symbol).length]),
  );
}

describe('reels', () => {
  it('hold the same symbols on every base reel', () => {
    for (const strip of BASE_STRIPS)
      expect(counts(strip)).toEqual({ S: 1, W: 1, H1: 1, H2: 2, H3: 2, L1: 3, L2: 3, L3: 4 });
  });

  it('hold the same symbols on every free-spin reel, and no scatter', () => {
    for (const strip of FREE_STRIPS) expect(counts(strip)).toEqual({ W: 3, H1: 1, H2: 2, H3: 2, L1: 3, L2: 3, L3: 3 });
  });

  it('show three symbols from the stop downwards, round the ring', () => {
    expect(boardAt(BASE_STRIPS, [0, 15, 16])).toEqual([
      ['S', 'L3', 'L1'],
      ['H2', 'L1', 'S'],
      ['H3', 'S', 'L1'],
    ]);
  });

  it('stop in 4,913 different ways', () => {
    expect(new Set([...everyStop(BASE_STRIPS)].map(String)).size).toBe(4913);
  });
});

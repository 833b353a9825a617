import { describe, expect, it } from 'vitest';
import { seededRandom } from './random.ts';

function take(seed: number, { count, limit }: { count: number; limit: number }): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.below(limit));
}

describe('the seeded random source', () => {
  it('gives numbers below the limit, every one about equally often', () => {
    const numbers = take(5, { count: 170_000, limit: 17 });
    for (let number = 0; number < 17; number++) {
      const seen = numbers.filter((other) => other === number).length;
      expect(seen).toBeGreaterThan(9500);
      expect(seen).toBeLessThan(10_500);
    }
    expect(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 17)).toBe(true);
  });

  it('repeats itself for a seed and differs between close seeds', () => {
    const limit = 1_000_000;
    expect(take(9, { count: 50, limit })).toEqual(take(9, { count: 50, limit }));
    expect(take(9, { count: 50, limit })).not.toEqual(take(10, { count: 50, limit }));
  });

  it('gives the same numbers on every machine', () => {
    expect(take(77, { count: 6, limit: 2 ** 32 })).toEqual([
      804735411, 1047745632, 4038867763, 1817736178, 465781132, 3251688813,
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { type Seed, seededRandom } from './seededRandom.ts';

function take(seed: Seed, { count, limit }: { count: number; limit: number }): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.below(limit));
}

describe('the seeded random source', () => {
  it('gives numbers below the limit, every one about equally often', () => {
    const seen = new Array<number>(70).fill(0);
    for (const number of take({ stream: 5, round: 1 }, { count: 700_000, limit: 70 }))
      seen[number] = (seen[number] ?? 0) + 1;
    expect(seen).toHaveLength(70);
    expect(Math.min(...seen)).toBeGreaterThan(9500);
    expect(Math.max(...seen)).toBeLessThan(10_500);
  });

  it('gives first numbers that are as even over rounds as over one round', () => {
    const firsts = Array.from({ length: 70_000 }, (_, round) => seededRandom({ stream: 3, round }).below(7));
    for (let number = 0; number < 7; number++) {
      const seen = firsts.filter((first) => first === number).length;
      expect(seen).toBeGreaterThan(9600);
      expect(seen).toBeLessThan(10_400);
    }
  });

  it('repeats itself for a seed and differs between close seeds', () => {
    const some = { count: 50, limit: 1_000_000 };
    const numbers = take({ stream: 9, round: 4 }, some);
    expect(take({ stream: 9, round: 4 }, some)).toEqual(numbers);
    expect(take({ stream: 9, round: 5 }, some)).not.toEqual(numbers);
    expect(take({ stream: 10, round: 4 }, some)).not.toEqual(numbers);
  });

  it('gives the same numbers on every machine', () => {
    expect(take({ stream: 0, round: 77 }, { count: 6, limit: 2 ** 32 })).toEqual([
      804735411, 1047745632, 4038867763, 1817736178, 465781132, 3251688813,
    ]);
  });
});

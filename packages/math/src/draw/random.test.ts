import { describe, expect, it } from 'vitest';
import { createCryptoRandom, type Seed, seededRandom } from './random.ts';

it('gives fresh bits in all 64 places, beyond one filling of its buffer', () => {
  const random = createCryptoRandom();
  const into = new Uint32Array(2);
  const ones = new Float64Array(64);
  const seen = new Set<bigint>();
  const draws = 20_000;
  for (let index = 0; index < draws; index += 1) {
    random(into);
    const [high, low] = into as unknown as [number, number];
    seen.add((BigInt(high) << 32n) | BigInt(low));
    for (let bit = 0; bit < 32; bit += 1) {
      ones[bit] = (ones[bit] as number) + ((low >>> bit) & 1);
      ones[bit + 32] = (ones[bit + 32] as number) + ((high >>> bit) & 1);
    }
  }
  expect(seen.size).toBe(draws);
  // Seven standard deviations of a fair bit are a false alarm in one run of billions.
  for (const count of ones) expect(Math.abs(count - draws / 2)).toBeLessThan(7 * Math.sqrt(draws / 4));
});

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

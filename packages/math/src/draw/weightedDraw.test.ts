import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Random64 } from '../types.ts';
import { WeightedDraw } from './weightedDraw.ts';

function drawOf(weights: readonly bigint[]): WeightedDraw {
  let sum = 0n;
  return new WeightedDraw(
    BigUint64Array.from(weights, (weight) => {
      sum += weight;
      return sum;
    }),
  );
}

/** Gives the values in turn; throws when it must give more. */
function fixedBits(...values: bigint[]): Random64 {
  return (into) => {
    const value = values.shift();
    if (value === undefined) throw new Error('asked for one value too many');
    into[0] = Number(value >> 32n);
    into[1] = Number(value & 0xffffffffn);
  };
}

/** It is xorshift128+ from a fixed seed. */
function seededBits(seed: bigint): Random64 {
  const mask = 2n ** 64n - 1n;
  let [a, b] = [seed, 0x9e3779b97f4a7c15n];
  return (into) => {
    let x = a;
    a = b;
    x ^= (x << 23n) & mask;
    b = x ^ a ^ (x >> 17n) ^ (a >> 26n);
    const sum = (a + b) & mask;
    into[0] = Number(sum >> 32n);
    into[1] = Number(sum & 0xffffffffn);
  };
}

/** Finds the position that a value belongs to by adding up. */
function expectedPosition(weights: readonly bigint[], value: bigint): number {
  let sum = 0n;
  return weights.findIndex((weight) => {
    sum += weight;
    return value < sum;
  });
}

const maxUint64 = 2n ** 64n - 1n;

describe('WeightedDraw', () => {
  it.each([
    [[1n]],
    [[1n, 1n]],
    [[3n, 0n, 5n]],
    [[0n, 0n, 7n, 0n, 1n, 0n]],
    [[1n, 2n, 3n, 4n, 5n, 6n]],
    [Array.from({ length: 100 }, (_, index) => BigInt(index % 7))],
  ])('maps every value below the sum to the right book, and no other value to any: %s', (weights) => {
    const draw = drawOf(weights);
    const total = weights.reduce((sum, weight) => sum + weight, 0n);
    const powerAbove = 2n ** BigInt((total - 1n).toString(2).length);
    for (let value = 0n; value < total; value += 1n) {
      expect(draw.draw(fixedBits(value))).toBe(expectedPosition(weights, value));
    }
    for (let value = total; value < powerAbove; value += 1n) {
      expect(() => draw.draw(fixedBits(value))).toThrow('one value too many');
      expect(draw.draw(fixedBits(value, 0n))).toBe(expectedPosition(weights, 0n));
    }
  });

  it('gives each of n equally heavy books the same number of values', () => {
    const counts = new Map<number, number>();
    const draw = drawOf([2n, 2n, 2n]);
    for (let value = 0n; value < 6n; value += 1n) {
      const position = draw.draw(fixedBits(value));
      counts.set(position, (counts.get(position) ?? 0) + 1);
    }
    expect([...counts]).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  it('is exact at every border of weights up to 2^64−1 in sum', () => {
    const weight = fc.bigInt({ min: 0n, max: 2n ** 58n });
    const weightLists = fc.array(fc.oneof(weight, fc.bigInt({ min: 0n, max: 3n })), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(weightLists, (weights) => {
        const total = weights.reduce((sum, next) => sum + next, 0n);
        fc.pre(total > 0n);
        const draw = drawOf(weights);
        let sum = 0n;
        for (const next of weights) {
          for (const value of [sum, sum + next - 1n]) {
            if (value < 0n || value >= total) continue;
            expect(draw.draw(fixedBits(value))).toBe(expectedPosition(weights, value));
          }
          sum += next;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('finds for any ticket the first position whose cumulative weight is above it, as the draw does', () => {
    const weight = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 63n }), fc.bigInt({ min: 0n, max: 3n }), fc.constant(0n));
    const ticketOfTotal = fc.bigInt({ min: 0n, max: maxUint64 });
    fc.assert(
      fc.property(fc.array(weight, { minLength: 1, maxLength: 60 }), fc.array(ticketOfTotal), (all, tickets) => {
        // The sum of these weights has 64 bits.
        let total = 0n;
        const weights = all.filter((next) => {
          const fits = total + next <= maxUint64;
          if (fits) total += next;
          return fits;
        });
        fc.pre(total > 0n);
        const draw = drawOf(weights);
        for (const ticket of [0n, total - 1n, ...tickets.map((value) => value % total)]) {
          expect(draw.positionOf(ticket)).toBe(expectedPosition(weights, ticket));
          expect(draw.draw(fixedBits(ticket))).toBe(draw.positionOf(ticket));
        }
        for (const ticket of [-1n, total, 2n ** 64n]) expect(() => draw.positionOf(ticket)).toThrow(RangeError);
      }),
      { numRuns: 500 },
    );
  });

  it('reaches the last value of a sum of 2^64−1 and rejects the one above', () => {
    const draw = drawOf([1n, maxUint64 - 2n, 1n]);
    expect(draw.draw(fixedBits(0n))).toBe(0);
    expect(draw.draw(fixedBits(1n))).toBe(1);
    expect(draw.draw(fixedBits(maxUint64 - 2n))).toBe(1);
    expect(draw.draw(fixedBits(maxUint64 - 1n))).toBe(2);
    expect(draw.draw(fixedBits(maxUint64, maxUint64, 0n))).toBe(0);
  });

  it('refuses weights without a sum', () => {
    expect(() => drawOf([])).toThrow(RangeError);
    expect(() => drawOf([0n, 0n])).toThrow(RangeError);
  });

  it('draws 1,000,000 times from a fixed seed as a fair draw would (chi-square)', () => {
    const weights = Array.from({ length: 40 }, (_, index) => (index % 5 === 0 ? 0n : BigInt(index) ** 3n * 2n ** 40n));
    const total = weights.reduce((sum, weight) => sum + weight, 0n);
    const draw = drawOf(weights);
    const random = seededBits(20_250_101n);
    const counts = new Float64Array(weights.length);
    const draws = 1_000_000;
    for (let index = 0; index < draws; index += 1) {
      const position = draw.draw(random);
      counts[position] = (counts[position] as number) + 1;
    }
    let chiSquare = 0;
    for (const [position, weight] of weights.entries()) {
      const expected = (draws * Number(weight)) / Number(total);
      if (weight === 0n) expect(counts[position]).toBe(0);
      else chiSquare += ((counts[position] as number) - expected) ** 2 / expected;
    }
    // 32 books have a weight: 31 degrees of freedom, of which a fair draw exceeds 61.1 once in a
    // thousand seeds.
    expect(chiSquare).toBeLessThan(61.1);
    expect(chiSquare).toBeGreaterThan(9);
  });

  it('ends with an error when the source gives nothing but ones', () => {
    const draw = new WeightedDraw(BigUint64Array.of(2n, 5n));
    expect(() => draw.draw((into) => into.fill(0xffff_ffff))).toThrow(/1000 numbers that no draw can use/);
  });
});

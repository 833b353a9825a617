import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../draw/random.ts';
import { chiSquareTail, chiSquareTest } from './chiSquare.ts';

/** scipy.stats.chi2.sf gives these. */
const KNOWN = [
  [3.841458820694124, 1, 0.05],
  [1e-3, 1, 0.9747728793699604],
  [0.5, 3, 0.9188914116546758],
  [8.2, 16, 0.942687916876218],
  [30, 10, 0.000856641210775301],
  [63, 63, 0.47630238333813013],
  [220, 63, 2.893992150618166e-19],
  [400, 63, 1.683970337073224e-50],
  [150, 1, 1.7336432457178413e-34],
  [2040, 2040, 0.49583618825890896],
  [2700, 2040, 2.707131060927079e-21],
  [1_000_500, 1_000_000, 0.3616822317103044],
  [990_000, 1_000_000, 0.99999999999935],
] as const;

it.each(KNOWN)('the tail at %d with %d degrees of freedom is %d', (x, degrees, p) => {
  expect(Math.abs(chiSquareTail(x, degrees) / p - 1)).toBeLessThan(1e-8);
});

it('the tail falls from 1 and has its closed form with two degrees', () => {
  const place = fc.double({ min: 0, max: 2_000, noNaN: true });
  fc.assert(
    fc.property(place, place, fc.integer({ min: 1, max: 3_000 }), (one, other, degrees) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      expect(chiSquareTail(low, degrees)).toBeGreaterThanOrEqual(chiSquareTail(high, degrees) - 1e-12);
      expect(chiSquareTail(low, 2)).toBeCloseTo(Math.exp(-low / 2), 12);
    }),
  );
  expect(chiSquareTail(0, 5)).toBe(1);
});

it('the test adds up what is in the bins, and joins small ones', () => {
  expect(chiSquareTest([44, 56], [50, 50])).toMatchObject({ statistic: 1.44, degrees: 1 });
  // The bins are 3+3, 10, and the rest of 4 with the last full one.
  const joined = chiSquareTest([6, 2, 10, 11, 1], [3, 3, 10, 10, 4]);
  expect(joined.degrees).toBe(2);
  expect(joined.statistic).toBeCloseTo((8 - 6) ** 2 / 6 + 0 + (12 - 14) ** 2 / 14, 12);
  expect(chiSquareTest([7], [7])).toMatchObject({ degrees: 0, p: 1 });
  expect(chiSquareTest([1, 1], [1, 1]).p).toBe(1);
});

it('p is below any level about as often as the level says', () => {
  const random = seededRandom({ stream: 1, round: 1 });
  const runs = 2_000;
  const ps = Array.from({ length: runs }, () => {
    const counts = new Uint32Array(10);
    for (let draw = 0; draw < 500; draw += 1) {
      const bin = random.below(10);
      counts[bin] = (counts[bin] as number) + 1;
    }
    return chiSquareTest(counts, new Array(10).fill(50)).p;
  });
  for (const level of [0.01, 0.1, 0.5, 0.9]) {
    const below = ps.filter((p) => p < level).length;
    expect(Math.abs(below - runs * level)).toBeLessThan(5 * Math.sqrt(runs * level * (1 - level)));
  }
});

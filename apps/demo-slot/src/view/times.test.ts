import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { celebrationTimes, countCurve, countedMicros, lineShowTimes } from './times.ts';

it('shows lines one by one only at the normal pace, and only when there are several', () => {
  expect(lineShowTimes(3, 'normal').eachMs).toBeGreaterThan(0);
  expect(lineShowTimes(1, 'normal').eachMs).toBe(0);
  expect(lineShowTimes(3, 'turbo').eachMs).toBe(0);
});

it('never takes more than five seconds for all turns together', () => {
  for (let lines = 2; lines <= 20; lines++) {
    expect(lineShowTimes(lines, 'normal').eachMs * lines).toBeLessThanOrEqual(5000);
  }
});

it('takes no time at the instant pace', () => {
  const { drawMs, staggerMs, allMs, eachMs } = lineShowTimes(4, 'instant');
  expect([drawMs, staggerMs, allMs, eachMs]).toEqual([0, 0, 0, 0]);
});

describe('counting up', () => {
  const amount = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

  it('is exact at both ends, whole and inside them all the way', () => {
    fc.assert(
      fc.property(amount, amount, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, progress) => {
        const fromMicros = Math.min(one, other);
        const toMicros = Math.max(one, other);
        expect(countedMicros({ fromMicros, toMicros, progress: 0 })).toBe(fromMicros);
        expect(countedMicros({ fromMicros, toMicros, progress: 1 })).toBe(toMicros);
        const counted = countedMicros({ fromMicros, toMicros, progress });
        expect(Number.isSafeInteger(counted)).toBe(true);
        expect(counted).toBeGreaterThanOrEqual(fromMicros);
        expect(counted).toBeLessThanOrEqual(toMicros);
      }),
    );
  });

  it('never counts down on its way up', () => {
    let last = -1;
    for (let step = 0; step <= 1000; step++) {
      const counted = countedMicros({ fromMicros: 3, toMicros: 9_876_543_211, progress: countCurve(step / 1000) });
      expect(counted).toBeGreaterThanOrEqual(last);
      last = counted;
    }
    expect(last).toBe(9_876_543_211);
  });

  it('slows down towards the end', () => {
    expect(countCurve(0)).toBe(0);
    expect(countCurve(1)).toBe(1);
    expect(countCurve(0.5)).toBeGreaterThan(0.7);
  });
});

describe('the time that a celebration takes', () => {
  const tiers = ['win', 'big', 'mega', 'epic', 'max'] as const;

  it('grows with the tier: large wins count 2.5 to 8 seconds', () => {
    const counts = tiers.map((tier) => celebrationTimes(tier, 'normal').countMs);
    expect([...counts].sort((a, b) => a - b)).toEqual(counts);
    expect(new Set(counts).size).toBe(counts.length);
    expect(counts[1]).toBeGreaterThanOrEqual(2500);
    expect(counts[4]).toBeLessThanOrEqual(8000);
  });

  it('is shorter at faster paces, and none at all when nothing is to be shown', () => {
    for (const tier of tiers) {
      expect(celebrationTimes(tier, 'turbo').countMs).toBeLessThan(celebrationTimes(tier, 'normal').countMs);
      expect(celebrationTimes(tier, 'instant')).toEqual({ countMs: 0, holdMs: 0 });
    }
  });
});

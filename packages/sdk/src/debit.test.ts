import { describe, expect, it } from 'vitest';
import { debitOf } from './debit.ts';

describe('debitOf', () => {
  it.each([
    [1_000_000, 1, 1_000_000],
    [200_000, 1.25, 250_000],
    [100_000, 80, 8_000_000],
    // As floats: 1.1 × 3,000,000 is 3300000.0000000005, and 4.35 × 100 is 434.99999999999994.
    [3_000_000, 1.1, 3_300_000],
    [100, 4.35, 435],
    [9_007_199_254_740_991, 1, 9_007_199_254_740_991],
  ])('%i × %d is %i', (amount, costMultiplier, debit) => expect(debitOf({ amount, costMultiplier })).toBe(debit));

  it.each([
    ['a fraction of a micro', 1, 1.25],
    ['more than the range', 9_007_199_254_740_991, 2],
    ['an amount that is none', 0.5, 2],
    ['a multiplier that is none', 1_000_000, Number.NaN],
    ['a negative multiplier', 1_000_000, -1],
  ])('refuses %s', (_, amount, costMultiplier) => {
    expect(() => debitOf({ amount, costMultiplier })).toThrow(RangeError);
  });
});

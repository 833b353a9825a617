import { checkBet, toMicros } from '@roundhouse/contract/light';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BetLevelConfig, betLevelsOf, debitOf, nextBetLevel, previousBetLevel } from './bets.ts';

const config: BetLevelConfig = {
  minBet: 200_000,
  maxBet: 10_000_000,
  stepBet: 100_000,
  defaultBetLevel: 1_000_000,
  betLevels: [200_000, 1_000_000, 5_000_000],
};
const withoutLevels = { ...config, betLevels: [] };

/** Limits as a server has them, and worse: minBet and maxBet may lie off the step. */
const anyConfig = fc
  .record({
    minBet: fc.integer({ min: 1, max: 5_000_000 }),
    span: fc.oneof(fc.nat(100), fc.nat(1_000_000_000)),
    stepBet: fc.oneof(fc.constantFrom(1, 10_000, 100_000, 250_000, 300_000), fc.integer({ min: 1, max: 7_000_000 })),
    betLevels: fc.array(fc.integer({ min: 1, max: 10_000_000 }), { maxLength: 4 }),
    defaultBetLevel: fc.integer({ min: 1, max: 10_000_000 }),
  })
  .map(({ span, ...rest }) => ({ ...rest, maxBet: rest.minBet + span }));

function isValid(amount: number, { minBet, maxBet, stepBet }: BetLevelConfig): boolean {
  const limits = { minBet: toMicros(minBet), maxBet: toMicros(maxBet), stepBet: toMicros(stepBet) };
  return checkBet(amount, limits) === undefined;
}

describe('betLevelsOf', () => {
  it('gives the levels of the config', () => expect(betLevelsOf(config)).toEqual([200_000, 1_000_000, 5_000_000]));

  it('leaves out a level that the server would refuse', () => {
    expect(betLevelsOf({ ...config, betLevels: [100_000, 250_000, 300_000, 20_000_000] })).toEqual([300_000]);
  });

  it('makes a ladder of 1, 2, 5 when there are none', () => {
    const levels = [200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000];
    expect(betLevelsOf(withoutLevels)).toEqual(levels);
  });

  it('begins and ends the ladder with the limits, and has the default on it', () => {
    const levels = [300_000, 500_000, 700_000, 1_000_000, 1_900_000];
    expect(betLevelsOf({ ...withoutLevels, minBet: 300_000, maxBet: 1_900_000, defaultBetLevel: 700_000 })).toEqual(
      levels,
    );
  });

  it('takes multiples of the smallest bet where no round amount is divisible by the step', () => {
    const odd = { ...withoutLevels, minBet: 300_000, stepBet: 300_000, maxBet: 9_000_000, defaultBetLevel: 300_000 };
    expect(betLevelsOf(odd)).toEqual([300_000, 600_000, 1_500_000, 3_000_000, 6_000_000, 9_000_000]);
  });

  it('gives one level when there is one bet, none when there is none', () => {
    expect(betLevelsOf({ ...withoutLevels, minBet: 1_000_000, maxBet: 1_000_000 })).toEqual([1_000_000]);
    expect(betLevelsOf({ ...withoutLevels, minBet: 110_000, maxBet: 190_000 })).toEqual([]);
    expect(betLevelsOf({ ...withoutLevels, stepBet: 0 })).toEqual([]);
  });

  it('gives valid bets alone, ascending, each once, and some whenever there is a valid bet', () => {
    fc.assert(
      fc.property(anyConfig, (any) => {
        const levels = betLevelsOf(any);
        expect(levels.every((level) => isValid(level, any))).toBe(true);
        expect(levels).toEqual([...new Set(levels)].sort((left, right) => left - right));
        const lowest = Math.ceil(any.minBet / any.stepBet) * any.stepBet;
        expect(levels.length > 0).toBe(lowest <= any.maxBet);
      }),
    );
  });
});

describe('the plus and the minus button', () => {
  it.each([
    [200_000, 1_000_000, 200_000],
    [1_000_000, 5_000_000, 200_000],
    [5_000_000, 5_000_000, 1_000_000],
    [700_000, 1_000_000, 200_000],
    [6_000_000, 6_000_000, 5_000_000],
    [100, 200_000, 200_000],
    [99_000_000, 5_000_000, 5_000_000],
  ])('take %i up to %i and down to %i', (amount, up, down) => {
    expect(nextBetLevel(amount, config)).toBe(up);
    expect(previousBetLevel(amount, config)).toBe(down);
  });

  it('step through all levels, one by one', () => {
    fc.assert(
      fc.property(anyConfig, (any) => {
        const levels = betLevelsOf(any);
        levels.forEach((level, index) => {
          expect(nextBetLevel(level, any)).toBe(levels[index + 1] ?? level);
          expect(previousBetLevel(level, any)).toBe(levels[index - 1] ?? level);
        });
      }),
    );
  });

  it('never lower a valid bet on plus nor raise one on minus', () => {
    fc.assert(
      fc.property(anyConfig, fc.integer({ min: 1, max: 10_000_000 }), (any, amount) => {
        fc.pre(isValid(amount, any));
        expect(nextBetLevel(amount, any)).toBeGreaterThanOrEqual(amount);
        expect(previousBetLevel(amount, any)).toBeLessThanOrEqual(amount);
      }),
    );
  });

  it('leave the amount alone when there is no valid bet', () => {
    expect(nextBetLevel(150_000, { ...withoutLevels, minBet: 110_000, maxBet: 190_000 })).toBe(150_000);
  });
});

describe('debitOf', () => {
  it.each([
    [1_000_000, 1, 1_000_000],
    [200_000, 1.25, 250_000],
    [100_000, 80, 8_000_000],
    // Floats fail here: 1.1 × 3,000,000 is 3300000.0000000005, and 4.35 × 100 is
    // 434.99999999999994.
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BetConfigNumbers, type BetLimits, betConfigIssues, betsWithin, checkBet } from './betRules.ts';
import { MAX_MICROS, multiplyMicros, toMicros } from './money.ts';

const limits: BetLimits = { minBet: toMicros(200_000), maxBet: toMicros(5_000_000), stepBet: toMicros(100_000) };
const good: BetConfigNumbers = { ...limits, defaultBetLevel: 1_000_000, betLevels: [200_000, 1_000_000, 5_000_000] };

describe('checkBet: minBet ≤ bet ≤ maxBet and divisible by stepBet', () => {
  it.each([200_000, 300_000, 1_000_000, 5_000_000])('takes %i', (amount) => {
    expect(checkBet(amount, limits)).toBeUndefined();
  });

  it.each([
    [0, 'not-an-amount'],
    [-1_000_000, 'not-an-amount'],
    [1_000_000.5, 'not-an-amount'],
    [Number.NaN, 'not-an-amount'],
    [Number.POSITIVE_INFINITY, 'not-an-amount'],
    [1e300, 'not-an-amount'],
    [199_999, 'below-minimum'],
    [100_000, 'below-minimum'],
    [5_000_001, 'above-maximum'],
    [MAX_MICROS, 'above-maximum'],
    [1_000_001, 'off-step'],
  ] as const)('refuses %d: %s', (amount, issue) => expect(checkBet(amount, limits)).toBe(issue));

  it('takes exactly the multiples of the step between the limits', () => {
    const property = fc.property(fc.integer({ min: 1, max: 6_000_000 }), (amount) => {
      const valid = amount >= 200_000 && amount <= 5_000_000 && BigInt(amount) % 100_000n === 0n;
      expect(checkBet(amount, limits) === undefined).toBe(valid);
    });
    fc.assert(property);
  });
});

describe('betsWithin: the bets that some mode may take', () => {
  const costs = ['1.25', '1', '100'];

  it.each([
    [5_000_000, good],
    [4_999_999, { ...good, maxBet: 4_900_000, betLevels: [200_000, 1_000_000] }],
    [999_999, { ...good, maxBet: 900_000, defaultBetLevel: 200_000, betLevels: [200_000] }],
    [0, { ...good, maxBet: 200_000, defaultBetLevel: 200_000, betLevels: [200_000] }],
  ])('of a stake of %d', (maxStake, expected) => {
    expect(betsWithin(good, { maxStake: toMicros(maxStake), costs })).toEqual(expected);
  });

  it('are good settings, and the largest is the largest bet that its cheapest mode lets pass', () => {
    const stakes = fc.integer({ min: 0, max: 7_000_000 });
    const cost = fc.constantFrom('0.5', '1', '1.25', '3', '100');
    const property = fc.property(stakes, fc.array(cost, { minLength: 1, maxLength: 3 }), (stake, some) => {
      const bets = betsWithin(good, { maxStake: toMicros(stake), costs: some });
      expect(betConfigIssues(bets)).toEqual([]);
      const passes = (bet: number) => some.some((each) => (multiplyMicros(toMicros(bet), each) ?? 0) <= stake);
      expect(passes(bets.maxBet) || bets.maxBet === bets.minBet).toBe(true);
      expect(bets.maxBet === good.maxBet || !passes(bets.maxBet + good.stepBet)).toBe(true);
    });
    fc.assert(property);
  });
});

describe('betConfigIssues', () => {
  it('finds nothing wrong with a good configuration, with levels or without', () => {
    expect(betConfigIssues(good)).toEqual([]);
    expect(betConfigIssues({ ...good, betLevels: [] })).toEqual([]);
    expect(betConfigIssues({ ...good, maxBet: 200_000, defaultBetLevel: 200_000, betLevels: [200_000] })).toEqual([]);
  });

  it.each<[string, Partial<BetConfigNumbers>, string]>([
    ['a step of zero', { stepBet: 0 }, 'stepBet must be a positive whole number of micros, not 0'],
    ['a minimum of zero', { minBet: 0 }, 'minBet must be a positive whole number of micros, not 0'],
    ['a fraction', { maxBet: 0.5 }, 'maxBet must be a positive whole number of micros, not 0.5'],
    ['limits the wrong way round', { minBet: 6_000_000 }, 'minBet 6000000 is above maxBet 5000000'],
    ['a minimum off the step', { minBet: 250_000 }, 'minBet 250000 is not divisible by stepBet 100000'],
    ['a maximum off the step', { maxBet: 5_050_000 }, 'maxBet 5050000 is not divisible by stepBet 100000'],
    ['a default off the step', { defaultBetLevel: 250_000 }, 'defaultBetLevel 250000 is not a valid bet: off-step'],
    ['a level above the maximum', { betLevels: [6_000_000] }, 'betLevels[0] 6000000 is not a valid bet: above-maximum'],
    [
      'a level twice',
      { betLevels: [200_000, 200_000] },
      'betLevels[1] 200000 does not come after 200000: levels must ascend',
    ],
    [
      'levels that fall',
      { betLevels: [300_000, 200_000] },
      'betLevels[1] 200000 does not come after 300000: levels must ascend',
    ],
  ])('names %s', (_, change, sentence) => expect(betConfigIssues({ ...good, ...change })).toEqual([sentence]));

  it('names every issue', () => {
    const config = { ...good, defaultBetLevel: 1, betLevels: [1_000_001, 6_000_000] };
    expect(betConfigIssues(config)).toHaveLength(3);
    expect(betConfigIssues({ ...good, minBet: -1, maxBet: Number.NaN, stepBet: 0.1 })).toHaveLength(3);
  });
});

import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BetSettings, GameMode } from './catalogue.ts';
import { betsOfUnit, fitsUnit, levelsOffUnit } from './fitsUnit.ts';

const CENT = 10_000;

function mode(key: string, costMultiplier: string, payouts: readonly bigint[]): GameMode {
  return { key, costMultiplier, math: { distinctPayouts: payouts } } as unknown as GameMode;
}

it('a bet fits when the wallet can move its cost and every payout of its mode', () => {
  const payouts = fc.uniqueArray(fc.bigInt({ min: 0n, max: 10_000n }), { minLength: 1, maxLength: 6 });
  const cost = fc.constantFrom('1', '1.25', '100');
  const unit = fc.constantFrom(10, 1_000, CENT, 1_000_000);
  fc.assert(
    fc.property(payouts, cost, unit, fc.integer({ min: 1, max: 2_000 }), (distinct, costMultiplier, unit, steps) => {
      const amount = BigInt(steps * 1_000);
      const debit = (amount * BigInt(Number(costMultiplier) * 100)) / 100n;
      const moved = [debit * 100n, ...distinct.map((payout) => amount * payout)];
      const expected = moved.every((each) => each % (100n * BigInt(unit)) === 0n);
      expect(fitsUnit(mode('BASE', costMultiplier, distinct), toMicros(amount), unit)).toBe(expected);
    }),
  );
});

const tenths = [0n, 10n, 150n];
const modes = new Map([
  ['BASE', mode('BASE', '1', tenths)],
  ['ANTE', mode('ANTE', '1.25', tenths)],
]);
const bets: BetSettings = {
  minBet: toMicros(100_000),
  maxBet: toMicros(1_000_000),
  stepBet: toMicros(100_000),
  defaultBetLevel: 300_000,
  betLevels: [100_000, 200_000, 300_000, 400_000, 1_000_000],
} as BetSettings;

it('names the levels that do not fit, by mode', () => {
  expect(levelsOffUnit({ modes }, bets, 10)).toEqual([]);
  expect(levelsOffUnit({ modes }, bets, CENT)).toEqual([{ mode: 'ANTE', levels: [100_000, 300_000] }]);
  expect(levelsOffUnit({ modes }, { ...bets, betLevels: [] }, CENT)).toEqual([
    { mode: 'ANTE', levels: [100_000, 100_000] },
  ]);
});

it('keeps the levels that fit in every mode, with a least bet and a default among them', () => {
  expect(betsOfUnit({ modes }, bets, CENT)).toMatchObject({
    minBet: 200_000,
    defaultBetLevel: 200_000,
    betLevels: [200_000, 400_000, 1_000_000],
  });
  // If none fits, all stay: a launch is refused.
  expect(betsOfUnit({ modes }, bets, 7)).toBe(bets);
});

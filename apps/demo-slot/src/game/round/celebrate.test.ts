import fc from 'fast-check';
import { expect, it } from 'vitest';
import { winTierOf } from './celebrate.ts';

const ONE = { betMicros: 1_000_000, stakeMicros: 1_000_000 };

it.each([
  [0, undefined],
  [999_999, undefined],
  [1_000_000, 'win'],
  [9_999_999, 'win'],
  [10_000_000, 'big'],
  [25_000_000, 'mega'],
  [75_000_000, 'epic'],
  [4_999_999_999, 'epic'],
  [5_000_000_000, 'max'],
])('a payout of %i on a stake of 1,000,000 micros is celebrated as %s', (amountMicros, tier) => {
  expect(winTierOf(amountMicros, ONE)).toBe(tier);
});

it('measures a bought round by what was paid for it', () => {
  const bought = { betMicros: 1_000_000, stakeMicros: 80_000_000 };
  expect(winTierOf(79_999_999, bought)).toBeUndefined();
  expect(winTierOf(80_000_000, bought)).toBe('win');
  expect(winTierOf(800_000_000, bought)).toBe('big');
});

it('never celebrates what is below the stake', () => {
  const amounts = fc.integer({ min: 1, max: 1_000_000_000 });
  fc.assert(
    fc.property(amounts, amounts, amounts, (betMicros, stakeMicros, below) => {
      fc.pre(below < stakeMicros);
      expect(winTierOf(below, { betMicros, stakeMicros })).toBeUndefined();
    }),
  );
});

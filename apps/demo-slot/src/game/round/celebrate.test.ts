import fc from 'fast-check';
import { expect, it } from 'vitest';
import { winTierOf } from './celebrate.ts';

const BET = 1_000_000;
const PLAIN = { betMicros: BET, stakeMicros: BET };
const BOUGHT = { betMicros: BET, stakeMicros: 80 * BET };

it.each([
  [0, undefined],
  [999_999, undefined],
  [1_000_000, undefined],
  [1_000_001, 'win'],
  [9_999_999, 'win'],
  [10_000_000, 'big'],
  [25_000_000, 'mega'],
  [100_000_000, 'epic'],
  [4_999_999_999, 'epic'],
  [5_000_000_000, 'max'],
])('a round of %i micros on a bet of 1,000,000 is celebrated as %s', (micros, tier) => {
  expect(winTierOf({ amountMicros: micros, totalMicros: micros }, PLAIN)).toBe(tier);
});

it.each([
  [79 * BET, undefined],
  [80 * BET, undefined],
  [81 * BET, 'mega'],
  [131 * BET, 'epic'],
  [211 * BET, 'epic'],
  [5000 * BET, 'max'],
])(
  'bought free spins that pay %i micros in all are celebrated as %s, by the bet and above the price',
  (micros, tier) => {
    expect(winTierOf({ amountMicros: micros, totalMicros: micros }, BOUGHT)).toBe(tier);
  },
);

it('celebrates a spin by its own win, as soon as the round has paid more than its stake', () => {
  expect(winTierOf({ amountMicros: 30 * BET, totalMicros: 80 * BET }, BOUGHT)).toBeUndefined();
  expect(winTierOf({ amountMicros: 30 * BET, totalMicros: 90 * BET }, BOUGHT)).toBe('mega');
  expect(winTierOf({ amountMicros: BET, totalMicros: 90 * BET }, BOUGHT)).toBeUndefined();
});

it('celebrates the win that reaches the cap, however small it is', () => {
  expect(winTierOf({ amountMicros: 1, totalMicros: 5000 * BET }, BOUGHT)).toBe('max');
});

it('never celebrates a return below the stake', () => {
  const amounts = fc.integer({ min: 1, max: 1_000_000_000 });
  fc.assert(
    fc.property(amounts, amounts, amounts, (betMicros, stakeMicros, totalMicros) => {
      fc.pre(totalMicros <= stakeMicros);
      expect(winTierOf({ amountMicros: totalMicros, totalMicros }, { betMicros, stakeMicros })).toBeUndefined();
    }),
  );
});

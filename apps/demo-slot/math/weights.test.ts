import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tuned, tuningFactor, type Weighed } from './weights.ts';

function surplusOf(books: readonly Weighed[], target: bigint): bigint {
  return books.reduce((sum, book) => sum + book.weight * (BigInt(book.payoutMultiplier) - target), 0n);
}

describe('tuning', () => {
  it('scales what pays the target or more by one factor', () => {
    const books = [
      { payoutMultiplier: 0, weight: 3000n },
      { payoutMultiplier: 200, weight: 1000n },
    ];
    expect(tuningFactor(books, 96n)).toEqual({ numerator: 3000n * 96n, denominator: 1000n * 104n });
    const [nothing, win] = tuned(books, 96n);
    expect(Number(win?.weight) / Number(nothing?.weight)).toBeCloseTo(96 / 104, 10);
  });

  it('changes nothing where the mean is the target already', () => {
    const books = [
      { payoutMultiplier: 0, weight: 52n },
      { payoutMultiplier: 200, weight: 48n },
    ];
    expect(tuned(books, 96n)).toEqual(books);
  });

  it('reaches the target exactly, and changes no weight more than the factor and the correction need', () => {
    const payout = fc.integer({ min: 0, max: 500 }).map((tenths) => tenths * 10);
    const book = fc.record({ payoutMultiplier: payout, weight: fc.bigInt({ min: 10n ** 9n, max: 10n ** 12n }) });
    const ends = [
      { payoutMultiplier: 0, weight: 10n ** 12n },
      { payoutMultiplier: 100, weight: 10n ** 12n },
      { payoutMultiplier: 90, weight: 10n ** 12n },
    ];
    fc.assert(
      fc.property(fc.array(book, { minLength: 1, maxLength: 40 }), (more) => {
        const books = [...ends, ...more];
        const result = tuned(books, 96n);
        expect(surplusOf(result, 96n)).toBe(0n);
        const { numerator, denominator } = tuningFactor(books, 96n);
        for (const [place, { weight, payoutMultiplier }] of books.entries()) {
          const wanted = payoutMultiplier < 96 ? weight : (weight * numerator) / denominator;
          const moved = Number((result[place]?.weight ?? 0n) - wanted);
          expect(moved).toBeGreaterThanOrEqual(0);
          expect(moved).toBeLessThan(10_000);
        }
      }),
    );
  });

  it('refuses books that no weights can bring to the target', () => {
    expect(() => tuned([{ payoutMultiplier: 10, weight: 1n }], 96n)).toThrow(RangeError);
    expect(() => tuned([{ payoutMultiplier: 100, weight: 1n }], 96n)).toThrow(RangeError);
  });
});

import { describe, expect, it } from 'vitest';
import { tuned, tuningFactors } from './books.ts';

describe('tuning', () => {
  it('scales what pays the target or more, so that the mean is the target', () => {
    const books = [
      { payoutMultiplier: 0, weight: 3n },
      { payoutMultiplier: 200, weight: 1n },
    ];
    expect(tuned(books, { meanPayoutHundredths: 96n })).toEqual([
      { payoutMultiplier: 0, weight: 39n },
      { payoutMultiplier: 200, weight: 36n },
    ]);
  });

  it('changes nothing where the mean is the target already', () => {
    const books = [
      { payoutMultiplier: 0, weight: 52n },
      { payoutMultiplier: 200, weight: 48n },
    ];
    expect(tuningFactors(books, 96n)).toEqual({ less: 1n, more: 1n });
    expect(tuned(books, { meanPayoutHundredths: 96n })).toEqual(books);
  });

  it('refuses books that no weights can bring to the target', () => {
    expect(() => tuned([{ payoutMultiplier: 10, weight: 1n }], { meanPayoutHundredths: 96n })).toThrow(RangeError);
    expect(() => tuned([{ payoutMultiplier: 100, weight: 1n }], { meanPayoutHundredths: 96n })).toThrow(RangeError);
  });
});

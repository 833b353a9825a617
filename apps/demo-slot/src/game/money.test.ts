import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countStep, paidMicros } from './money.ts';

it('multiplies exactly where a float would not', () => {
  // 4503599627370.0 × 1.15 as floats is 5179139571475.499.
  expect(paidMicros({ betMicros: 4_503_599_627_300, hundredths: 115 })).toBe(5_179_139_571_395);
});

it('counts in whole cents, and ends with the exact amount', () => {
  const end = { endMicros: 1_234_567, currency: 'EUR' } as const;
  expect(countStep(999_999.7, end)).toBe(990_000);
  expect(countStep(1_234_567, end)).toBe(1_234_567);
  expect(countStep(-5, end)).toBe(0);
});

it('counts in whole units where the currency has no decimals', () => {
  expect(countStep(12_900_000.5, { endMicros: 20_000_000, currency: 'JPY' })).toBe(12_000_000);
});

it('never counts further than the end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e12 }), fc.double({ min: 0, max: 2, noNaN: true }), (endMicros, part) => {
      const step = countStep(endMicros * part, { endMicros, currency: 'USD' });
      expect(step).toBeLessThanOrEqual(endMicros);
      expect(Number.isInteger(step)).toBe(true);
    }),
  );
});

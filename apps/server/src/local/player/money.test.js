import { describe, expect, it } from 'vitest';
import { decimalOfMicros, microsOfHundredths, moneyFormat, timesDecimal, timesOfHundredths } from './money.js';

describe('money', () => {
  it.each([
    [0, '0'],
    [1, '0.000001'],
    [100_000, '0.1'],
    [1_000_000, '1'],
    [1_500_000, '1.5'],
    [-2_000_001, '-2.000001'],
    [Number.MAX_SAFE_INTEGER, '9007199254.740991'],
  ])('writes %i micros as %s', (micros, text) => {
    expect(decimalOfMicros(micros)).toBe(text);
  });

  it.each([
    ['USD', 1_500_000, '$1.50'],
    ['USD', 1_234_567_890_000, '$1,234,567.89'],
    ['USD', 1, '$0.000001'],
    ['JPY', 100_000_000, '¥100'],
    ['JPY', 100_500_000, '¥100.5'],
    ['XGC', 1_000_000_000, 'GC 1,000.00'],
    ['XSC', 100_000, 'SC 0.10'],
    ['', 100_000, '0.10'],
  ])('writes %s %i as %s, never rounded', (currency, micros, text) => {
    expect(moneyFormat({ language: 'en', currency })(micros)).toBe(text);
  });

  it.each([
    [1_000_000, 100, 100_000_000],
    [100_000, 1.25, 125_000],
    [700_000, 1.1, 770_000],
    [90_071_992_547_410, 99.9, 8_998_192_055_486_259],
  ])('multiplies %i by %d without a float in between', (micros, factor, product) => {
    expect(timesDecimal(micros, factor)).toBe(product);
  });

  it('gives no price where it would not be whole micros, nor for what is no decimal', () => {
    expect(timesDecimal(1, 0.5)).toBeNull();
    expect(timesDecimal(1, 1e-9)).toBeNull();
    expect(timesDecimal(1, 'free')).toBeNull();
  });

  it('turns the amounts of a book into multiples and into money', () => {
    expect(timesOfHundredths(30)).toBe('0.30×');
    expect(timesOfHundredths(100_005)).toBe('1000.05×');
    expect(microsOfHundredths(100_000_000_000, 100_000)).toBe(100_000_000_000_000);
  });
});

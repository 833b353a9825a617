import { describe, expect, it } from 'vitest';
import { amountText, readAmount } from './money.ts';

describe('amountText', () => {
  it.each([
    [1_234_500_000, 'EUR', '€1,234.50'],
    [0, 'USD', '$0.00'],
    [-5_000_000, 'USD', '−$5.00'],
    [1_000_000, 'JPY', '¥1'],
    [1_500_000, 'JPY', '¥1.5'],
    [1, 'USD', '$0.000001'],
    [12_000_000, 'DKK', '12.00\u00a0kr'],
    [3_000_000, 'IDR', 'Rp\u00a03'],
    [2_500_000, 'KWD', 'KWD\u00a02.500'],
    [2_500_000, 'XGC', '2.50\u00a0GC'],
  ])('writes %i micros of %s as %s', (micros, currency, text) => expect(amountText(micros, currency)).toBe(text));

  it('writes plain units without a currency', () => expect(amountText(1_234_500_000)).toBe('1,234.5'));

  it('writes a sum that no float holds', () => {
    expect(amountText('9007199254740993123456', 'EUR')).toBe('€9,007,199,254,740,993.123456');
  });
});

describe('readAmount', () => {
  it.each([
    ['12.50', 12_500_000],
    [' 1,000 ', 1_000_000_000],
    ['-0.000001', -1],
    ['0', 0],
  ])('reads %s', (text, micros) => expect(readAmount(text, 'EUR')).toBe(micros));

  it.each(['', '1e3', '0.0000001', '1.2.3', 'abc', '9007199254.740992', '١'])('refuses "%s"', (text) => {
    expect(readAmount(text, 'EUR')).toBeUndefined();
  });
});

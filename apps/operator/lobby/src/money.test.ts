import { learnCurrency, MAX_MICROS } from '@roundhouse/contract/light';
import { describe, expect, it } from 'vitest';
import { amountText, currencyOptions, plainAmountText, readAmount, signedAmountText } from './money.ts';

it.each([
  // Writes digits in groups, and the decimals of the currency.
  [1_234_500_000, 'USD', '$1,234.50'],
  [5_000_000_000, 'JPY', '¥5,000'],
  [0, 'EUR', '€0.00'],
  // Writes the symbol on its side, and letters with a space.
  [1_500_000, 'PLN', '1.50\u00a0zł'],
  [2_000_000, 'IDR', 'Rp\u00a02'],
  [3_000_000, 'XGC', '3.00\u00a0GC'],
  // Is exact.
  [1, 'USD', '$0.000001'],
  [5_500_000, 'JPY', '¥5.5'],
  [MAX_MICROS, 'USD', '$9,007,199,254.740991'],
  [-1_000_000, 'USD', '−$1.00'],
] as const)('%i micros of %s are %s', (micros, currency, text) => {
  expect(amountText(micros, { currency, isSocial: false })).toBe(text);
});

it.each([
  [-1_234_500_000, 'USD', '−1,234.50\u00a0GC'],
  [5_000_000_000, 'JPY', '5,000.00\u00a0GC'],
  [1_500_000, 'PLN', '1.50\u00a0GC'],
  [3_000_000, 'XSC', '3.00\u00a0SC'],
] as const)('in social mode %i micros of %s are %s', (micros, currency, text) => {
  expect(amountText(micros, { currency, isSocial: true })).toBe(text);
});

it.each([
  [1_000_000, '+$1.00'],
  [-250_000, '−$0.25'],
  [0, '$0.00'],
])('%i micros with a sign are %s', (micros, text) => {
  expect(signedAmountText(micros, { currency: 'USD', isSocial: false })).toBe(text);
});

it('refuses an amount that is not whole', () => {
  expect(() => amountText(0.5, { currency: 'USD', isSocial: false })).toThrow(RangeError);
});

describe('readAmount', () => {
  it.each([
    ['1000', 1_000_000_000],
    ['1,234.50', 1_234_500_000],
    [' 0.000001 ', 1],
    ['0', 0],
    ['9007199254.740991', MAX_MICROS],
  ])('reads %s', (text, micros) => {
    expect(readAmount(text, 'USD')).toBe(micros);
  });

  it.each(['', '-1', '1.0000001', '1e3', '.5', 'ten', '9007199254.740992', '1,2'])('does not read "%s"', (text) => {
    expect(readAmount(text, 'USD')).toBeUndefined();
  });

  it('reads what plainAmountText has written', () => {
    for (const micros of [0, 1, 999_999, 1_000_000, 1_234_567_890, MAX_MICROS]) {
      expect(readAmount(plainAmountText(micros), 'USD')).toBe(micros);
    }
  });
});

it('shows and reads a currency of the server in its own unit', () => {
  learnCurrency({
    code: 'BTC',
    kind: 'regular',
    symbol: '₿',
    decimals: 8,
    symbolSide: 'before',
    wireUnitsPerUnit: 100,
  });
  const style = { currency: 'BTC', isSocial: false };
  expect(amountText(123_456_789, style)).toBe('₿1.23456789');
  expect(amountText(100_000_000, style)).toBe('₿1.00000000');
  expect(readAmount('1.23456789', 'BTC')).toBe(123_456_789);
});

it('lists currencies in groups, the many of ISO 4217 last', () => {
  learnCurrency({ code: 'GEMS', kind: 'social', symbol: '◆', decimals: 0, symbolSide: 'before' });
  const groups = currencyOptions(['USD', 'XGC', 'GBP', 'GEMS', 'EUR']).map(({ value, group }) => `${value} ${group}`);
  expect(groups).toEqual(['USD Regular', 'EUR Regular', 'XGC Social', 'GEMS Social', 'GBP ISO 4217']);
});

import { MAX_MICROS } from '@roundhouse/contract/light';
import { describe, expect, it } from 'vitest';
import { amountText, plainAmountText, readAmount, signedAmountText } from './money.ts';

describe('amountText', () => {
  it('groups the digits and gives the decimals of the currency', () => {
    expect(amountText(1_234_500_000, 'USD')).toBe('$1,234.50');
    expect(amountText(5_000_000_000, 'JPY')).toBe('¥5,000');
    expect(amountText(0, 'EUR')).toBe('€0.00');
  });

  it('puts the symbol on its side, letters at a distance', () => {
    expect(amountText(1_500_000, 'PLN')).toBe('1.50\u00a0zł');
    expect(amountText(2_000_000, 'IDR')).toBe('Rp\u00a02');
    expect(amountText(3_000_000, 'XGC')).toBe('3.00\u00a0GC');
  });

  it('rounds nothing away', () => {
    expect(amountText(1, 'USD')).toBe('$0.000001');
    expect(amountText(5_500_000, 'JPY')).toBe('¥5.5');
    expect(amountText(MAX_MICROS, 'USD')).toBe('$9,007,199,254.740991');
  });

  it('signs what went out, and with signedAmountText what came in', () => {
    expect(amountText(-1_000_000, 'USD')).toBe('−$1.00');
    expect(signedAmountText(1_000_000, 'USD')).toBe('+$1.00');
    expect(signedAmountText(-250_000, 'USD')).toBe('−$0.25');
    expect(signedAmountText(0, 'USD')).toBe('$0.00');
  });

  it('refuses what is not whole', () => {
    expect(() => amountText(0.5, 'USD')).toThrow(RangeError);
  });
});

describe('readAmount', () => {
  it.each([
    ['1000', 1_000_000_000],
    ['1,234.50', 1_234_500_000],
    [' 0.000001 ', 1],
    ['0', 0],
    ['9007199254.740991', MAX_MICROS],
  ])('reads %s', (text, micros) => {
    expect(readAmount(text)).toBe(micros);
  });

  it.each(['', '-1', '1.0000001', '1e3', '.5', 'ten', '9007199254.740992', '1,2'])('does not read "%s"', (text) => {
    expect(readAmount(text)).toBeUndefined();
  });

  it('reads what plainAmountText has written', () => {
    for (const micros of [0, 1, 999_999, 1_000_000, 1_234_567_890, MAX_MICROS]) {
      expect(readAmount(plainAmountText(micros))).toBe(micros);
    }
  });
});

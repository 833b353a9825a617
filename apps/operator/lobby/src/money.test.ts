import { learnCurrency } from '@roundhouse/contract/light';
import { expect, it } from 'vitest';
import { amountText, currencyOptions, signedAmountText } from './money.ts';

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

it('lists currencies in groups, the many of ISO 4217 last', () => {
  learnCurrency({ code: 'GEMS', kind: 'social', symbol: '◆', decimals: 0, symbolSide: 'before' });
  const groups = currencyOptions(['USD', 'XGC', 'GBP', 'GEMS', 'EUR']).map(({ value, group }) => `${value} ${group}`);
  expect(groups).toEqual(['USD Regular', 'EUR Regular', 'XGC Social', 'GEMS Social', 'GBP ISO 4217']);
});

import { describe, expect, it } from 'vitest';
import { currencyFacts, learnCurrency } from './displayFacts.ts';
import { MAX_MICROS } from './money.ts';
import { moneyText, plainMoneyText, readMoney } from './moneyText.ts';

it.each([
  // Writes digits in groups, and the decimals of the currency.
  [1_234_500_000, 'EUR', '€1,234.50'],
  [5_000_000_000, 'JPY', '¥5,000'],
  [0, 'USD', '$0.00'],
  [2_500_000, 'KWD', 'KWD\u00a02.500'],
  // Writes the symbol on its side, and letters with a space.
  [12_000_000, 'DKK', '12.00\u00a0kr'],
  [3_000_000, 'IDR', 'Rp\u00a03'],
  [3_000_000, 'PEN', 'S/\u00a03.00'],
  [2_500_000, 'XGC', '2.50\u00a0GC'],
  // Is exact, also for a sum that no float holds.
  [1, 'USD', '$0.000001'],
  [1_500_000, 'JPY', '¥1.5'],
  [MAX_MICROS, 'USD', '$9,007,199,254.740991'],
  ['9007199254740993123456', 'EUR', '€9,007,199,254,740,993.123456'],
  [-5_000_000n, 'USD', '−$5.00'],
] as const)('%s micros of %s are %s', (micros, currency, text) => {
  expect(moneyText(micros, currencyFacts(currency))).toBe(text);
});

it('refuses an amount that is not whole', () => {
  expect(() => moneyText(0.5, currencyFacts('USD'))).toThrow(RangeError);
});

describe('readMoney', () => {
  it.each([
    ['1000', 1_000_000_000],
    ['12.50', 12_500_000],
    [' 1,234.50 ', 1_234_500_000],
    ['0.000001', 1],
    ['0', 0],
    ['9007199254.740991', MAX_MICROS],
  ])('reads %s', (text, micros) => expect(readMoney(text, 'USD')).toBe(micros));

  it.each([...['', '-1', '1.0000001', '1e3', '.5', 'ten', '1.2.3', '9007199254.740992', '1,2', '١']])(
    'does not read "%s"',
    (text) => expect(readMoney(text, 'USD')).toBeUndefined(),
  );

  it('reads what plainMoneyText has written', () => {
    for (const currency of ['USD', 'JPY', 'KWD']) {
      for (const micros of [0, 1, 999_999, 1_000_000, 1_234_567_890, MAX_MICROS]) {
        expect(readMoney(plainMoneyText(micros, currencyFacts(currency)), currency)).toBe(micros);
      }
    }
    expect(plainMoneyText(1_500_000, currencyFacts('USD'))).toBe('1.50');
  });
});

it('shows and reads a currency of the server in its own unit', () => {
  const facts = { kind: 'regular', symbol: '₿', decimals: 8, symbolSide: 'before', wireUnitsPerUnit: 100 } as const;
  learnCurrency({ code: 'BTC', ...facts });
  expect(moneyText(123_456_789, facts)).toBe('₿1.23456789');
  expect(moneyText(100_000_000, facts)).toBe('₿1.00000000');
  expect(readMoney('1.23456789', 'BTC')).toBe(123_456_789);
});

import { KNOWN_CURRENCY_CODES } from '@roundhouse/contract';
import {
  CURRENCIES,
  CURRENCY_CODES,
  type CurrencyCode,
  LANGUAGES,
  type Language,
  learnCurrency,
  MAX_MICROS,
} from '@roundhouse/contract/light';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAmount } from './formatAmount.ts';
import { parseAmount } from './input.ts';
import { numberMarksOf } from './numberMarks.ts';

const languages = Object.keys(LANGUAGES) as Language[];
learnCurrency({ code: 'BTC', kind: 'regular', symbol: '₿', decimals: 8, symbolSide: 'before', wireUnitsPerUnit: 100 });

/** Draws a code of ISO 4217, one that a server configures, or one without known facts. */
const anyCurrency = fc.constantFrom(...KNOWN_CURRENCY_CODES, 'BTC', 'USDT');
const anyLanguage = fc.constantFrom(...languages);
const anyAmount = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(20_000_000),
  fc.nat(9_000_000).map((units) => units * 1_000_000),
);

/** Shows the text's no-break spaces as underscores: in a test that fails they must be seen. */
function shown(amountMicros: number, currency: CurrencyCode, language: Language, decimals?: number): string {
  const text = formatAmount(amountMicros, currency, decimals === undefined ? { language } : { language, decimals });
  return text.replace(/[\u00a0\u202f]/g, '_');
}

describe('formatAmount', () => {
  it.each([
    ['USD', '$1,234.50'],
    ['CAD', 'CA$1,234.50'],
    ['JPY', '¥1,234.5'],
    ['EUR', '€1,234.50'],
    ['RUB', '1,234.50_₽'],
    ['CNY', 'CN¥1,234.50'],
    ['PHP', '₱1,234.50'],
    ['INR', '₹1,234.50'],
    ['IDR', 'Rp_1,234.5'],
    ['KRW', '₩1,234.5'],
    ['BRL', 'R$1,234.50'],
    ['MXN', 'MX$1,234.50'],
    ['DKK', '1,234.50_kr'],
    ['PLN', '1,234.50_zł'],
    ['VND', '1,234.5_₫'],
    ['TRY', '₺1,234.50'],
    ['CLP', 'CLP$1,234.5'],
    ['ARS', 'ARS$1,234.50'],
    ['PEN', 'S/_1,234.50'],
    ['XGC', '1,234.50_GC'],
    ['XSC', '1,234.50_SC'],
  ] as const)('writes %s with its symbol on its side: %s', (currency, text) => {
    expect(shown(1_234_500_000, currency, 'en')).toBe(text);
  });

  it.each([
    // From right to left a symbol behind the number is on its left side.
    ['ar', '\u2066-€1,234,567.50\u2069'],
    ['de', '-1.234.567,50_€'],
    ['en', '-€1,234,567.50'],
    ['es', '-1.234.567,50_€'],
    ['fi', '\u22121_234_567,50_€'],
    ['fr', '-1_234_567,50_€'],
    ['hi', '-€12,34,567.50'],
    ['id', '-€1.234.567,50'],
    ['ja', '-€1,234,567.50'],
    ['ko', '-€1,234,567.50'],
    ['pl', '-1_234_567,50_€'],
    ['pt', '-€_1.234.567,50'],
    ['ru', '-1_234_567,50_€'],
    ['tr', '-€1.234.567,50'],
    ['vi', '-1.234.567,50_€'],
    ['zh', '-€1,234,567.50'],
  ] as const)('groups, marks decimals and places the symbol as %s does: %s', (language, text) => {
    expect(shown(-1_234_567_500_000, 'EUR', language)).toBe(text);
  });

  it.each([
    ['en', 'GBP', '£1,234.50'],
    ['en', 'CHF', 'CHF_1,234.50'],
    ['en', 'KWD', 'KWD_1,234.500'],
    ['en', 'ISK', 'ISK_1,234.5'],
    ['de', 'CHF', '1.234,50_CHF'],
    ['ja', 'GBP', '£1,234.50'],
    ['en', 'USDT', 'USDT_1,234.50'],
  ] as const)('writes in %s other currencies of ISO 4217 as CLDR does: %s', (language, currency, text) => {
    expect(shown(1_234_500_000, currency, language)).toBe(text);
  });

  it('writes a currency of the server in its own unit, exactly', () => {
    expect(shown(100_000_000, 'BTC', 'en')).toBe('₿1.00000000');
    expect(shown(1, 'BTC', 'en')).toBe('₿0.00000001');
    expect(shown(1_000, 'BTC', 'de')).toBe('0,00001000_₿');
    expect(shown(100_000_000, 'BTC', 'en', 0)).toBe('₿1');
    expect(shown(MAX_MICROS, 'BTC', 'en')).toBe('₿90,071,992.54740991');
  });

  it('is English when no language is named', () => expect(formatAmount(1_000_000, 'USD')).toBe('$1.00'));

  it.each([
    [0, 'USD', '$0.00'],
    [5_000, 'USD', '$0.005'],
    [1, 'USD', '$0.000001'],
    [1_100_000, 'USD', '$1.10'],
    [1_999_999, 'USD', '$1.999999'],
    [500_000, 'JPY', '¥0.5'],
    [999_999_995_000, 'XGC', '999,999.995_GC'],
  ] as const)('rounds nothing away: %i micros of %s are %s', (amount, currency, text) => {
    expect(shown(amount, currency, 'en')).toBe(text);
  });

  it.each([
    ['en', 'USD', '-1,234.50_GC'],
    ['de', 'EUR', '-1.234,50_GC'],
    ['pt', 'BRL', '-1.234,50_GC'],
    ['ar', 'PLN', '\u2066-1,234.50_GC\u2069'],
    ['en', 'JPY', '-1,234.50_GC'],
    ['en', 'BTC', '-12.345_GC'],
    ['en', 'XSC', '-1,234.50_SC'],
  ] as const)('writes in %s amounts of %s as coins in social mode: %s', (language, currency, text) => {
    const written = formatAmount(-1_234_500_000, currency, { language, social: true });
    expect(written.replace(/[\u00a0\u202f]/g, '_')).toBe(text);
  });

  it('writes no currency of money with its own sign in social mode', () => {
    for (const currency of [...KNOWN_CURRENCY_CODES, 'BTC'].filter((code) => code !== 'XSC')) {
      for (const language of languages) {
        const text = formatAmount(1_234_567_500_000, currency, { language, social: true });
        expect(text.replace('GC', '')).toMatch(/^\u2066?[\d.,\s\u00a0\u202f]+\u2069?$/);
      }
    }
  });

  it('is exact up to both ends of the range', () => {
    expect(shown(MAX_MICROS, 'USD', 'en')).toBe('$9,007,199,254.740991');
    expect(shown(-MAX_MICROS, 'USD', 'en')).toBe('-$9,007,199,254.740991');
    expect(shown(MAX_MICROS - 1, 'PLN', 'fi')).toBe('9_007_199_254,74099_zł');
  });

  it('shows a whole amount with the requested decimals, and any other as a price', () => {
    expect(shown(5_000_000, 'USD', 'en', 0)).toBe('$5');
    expect(shown(5_500_000, 'USD', 'en', 0)).toBe('$5.50');
    expect(shown(5_005_000, 'USD', 'en', 0)).toBe('$5.005');
    expect(shown(5_500_000, 'JPY', 'en', 0)).toBe('¥5.5');
    expect(shown(5_000_000, 'JPY', 'de', 2)).toBe('5,00_¥');
    expect(shown(5_000_000, 'USD', 'en', 9)).toBe('$5.000000');
  });

  it('shows social coins without any currency sign', () => {
    for (const language of languages) {
      for (const currency of ['XGC', 'XSC'] as const) {
        expect(formatAmount(-1_234_000_000, currency, { language })).not.toMatch(/\p{Sc}/u);
      }
    }
  });

  it('keeps number and symbol on one line', () => {
    fc.assert(
      fc.property(anyAmount, anyCurrency, anyLanguage, (amount, currency, language) => {
        expect(formatAmount(amount, currency, { language })).not.toMatch(/ /);
      }),
    );
  });

  it('writes the digits 0 to 9 in every language', () => {
    for (const language of languages) {
      const digits = formatAmount(1_234_567_890_000_000, 'USD', { language })
        .match(/\p{Nd}/gu)
        ?.join('');
      expect(digits).toBe('123456789000');
    }
  });

  it('isolates an amount in a language that is written from right to left, and no other', () => {
    for (const language of languages) {
      const isIsolated = /^\u2066[^\u2066\u2069]+\u2069$/.test(formatAmount(-1, 'USD', { language }));
      expect(isIsolated).toBe(LANGUAGES[language].direction === 'rtl');
    }
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d, which is not an amount', (amount) => {
    expect(() => formatAmount(amount, 'USD')).toThrow(RangeError);
  });

  it('is read back by parseAmount as the same amount', () => {
    fc.assert(
      fc.property(anyAmount, anyCurrency, anyLanguage, fc.nat(6), (amount, currency, language, decimals) => {
        expect(parseAmount(formatAmount(amount, currency, { language }), currency, { language })).toBe(amount);
        const options = { language, decimals };
        expect(parseAmount(formatAmount(amount, currency, options), currency, { language })).toBe(amount);
      }),
      { numRuns: 3000 },
    );
  });

  it('says the same as Intl does where a number can hold the amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), anyLanguage, (hundredths, language) => {
        const byIntl = new Intl.NumberFormat(`${language}-u-nu-latn`, { minimumFractionDigits: 2 });
        const number = formatAmount(hundredths * 10_000, 'XGC', { language }).replace(/[\u2066\u2069]|\u00a0GC/g, '');
        expect(number).toBe(byIntl.format(hundredths / 100));
      }),
    );
  });

  it('has a symbol for every currency', () => {
    for (const currency of CURRENCY_CODES) {
      for (const language of languages) {
        expect(formatAmount(1, currency, { language })).toContain(CURRENCIES[currency].symbol);
      }
    }
  });
});

it('takes the digits 0 to 9 also where the language has others by default', () => {
  // Which digits plain `ar` has depends on the version of ICU; in Egypt they are Arabic in all of
  // them.
  expect(new Intl.NumberFormat('ar-EG').format(12)).toBe('١٢');
  const marks = numberMarksOf('ar-EG' as Language);
  expect(marks.writeWhole(1234)).toBe('1,234');
  expect(marks).toMatchObject({ group: ',', decimal: '.', minus: '-', groupDigits: 3 });
});

it('knows that Hindi groups by two', () => expect(numberMarksOf('hi').groupDigits).toBe(2));

it('asks Intl once for each language', () => expect(numberMarksOf('de')).toBe(numberMarksOf('de')));

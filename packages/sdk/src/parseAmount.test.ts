import type { CurrencyCode, Language } from '@roundhouse/contract/light';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAmount } from './input.ts';

describe('parseAmount reads', () => {
  it.each<[string, Language, number]>([
    ['1.234', 'de', 1_234_000_000],
    ['1.234', 'en', 1_234_000],
    ['1,234', 'en', 1_234_000_000],
    ['1,234', 'fr', 1_234_000],
    ['1.234,5', 'de', 1_234_500_000],
    ['1,234.5', 'en', 1_234_500_000],
    ['1.234.567,891', 'tr', 1_234_567_891_000],
    ['12,34,567', 'hi', 1_234_567_000_000],
    ['1,234,567', 'hi', 1_234_567_000_000],
    ['1234', 'es', 1_234_000_000],
    ['1.234', 'es', 1_234_000_000],
    ['5', 'en', 5_000_000],
    ['5.', 'en', 5_000_000],
    ['.5', 'en', 500_000],
    ['0,000001', 'pl', 1],
    ['007', 'en', 7_000_000],
    ['0', 'en', 0],
    ['9007199254.740991', 'en', 9_007_199_254_740_991],
  ])('%s in %s', (text, language, micros) => expect(parseAmount(text, 'EUR', { language })).toBe(micros));

  it.each<[string, string, Language]>([
    ['plain spaces', '1 234,5', 'fr'],
    ['no-break spaces', '1\u00a0234,5', 'fr'],
    ['narrow no-break spaces', '1\u202f234,5', 'fr'],
    ['thin spaces', '1\u2009234,5', 'ru'],
    ['ideographic spaces around it', '\u30001,234.5\u3000', 'ja'],
    ['spaces as groups where they are not usual', '1 234.5', 'en'],
    ['Arabic digits and marks', '١٬٢٣٤٫٥', 'ar'],
    ['Persian digits', '۱۲۳۴٫۵', 'ar'],
    ['Hindi digits', '१,२३४.५', 'hi'],
    ['wide digits and marks', '１，２３４．５', 'ja'],
    ['direction marks', '\u2066\u200f1,234.5\u061c\u2069', 'ar'],
  ])('%s', (_, text, language) => expect(parseAmount(text, 'EUR', { language })).toBe(1_234_500_000));

  it.each<[string, CurrencyCode]>([
    ['$5', 'USD'],
    ['5 $', 'USD'],
    ['CA$5', 'CAD'],
    ['$5', 'CAD'],
    ['cad 5', 'CAD'],
    ['5CAD', 'CAD'],
    ['￥5', 'JPY'],
    ['5 ZŁ', 'PLN'],
    ['Rp 5', 'IDR'],
    ['S/5', 'PEN'],
    ['5 GC', 'XGC'],
    ['gc 5', 'XGC'],
    ['£5', 'GBP'],
    ['gbp 5', 'GBP'],
  ])('%s of %s', (text, currency) => expect(parseAmount(text, currency)).toBe(5_000_000));

  it('English when no language is named', () => expect(parseAmount('1,234.5', 'EUR')).toBe(1_234_500_000));
});

describe('parseAmount refuses', () => {
  it.each<[string, string, Language]>([
    ['nothing', '', 'en'],
    ['spaces', '  ', 'en'],
    ['a mark alone', '.', 'en'],
    ['a symbol alone', '€', 'en'],
    ['more than six decimals', '1.0000000', 'en'],
    ['two decimal marks', '1.2.3', 'en'],
    ['two decimal marks in another language', '1,2,3', 'de'],
    ['a group after the decimals', '1.234,567', 'en'],
    ['letters', '1a', 'en'],
    ['an exponent', '1e3', 'en'],
    ['hexadecimal', '0x10', 'en'],
    ['a minus', '-5', 'en'],
    ['a true minus', '\u22125', 'fi'],
    ['a minus after the symbol', '€-5', 'en'],
    ['a plus', '+5', 'en'],
    ['brackets', '(5)', 'en'],
    ['two symbols', '€5€', 'en'],
    ['the symbol in the middle', '5€5', 'en'],
    ['the symbol of another currency', '₺5', 'en'],
    ['a group that is too short', '1.5', 'de'],
    ['a group that is too long', '1.2345', 'de'],
    ['a first group that is too long', '1234.567', 'de'],
    ['a group of two outside Hindi', '12,34,567', 'en'],
    ['a last group of two', '12,34', 'hi'],
    ['groups of two kinds', '1 234,567', 'en'],
    ['an empty group', '1,,234', 'en'],
    ['a group mark in front', ',234', 'en'],
    ['a mark of another language', '1.5', 'fr'],
    ['a space in a number', '1 2', 'en'],
    ['raised digits', '5²', 'en'],
    ['digits of a script that is none of ours', '৫', 'en'],
    ['more than the range', '9007199254.740992', 'en'],
    ['far more than the range', '9'.repeat(60), 'en'],
    ['a text without end', ' '.repeat(1000) + 5, 'en'],
  ])('%s', (_, text, language) => expect(parseAmount(text, 'EUR', { language })).toBeUndefined());

  it('a sign of money for social coins', () => {
    expect(parseAmount('$5', 'XGC')).toBeUndefined();
    expect(parseAmount('5 SC', 'XGC')).toBeUndefined();
  });

  it('anything but whole micros of zero or more, whatever is typed', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\d.,  €-]{0,20}$/));
    fc.assert(
      fc.property(anyText, fc.constantFrom<Language>('en', 'de', 'hi', 'ar', 'fr'), (text, language) => {
        const amount = parseAmount(text, 'EUR', { language });
        expect(amount === undefined || (Number.isSafeInteger(amount) && amount >= 0)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

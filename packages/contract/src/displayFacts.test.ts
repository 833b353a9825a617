import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CURRENCIES,
  CURRENCY_CODES,
  currencyFacts,
  DEVICES,
  decimalsOfMicros,
  EXTRA_LANGUAGES,
  isCurrencyCode,
  isLanguage,
  LANGUAGE_ALIASES,
  LANGUAGES,
  type Language,
  learnCurrency,
  toDevice,
  toLanguage,
  toLaunchLanguage,
} from './displayFacts.ts';
import { KNOWN_CURRENCY_CODES } from './isoCurrencies.ts';

describe('currencies', () => {
  it('are the 21 of the protocol, in its order', () => {
    const regular = 'USD, CAD, JPY, EUR, RUB, CNY, PHP, INR, IDR, KRW, BRL, MXN, DKK, PLN, VND, TRY, CLP, ARS, PEN';
    expect(CURRENCY_CODES.filter((code) => CURRENCIES[code].kind === 'regular').join(', ')).toBe(regular);
    expect(CURRENCY_CODES.filter((code) => CURRENCIES[code].kind === 'social')).toEqual(['XGC', 'XSC']);
    expect(Object.keys(CURRENCIES)).toEqual([...CURRENCY_CODES]);
  });

  it('have symbols that differ, GC and SC for the social ones', () => {
    expect(new Set(CURRENCY_CODES.map((code) => CURRENCIES[code].symbol)).size).toBe(21);
    expect(CURRENCIES.XGC.symbol).toBe('GC');
    expect(CURRENCIES.XSC.symbol).toBe('SC');
  });

  it('are shown without decimals where people write none, else with two', () => {
    const whole = CURRENCY_CODES.filter((code) => CURRENCIES[code].decimals === 0);
    expect(whole).toEqual(['JPY', 'IDR', 'KRW', 'VND', 'CLP']);
    for (const code of CURRENCY_CODES) expect([0, 2]).toContain(CURRENCIES[code].decimals);
  });

  it('have codes of three to ten capitals and digits', () => {
    for (const value of ['USD', 'GBP', 'USDT', 'GOLD2COINS']) expect(isCurrencyCode(value)).toBe(true);
    for (const value of ['usd', 'US', '1INCH', 'ELEVENCHARS', 'constructor', '', undefined]) {
      expect(isCurrencyCode(value)).toBe(false);
    }
  });

  it('are known with all of ISO 4217 that people pay with, the 21 first', () => {
    expect(KNOWN_CURRENCY_CODES.slice(0, 21)).toEqual(CURRENCY_CODES);
    expect(new Set(KNOWN_CURRENCY_CODES).size).toBe(KNOWN_CURRENCY_CODES.length);
    expect(KNOWN_CURRENCY_CODES.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
    // Intl knows these, but nobody pays with them: funds, metals, tests and former money.
    const notMoney = /^(ANG|BGN|CUC|HRK|BOV|CH[EW]|CLF|COU|MXV|US[NS]|UYI|UYW|X(A[DGU]|B[ABCD]|DR|P[DT]|SU|TS|UA|XX))$/;
    const today = new Intl.DisplayNames('en', { type: 'currency' });
    const isMoney = (code: string) => !notMoney.test(code) && !/\(\d{4}|\bold\b/i.test(today.of(code) ?? '');
    const byIntl = Intl.supportedValuesOf('currency').filter(isMoney);
    expect(byIntl.filter((code) => !KNOWN_CURRENCY_CODES.includes(code))).toEqual([]);
  });

  it('of ISO 4217 have its decimals and the symbol of the language', () => {
    expect(currencyFacts('USD')).toBe(CURRENCIES.USD);
    expect(currencyFacts('GBP')).toMatchObject({ kind: 'regular', symbol: '£', decimals: 2 });
    expect(currencyFacts('SEK', 'sv')).toMatchObject({ symbol: 'kr' });
    expect(currencyFacts('ISK').decimals).toBe(0);
    expect(currencyFacts('KWD').decimals).toBe(3);
    // These have no symbol, or Intl does not know their code.
    expect(currencyFacts('CHF').symbol).toBe('CHF');
    expect(currencyFacts('USDT')).toMatchObject({ symbol: 'USDT', decimals: 2 });
  });

  it('of a server are shown as it says, and none of the 21 is', () => {
    const coin = { kind: 'social', symbol: '◆', decimals: 0, symbolSide: 'after' } as const;
    learnCurrency({ code: 'GEMS', ...coin });
    learnCurrency({ code: 'USD', ...coin });
    expect(currencyFacts('GEMS')).toMatchObject(coin);
    expect(currencyFacts('USD')).toBe(CURRENCIES.USD);
  });

  it('have micros with six decimals, and with more where a unit is many of the wire', () => {
    expect(decimalsOfMicros({})).toBe(6);
    expect(decimalsOfMicros({ wireUnitsPerUnit: 100 })).toBe(8);
  });
});

describe('languages', () => {
  it('are the 16 of the protocol, and eight more', () => {
    expect(EXTRA_LANGUAGES.every((code) => isLanguage(code))).toBe(true);
    expect(EXTRA_LANGUAGES).toHaveLength(8);
    expect(
      Object.entries(LANGUAGES)
        .filter(([code]) => !EXTRA_LANGUAGES.includes(code as Language))
        .map(([code, { name }]) => `${code} (${name})`)
        .join(', '),
    ).toBe(
      'ar (Arabic), de (German), en (English), es (Spanish), fi (Finnish), fr (French), hi (Hindi), id (Indonesian), ja (Japanese), ko (Korean), pl (Polish), pt (Portuguese), ru (Russian), tr (Turkish), vi (Vietnamese), zh (Chinese)',
    );
  });

  it('are written from left to right, but Arabic', () => {
    const rightToLeft = Object.entries(LANGUAGES).filter(([, { direction }]) => direction === 'rtl');
    expect(rightToLeft.map(([code]) => code)).toEqual(['ar']);
  });

  it.each([
    ['fi', 'fi'],
    ['FI', 'fi'],
    [' de ', 'de'],
    ['pt-BR', 'pt'],
    ['zh_CN', 'zh'],
    ['zh-Hant-TW', 'zh'],
    ['br', 'pt'],
    ['BR', 'pt'],
    ['sv', 'sv'],
    ['nb-NO', 'no'],
    ['po', 'pl'],
    ['JP', 'ja'],
    ['kr', 'ko'],
    ['cn', 'zh'],
    ['vn', 'vi'],
    ['in', 'id'],
    ['no', 'no'],
    ['hu', 'en'],
    ['english', 'en'],
    ['constructor', 'en'],
    ['__proto__', 'en'],
    ['', 'en'],
    [null, 'en'],
    [undefined, 'en'],
  ] as const)('%s is read as %s', (value, language) => expect(toLanguage(value)).toBe(language));

  it('have slips that are no codes of languages', () => {
    expect(Object.keys(LANGUAGE_ALIASES).filter(isLanguage)).toEqual([]);
  });

  it('of a launch are those of the protocol, and extra ones that are switched on', () => {
    expect(['de', 'it', 'nb', 'hu'].map((value) => toLaunchLanguage(value, []))).toEqual(['de', 'en', 'en', 'en']);
    expect(['de', 'it', 'nb'].map((value) => toLaunchLanguage(value, ['no', 'it']))).toEqual(['de', 'it', 'no']);
  });

  it('are what any text at all is read as', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(isLanguage(toLanguage(text))).toBe(true);
    });
    fc.assert(property);
  });
});

describe('devices', () => {
  it.each([
    ['mobile', 'mobile'],
    ['Mobile', 'mobile'],
    ['desktop', 'desktop'],
    ['tablet', 'desktop'],
    ['', 'desktop'],
    [null, 'desktop'],
    [undefined, 'desktop'],
  ] as const)('%s is read as %s', (value, device) => {
    expect(DEVICES).toContain(device);
    expect(toDevice(value)).toBe(device);
  });
});

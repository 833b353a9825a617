import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CURRENCIES,
  CURRENCY_CODES,
  DEVICES,
  isCurrencyCode,
  isLanguage,
  LANGUAGES,
  toDevice,
  toLanguage,
} from './displayFacts.ts';

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

  it('are recognised exactly as written', () => {
    expect(isCurrencyCode('USD')).toBe(true);
    for (const value of ['usd', 'GBP', 'constructor', '', undefined]) expect(isCurrencyCode(value)).toBe(false);
  });
});

describe('languages', () => {
  it('are the 16 of the protocol', () => {
    expect(
      Object.entries(LANGUAGES)
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
    ['sv', 'en'],
    ['english', 'en'],
    ['constructor', 'en'],
    ['__proto__', 'en'],
    ['', 'en'],
    [null, 'en'],
    [undefined, 'en'],
  ] as const)('%s is read as %s', (value, language) => expect(toLanguage(value)).toBe(language));

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

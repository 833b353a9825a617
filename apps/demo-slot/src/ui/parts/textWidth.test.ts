import { CURRENCIES, type CurrencyCode, formatAmount, LANGUAGES, type Language } from '@roundhouse/sdk';
import { describe, expect, it } from 'vitest';
import { DIGIT_CELL_EM, textWidthEm, widestWordEm } from './textWidth.ts';

describe('the estimated width of a text', () => {
  it('gives each digit its cell, whichever it is', () => {
    expect(textWidthEm('1111')).toBe(4 * DIGIT_CELL_EM);
    expect(textWidthEm('1111')).toBe(textWidthEm('0000'));
  });

  it('counts marks of direction and vowel signs as nothing', () => {
    expect(textWidthEm('\u2066100\u2069')).toBe(textWidthEm('100'));
    expect(textWidthEm('क\u0941')).toBe(textWidthEm('क'));
  });

  it('knows that Chinese and Japanese characters are wide', () => {
    expect(textWidthEm('残高')).toBeGreaterThan(textWidthEm('ab') * 1.5);
  });

  it('knows that Greek letters, which the system draws, are wider than Latin ones', () => {
    expect(textWidthEm('ποντάρισμα')).toBeGreaterThan(textWidthEm('naouapoena') * 1.1);
  });

  it('measures capitals when the text is shown in capitals, with the room between them', () => {
    expect(textWidthEm('balance', { isCapitals: true })).toBeGreaterThan(textWidthEm('BALANCE'));
  });

  it('is never zero, since sizes are divided by it', () => {
    expect(textWidthEm('')).toBe(1);
  });

  it('is at least the sum of the digits of any amount, and at most an em a character', () => {
    for (const currency of Object.keys(CURRENCIES) as CurrencyCode[]) {
      for (const language of Object.keys(LANGUAGES) as Language[]) {
        const text = formatAmount(1_234_567_890_000_000, currency, { language });
        const digits = text.replace(/\D/g, '').length;
        expect(textWidthEm(text)).toBeGreaterThan(digits * DIGIT_CELL_EM);
        expect(textWidthEm(text)).toBeLessThan(text.length);
      }
    }
  });
});

describe('the widest word', () => {
  it('is the one that needs the most room, at any place', () => {
    expect(widestWordEm('Дополнительная ставка')).toBe(textWidthEm('Дополнительная'));
    expect(widestWordEm('Freispiele\u00a0kaufen oder nicht')).toBe(textWidthEm('Freispiele'));
  });

  it('is a single character where lines may break anywhere, and a whole word in katakana', () => {
    expect(widestWordEm('免费旋转')).toBe(textWidthEm('免'));
    expect(widestWordEm('フリースピンを購入')).toBe(textWidthEm('フリースピン'));
    expect(widestWordEm('무료 스핀 구매')).toBe(textWidthEm('무료'));
  });
});

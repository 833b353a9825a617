import { describe, expect, it } from 'vitest';
import { amountText, counted, multiplierText, visible } from './texts.ts';

describe('visible', () => {
  it('shows what hides or turns text as its code', () => {
    expect(visible('a\u202eb\u0000\u200b\n\ud800\u2028é🎲')).toBe(
      'a\\u{202e}b\\u{0}\\u{200b}\\u{a}\\u{d800}\\u{2028}é🎲',
    );
  });

  it('cuts a long text and says how much is left', () => {
    expect(visible('x'.repeat(3_500))).toBe(`${'x'.repeat(2_000)} … and 1,500 more characters`);
  });
});

it.each([
  [0, '0.00'],
  [1_500_000, '1.50'],
  [1_234_567, '1.234567'],
  [120_000, '0.12'],
  [1_000_100_000n, '1,000.10'],
  [-2_000_001n, '−2.000001'],
])('the amount of %s micros is %s', (micros, text) => {
  expect(amountText(micros)).toBe(text);
});

it.each([
  ['0', '0.00×'],
  ['5', '0.05×'],
  ['150', '1.50×'],
  ['500000', '5000.00×'],
])('the multiplier of %s hundredths is %s', (hundredths, text) => {
  expect(multiplierText(hundredths)).toBe(text);
});

it('counts with a noun', () => {
  expect([counted(1, 'round'), counted(100_000, 'round')]).toEqual(['1 round', '100,000 rounds']);
});

import { expect, it } from 'vitest';
import { readAmount } from './money.ts';
import { plainAmount } from './plainAmount.ts';
import { prettyJson } from './prettyJson.ts';

it('puts a reel on one line, and keeps the value', () => {
  const event = {
    board: [
      ['H2', 'L5'],
      ['[\n', ']'],
    ],
    empty: [],
    flags: [true, null],
    text: 'a\nb',
  };
  const text = prettyJson(event);
  expect(text).toContain('["H2", "L5"]');
  expect(text).toContain('"flags": [true, null]');
  expect(JSON.parse(text)).toEqual(event);
});

it.each([
  [12_500_000, 'USD', '12.50'],
  [1, 'USD', '0.000001'],
  [0, 'JPY', '0'],
  [null, 'EUR', ''],
])('an amount of %s micros in %s is %j in a field, and is read back', (micros, currency, text) => {
  expect(plainAmount(micros, currency)).toBe(text);
  if (micros !== null) expect(readAmount(text, currency)).toBe(micros);
});

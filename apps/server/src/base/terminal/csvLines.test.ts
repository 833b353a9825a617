import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLines } from './csvLines.ts';

/**
 * Returns the cells of a spreadsheet that divides at semicolons, also inside of a text in quotes.
 */
function dividedAtSemicolons(lines: string): string[] {
  return lines.split(/[;\t\n\r]/).map((cell) => cell.replace(/^[ "]+/, ''));
}

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@x', "'@x"],
  ['＝1', "'＝1"],
  ['\tx', "'\\u0009x"],
  ['\rx', "'\\u000dx"],
  ['\n=1', "'\\u000a'=1"],
  ['a;=1+1', "a;'=1+1"],
  ['; -1', "; '-1"],
  [';=1;@x', ";'=1;'@x"],
  [`;"=cmd|' /C calc'!A0;x`, `;"'=cmd|' /C calc'!A0;x`],
  ['a\n+1', "a\\u000a'+1"],
  ['a=1;b-2', 'a=1;b-2'],
])('the text %j is no formula in a spreadsheet', (text, expected) => {
  expect(parse(csvLines([['x', text]]))).toEqual([['x', expected]]);
});

it('no text begins a formula where cells are divided at semicolons', () => {
  const text = fc.string({ unit: fc.constantFrom(...';"=+-@, \n\t\r\'a＝') });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (cells) => {
      for (const cell of dividedAtSemicolons(csvLines([cells]))) expect(cell).not.toMatch(/^[=+\-@＝]/);
    }),
    { numRuns: 1000 },
  );
});

it('an amount below zero stays a number, and null is an empty cell', () => {
  expect(csvLines([[-12_500_000n, 0n, -1n, -2, null, true]])).toBe('-12.500000,0.000000,-0.000001,-2,,true\n');
});

it('a control character or an end of a line in a text is shown as its code: each row is one line', () => {
  expect(csvLines([['a\r\nb', 'red \u001b[31m', '\u202egnp']])).toBe('a\\u000d\\u000ab,red \\u001b[31m,\\u202egnp\n');
});

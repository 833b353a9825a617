import fc from 'fast-check';
import { expect, test } from 'vitest';
import { becomesWhole, isTooLong, topLevelMembers } from './jsonMembers.ts';

const topLevelKeys = (json: string) => topLevelMembers(json).map(({ key }) => key);

test('any JSON object has the keys that JSON.parse finds, spelled out, and the numbers as they were written', () => {
  const value = fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.maxSafeInteger(), fc.jsonValue());
  const object = fc.dictionary(fc.string({ unit: 'binary' }), value);
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 2), (each, indent) => {
      const json = JSON.stringify(each, undefined, indent);
      const expected = Object.entries(JSON.parse(json) as object).map(([key, value]) => ({
        key,
        ...(typeof value === 'number' && { number: JSON.stringify(value) }),
      }));
      expect(topLevelMembers(json)).toEqual(expected);
    }),
  );
});

test.each([
  ['{"a":1,"a":2}', ['a', 'a']],
  ['{"amount":1,"\\u0061mount":2}', ['amount', 'amount']],
  ['{"a":{"a":1,"b":[{"a":2}]},"b":":\\"a\\":"}', ['a', 'b']],
  ['{ "a" : "{" , "b" : [ "}" ] }', ['a', 'b']],
  ['{}', []],
])('%s', (json, keys) => {
  expect(topLevelKeys(json)).toEqual(keys);
});

test('a number is told as it was written, at the top level only', () => {
  expect(topLevelMembers('{"a": -1.50e+2, "b": "2", "c": [3], "d": {"e": 4}, "f": true, "g":5}')).toEqual([
    { key: 'a', number: '-1.50e+2' },
    { key: 'b' },
    { key: 'c' },
    { key: 'd' },
    { key: 'f' },
    { key: 'g', number: '5' },
  ]);
});

test.each([
  '1000000.00000000001',
  '0.9999999999999999999',
  '1e-400',
  '-2.00000000000000000001',
  '10.0000000000000000000001e1',
  '123456789012345678901234567890.1',
])('%s becomes whole only by being read', (number) => {
  expect(becomesWhole(number)).toBe(true);
});

test.each([
  '1000000',
  '1000000.0',
  '1e6',
  '1.5e1',
  '0',
  '-0',
  '0.0e5',
  '0.0',
  '100e-2',
  '1.25',
  '0.1',
  '15e-1',
  '120.50e1',
  '0.001e3',
])('%s does not', (number) => {
  expect(becomesWhole(number)).toBe(false);
});

test('a whole number stays whole however it is written', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 8 }), (whole, places) => {
      expect(becomesWhole(`${whole}${'0'.repeat(places)}e-${places}`)).toBe(false);
      expect(becomesWhole(`${whole}.${'0'.repeat(places)}0`)).toBe(false);
    }),
  );
});

test('a number of more than 64 characters is too long', () => {
  expect([isTooLong(`1.${'0'.repeat(62)}`), isTooLong(`1.${'0'.repeat(63)}`)]).toEqual([false, true]);
});

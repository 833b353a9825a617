import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseNumberText, parseWithNumberTexts, stringifyAmount } from './jsonNumbers.ts';

const MICRO_DECIMALS = 6;

it.each([
  ['1.55', 1_550_000n],
  ['999.00', 999_000_000n],
  ['0', 0n],
  ['-0.000001', -1n],
  ['1E3', 1_000_000_000n],
  ['1.5e-6', undefined],
  ['25e-7', undefined],
  ['20e-7', 2n],
  ['0.30000000000000004', undefined],
  ['9007199254740993.000001', 9_007_199_254_740_993_000_001n],
  ['1e999', undefined],
  ['.5', undefined],
  ['1.', undefined],
  ['0x10', undefined],
  ['', undefined],
])('%j is read exactly', (text, expected) => {
  expect(parseNumberText(text, MICRO_DECIMALS)).toBe(expected);
});

it('numbers become the texts that stand there, and strings stay', () => {
  const text = String.raw`{"a":12.50,"b":[-1e2],"c":"7 \" 8.5, \\","d 1":null,"e":true}`;
  expect(parseWithNumberTexts(text)).toEqual({
    a: '12.50',
    b: ['-1e2'],
    c: '7 " 8.5, \\',
    'd 1': null,
    e: true,
  });
});

it('any JSON keeps its strings, and each of its numbers its digits', () => {
  const asTexts = (value: unknown): unknown => {
    if (typeof value === 'number') return JSON.stringify(value);
    if (Array.isArray(value)) return value.map(asTexts);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asTexts(inner)]));
  };
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (content) => {
      const plain: object = JSON.parse(JSON.stringify(content));
      expect(parseWithNumberTexts(JSON.stringify(plain))).toEqual(asTexts(plain));
    }),
  );
});

it.each(['', 'null', 'true', '[1', '{"a":1.}', '{"a":01}', '"'.repeat(9)])('%j has no members', (text) => {
  expect(parseWithNumberTexts(text)).toEqual({});
});

it('only the member amount is written as a number', () => {
  const body = { userId: '"amount":"1"', transaction: { id: '5', amount: '1.50' } };
  expect(stringifyAmount(body)).toBe(String.raw`{"userId":"\"amount\":\"1\"","transaction":{"id":"5","amount":1.50}}`);
});

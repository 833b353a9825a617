import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseWithNumberTexts, readDecimal } from './amounts.ts';

const MICRO_DECIMALS = 6;
const CENT_DECIMALS = 2;

it.each([
  ['1.55', 1_550_000n],
  ['999.00', 999_000_000n],
  ['0', 0n],
  ['-0.000001', -1n],
  ['1E3', 1_000_000_000n],
  ['1.5e-6', undefined],
  ['25e-7', undefined],
  ['20e-7', 2n],
  ['0.30000000000000004', 300_000n],
  ['99.96000000000001', 99_960_000n],
  ['95.86999999999999', 95_870_000n],
  ['-1.1102230246251565e-16', 0n],
  ['0.000000001', 0n],
  ['0.0000000011', undefined],
  ['0.0000005', undefined],
  // A balance of 50,000,000.10 after an addition of doubles, 7.5e-9 away.
  ['50000000.10000001', 50_000_000_100_000n],
  ['50000000.1000002', undefined],
  ['4294967296.1000004', undefined],
  ['9007199254740993.000001', 9_007_199_254_740_993_000_001n],
  ['1e999', undefined],
  ['.5', undefined],
  ['1.', 1_000_000n],
  ['1,5', undefined],
  [' 1', undefined],
  ['+1', undefined],
  ['0x10', undefined],
  ['', undefined],
])('%j is read exactly, or as the micro that a binary fraction stands for', (text, expected) => {
  expect(readDecimal(text, MICRO_DECIMALS)).toBe(expected);
});

it('decimals below 0 are tens or hundreds', () => {
  expect([readDecimal('1200', -2), readDecimal('1250', -2)]).toEqual([12n, undefined]);
});

it('what doubles make of sums of cents is these cents', () => {
  const cents = fc.array(fc.bigInt({ min: -100_000n, max: 100_000n }), { maxLength: 50 });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), cents, (opening, moves) => {
      // A wallet in PHP or JavaScript keeps units.
      const balance = moves.reduce((sum, move) => sum + Number(move) / 100, Number(opening) / 100);
      const exact = moves.reduce((sum, move) => sum + move, opening);
      expect(readDecimal(JSON.stringify(balance), CENT_DECIMALS)).toBe(exact);
      expect(readDecimal(JSON.stringify(balance), MICRO_DECIMALS)).toBe(exact * 10_000n);
    }),
  );
});

it('numbers become the texts that are written there, and strings stay', () => {
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

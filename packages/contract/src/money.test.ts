import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isMicros,
  MAX_MICROS,
  MICROS_PER_UNIT,
  type Micros,
  multiplyMicros,
  nearestMicros,
  parseDecimal,
  payoutOf,
  toMicros,
} from './money.ts';

const anyMicros = fc.maxSafeInteger().map(toMicros);
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('the conversions of the protocol', () => {
  it.each([
    ['0.1', 100_000],
    ['1', 1_000_000],
    ['10', 10_000_000],
    ['100', 100_000_000],
  ])('%s units are %i micros', (units, micros) => {
    expect(multiplyMicros(toMicros(MICROS_PER_UNIT), units)).toBe(micros);
  });
});

describe('isMicros', () => {
  it('takes whole numbers up to both ends of the range', () => {
    for (const value of [0, 1, -1, MAX_MICROS, -MAX_MICROS]) expect(isMicros(value)).toBe(true);
  });

  it.each([
    1_000_000.5,
    '1000000',
    1n,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    -0,
    MAX_MICROS + 1,
    null,
    undefined,
    [1],
    { valueOf: () => 1 },
  ])('refuses %s', (value) => expect(isMicros(value)).toBe(false));
});

describe('nearestMicros', () => {
  /** The publisher's web SDK divides a bet level for display and multiplies what it sends. */
  const sentFor = (micros: number) => (micros / 1_000_000) * 1_000_000;

  it('is the amount that the web SDK of the publisher means, up to 2^51 micros', () => {
    const tenths = Array.from({ length: 1000 }, (_, index) => (index + 1) * 100_000);
    expect(tenths.filter((micros) => sentFor(micros) !== micros)).not.toEqual([]);
    for (const micros of tenths) expect(nearestMicros(sentFor(micros))).toBe(micros);
    const property = fc.property(fc.integer({ min: -(2 ** 51), max: 2 ** 51 }), (micros) => {
      expect(nearestMicros(sentFor(micros))).toBe(toMicros(micros));
    });
    fc.assert(property);
  });

  it.each([
    [4_099_999.9999999995, 4_100_000],
    [1_000_000.000001, 1_000_000],
    [999_999.999999, 1_000_000],
    // One unit in the last place, which is more than a millionth here.
    [10_000_000_000.000002, 10_000_000_000],
    [1_000_000_000_000.0001, 1_000_000_000_000],
    [2 ** 50 + 0.25, 2 ** 50],
    [MAX_MICROS, MAX_MICROS],
    [-4_099_999.9999999995, -4_100_000],
    [-0, 0],
    [1e-9, 0],
  ])('%d is %d', (value, micros) => expect(nearestMicros(value)).toBe(micros));

  it.each([
    1_000_000.0000011,
    999_999.9999989,
    10_000_000_000.000004,
    4_100_000.5,
    2 ** 51 + 0.5,
    2 ** 53,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    '1000000',
    1n,
    null,
  ])('%s is none', (value) => expect(nearestMicros(value)).toBeUndefined());
});

describe('toMicros', () => {
  it('takes numbers and bigints, and makes negative zero zero', () => {
    expect(toMicros(5)).toBe(5);
    expect(toMicros(-9_007_199_254_740_991n)).toBe(-MAX_MICROS);
    expect(toMicros(-0)).toBe(0);
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2n ** 53n, -(2n ** 53n), 10n ** 400n])(
    'throws on %s',
    (value) => expect(() => toMicros(value)).toThrow(RangeError),
  );
});

describe('parseDecimal', () => {
  it.each([
    ['0', 0n, 0],
    ['0.0', 0n, 0],
    ['1.0', 1n, 0],
    ['1.50', 15n, 1],
    ['100', 100n, 0],
    ['0.05', 5n, 2],
    ['18446744073709551615.25', 1844674407370955161525n, 2],
  ])('reads %s', (text, digits, scale) => expect(parseDecimal(text)).toEqual({ digits, scale }));

  it.each([
    '',
    '.',
    '1.',
    '.5',
    '01',
    '00.1',
    '+1',
    '-1',
    '1e2',
    '0x1',
    ' 1',
    '1 ',
    '1\n',
    '1,5',
    '1.2.3',
    '１',
    'NaN',
  ])('refuses "%s"', (text) => expect(parseDecimal(text)).toBeUndefined());

  it('refuses what is longer than 40 characters', () => {
    expect(parseDecimal(`0.${'1'.repeat(38)}`)).toBeDefined();
    expect(parseDecimal(`0.${'1'.repeat(39)}`)).toBeUndefined();
  });

  it('gives back every value it is given, whatever zeros follow', () => {
    const property = fc.property(uint64, fc.nat(12), fc.nat(6), (digits, scale, zeros) => {
      const padded = digits.toString().padStart(scale + 1, '0');
      const whole = padded.slice(0, padded.length - scale);
      const fraction = padded.slice(padded.length - scale) + '0'.repeat(zeros);
      const read = parseDecimal(fraction ? `${whole}.${fraction}` : whole);
      if (!read) throw new Error('not read');
      expect(read.digits * 10n ** BigInt(scale)).toBe(digits * 10n ** BigInt(read.scale));
    });
    fc.assert(property);
  });
});

describe('multiplyMicros', () => {
  it('is exact where a float is not', () => {
    // 0.1 * 3 and 1.1 * 1.1 are the usual traps.
    expect(multiplyMicros(toMicros(3), '0.1')).toBeUndefined();
    expect(multiplyMicros(toMicros(1_100_000), '1.1')).toBe(1_210_000);
    expect(multiplyMicros(toMicros(9_007_199_254_740_990), '0.1')).toBe(900_719_925_474_099);
    expect(multiplyMicros(toMicros(4_503_599_627_370_497), '1.0')).toBe(4_503_599_627_370_497);
  });

  it('stays in the range', () => {
    expect(multiplyMicros(MAX_MICROS, '1')).toBe(MAX_MICROS);
    expect(multiplyMicros(MAX_MICROS, '1.5')).toBeUndefined();
    expect(multiplyMicros(MAX_MICROS, '2')).toBeUndefined();
    expect(multiplyMicros(toMicros(-MAX_MICROS), '1')).toBe(-MAX_MICROS);
    expect(multiplyMicros(toMicros(-MAX_MICROS), '2')).toBeUndefined();
  });

  it.each(['', '-1', '1e3', 'NaN'])('has no product for the multiplier "%s"', (text) => {
    expect(multiplyMicros(toMicros(1), text)).toBeUndefined();
  });

  it('is the product, or there is no whole one in the range', () => {
    const property = fc.property(anyMicros, fc.nat(1_000_000), fc.nat(8), (amount, digits, scale) => {
      const text = `${Math.floor(digits / 10 ** scale)}.${String(digits % 10 ** scale).padStart(scale, '0')}0`;
      const exact = BigInt(amount) * BigInt(digits);
      const divisor = 10n ** BigInt(scale);
      expectExact(multiplyMicros(amount, text), exact, divisor);
    });
    fc.assert(property);
  });
});

describe('payoutOf', () => {
  it('pays 1.5 times the bet for 150 hundredths, and nothing for 0', () => {
    expect(payoutOf(toMicros(1_000_000), 150n)).toBe(1_500_000);
    expect(payoutOf(toMicros(1_000_000), 0n)).toBe(0);
  });

  it('has no payout for a part of a micro, above the range, or a negative multiplier', () => {
    expect(payoutOf(toMicros(1), 150n)).toBeUndefined();
    expect(payoutOf(MAX_MICROS, 101n)).toBeUndefined();
    expect(payoutOf(toMicros(100), 2n ** 64n - 1n)).toBeUndefined();
    expect(payoutOf(toMicros(100), -100n)).toBeUndefined();
  });

  it('is amount × hundredths ÷ 100, or there is no whole one in the range', () => {
    const hundredths = fc.oneof(fc.bigInt({ min: 0n, max: 1_000_000n }), uint64);
    fc.assert(
      fc.property(anyMicros, hundredths, (amount, value) =>
        expectExact(payoutOf(amount, value), BigInt(amount) * value, 100n),
      ),
    );
  });
});

function expectExact(result: Micros | undefined, numerator: bigint, denominator: bigint) {
  const limit = BigInt(MAX_MICROS);
  const whole = numerator % denominator === 0n;
  const quotient = numerator / denominator;
  if (whole && quotient <= limit && quotient >= -limit) {
    expect(result).toBe(Number(quotient));
    expect(isMicros(result)).toBe(true);
  } else {
    expect(result).toBeUndefined();
  }
}

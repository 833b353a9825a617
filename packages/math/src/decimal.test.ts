import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText, hundredthsExample, missedDecimal, parsePositiveDecimal, ratio } from './decimal.ts';

const textOf = (text: string): string | undefined => {
  const decimal = parsePositiveDecimal(text);
  return decimal === undefined ? undefined : decimalText(decimal);
};

describe('parsePositiveDecimal', () => {
  it.each([
    ['1', '1'],
    ['1.0', '1'],
    ['100.0', '100'],
    ['1.25', '1.25'],
    ['0.10', '0.1'],
    ['1e2', '100'],
    ['1.5E+1', '15'],
    ['125e-2', '1.25'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['9007199254740993', '9007199254740993'],
  ])('%s is exactly %s', (text, exact) => {
    expect(textOf(text)).toBe(exact);
  });

  it.each(['0', '0.0', '0e5', '-1', '1e400', '1e-400', '"1"', 'null', '', '+1', '.5', '1.', 'NaN'])(
    'refuses %s',
    (text) => {
      expect(textOf(text)).toBeUndefined();
    },
  );

  it('gives every number that JSON writes back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (value) => {
        expect(Number(textOf(JSON.stringify(value)))).toBe(value);
      }),
    );
  });
});

describe('missedDecimal', () => {
  it.each([
    ['3.3000000000000003', '3.3'],
    ['0.30000000000000004', '0.3'],
    ['1.2499999999999998', '1.25'],
    ['99.99999999999999', '100'],
  ])('of %s is %s', (text, meant) => {
    expect(missedDecimal(text)).toBe(meant);
  });

  it.each(['3.3', '100', '0.000001', '33.333333333333336', '1.2345678', '3.300000001', 'x'])(
    'of %s is none',
    (text) => {
      expect(missedDecimal(text)).toBeUndefined();
    },
  );

  it('of a sum of tenths is what decimals would give', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (tenths) => {
        let sum = 0;
        for (let count = 0; count < tenths; count += 1) sum += 0.1;
        const exact = textOf(String(tenths / 10));
        expect(missedDecimal(String(sum)) ?? textOf(String(sum))).toBe(exact);
      }),
    );
  });
});

it.each([
  ['5.50', '550 for 5.50×'],
  ['0.125', '12.5 for 0.125×'],
  ['0.00', '550 for 5.50×'],
])('the hundredths of %s are shown: %s', (multiple, example) => {
  expect(hundredthsExample(multiple)).toBe(example);
});

describe('ratio', () => {
  it('is good to 15 digits for operands of any size', () => {
    const operand = fc.bigInt({ min: 1n, max: 2n ** 52n });
    const power = fc.bigInt({ min: 0n, max: 300n });
    fc.assert(
      fc.property(operand, operand, power, power, (top, bottom, topPower, bottomPower) => {
        const expected = (Number(top) / Number(bottom)) * 2 ** Number(topPower - bottomPower);
        expect(Math.abs(ratio(top << topPower, bottom << bottomPower) / expected - 1)).toBeLessThan(1e-15);
      }),
    );
  });

  it('is 0 for 0', () => {
    expect(ratio(0n, 5n)).toBe(0);
  });
});

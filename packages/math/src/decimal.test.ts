import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText, parsePositiveDecimal, ratio } from './decimal.ts';

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

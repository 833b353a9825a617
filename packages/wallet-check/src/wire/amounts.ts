/** Strings are matched first, so a number within a string is left alone. */
const STRING_OR_NUMBER = /("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)/g;
const NUMBER = /^(-?)(\d{1,30})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Parses a JSON object with each number as the text in the response. A body that is not JSON has no
 * members.
 */
export function parseWithNumberTexts(text: string): Record<string, unknown> {
  try {
    // Only valid JSON is rewritten: all of its strings end.
    JSON.parse(text);
    const quoted = text.replace(STRING_OR_NUMBER, (_, string, number) => string ?? `"${number}"`);
    return { ...(JSON.parse(quoted) as object) };
  } catch {
    return {};
  }
}

/** A decimal is a whole number when it is no more than a thousandth away from it. */
const NEAR = 1_000n;
/**
 * A large one may be further away, up to a tenth: a binary fraction is off by 10^-16 of itself, and
 * by more after each addition.
 */
const BINARY_DIGITS = 10n ** 14n;
const NEAR_OF_BINARY = 10n;

/**
 * Reads a decimal, such as 12.5, -0.01 or 1e3, as a whole number of 10^-decimals; with decimals
 * below 0, of tens or hundreds. The result of a calculation in binary fractions is the decimal that
 * was meant: with 6 decimals 99.96000000000001 is 99960000. Undefined: it is not a decimal, or it
 * has more decimals. No step is in floating point.
 */
export function readDecimal(text: string, decimals: number): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  const shift = decimals - fraction.length + Number(exponent);
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : nearest(digits, 10n ** BigInt(-shift));
  return value === undefined || sign === '' ? value : -value;
}

function nearest(digits: bigint, divisor: bigint): bigint | undefined {
  const value = (2n * digits + divisor) / (2n * divisor);
  const difference = digits - value * divisor;
  const distance = difference < 0n ? -difference : difference;
  const isNear = distance * NEAR <= divisor;
  const isBinary = distance * BINARY_DIGITS <= digits && distance * NEAR_OF_BINARY <= divisor;
  return isNear || isBinary ? value : undefined;
}

/** An exact number is numerator ÷ 10^scale. */
export type Decimal = { numerator: bigint; scale: number };

const LONGEST_TEXT = 40;

/**
 * Reads a JSON number exactly. Returns undefined for one that is not above zero, or whose plain
 * form would be absurdly long (above 40 digits: "1e400").
 */
export function parsePositiveDecimal(text: string): Decimal | undefined {
  const match = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (whole.length + fraction.length + Math.abs(exponent) > LONGEST_TEXT) return undefined;
  const shift = exponent - fraction.length;
  const digits = BigInt(whole + fraction);
  const decimal =
    shift >= 0 ? { numerator: digits * 10n ** BigInt(shift), scale: 0 } : { numerator: digits, scale: -shift };
  return digits > 0n ? decimal : undefined;
}

/** Returns the shortest plain text, such as "1.25" or "100". */
export function decimalText({ numerator, scale }: Decimal): string {
  if (scale === 0) return numerator.toString();
  const digits = numerator.toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  const whole = digits.slice(0, -scale);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Shows the hundredths that stand for a multiple of the base bet: "550 for 5.50×". A multiple of 0
 * shows nothing, so another one replaces it.
 */
export function hundredthsExample(multiple: string): string {
  const decimal = parsePositiveDecimal(multiple);
  if (decimal === undefined) return '550 for 5.50×';
  return `${decimalText({ ...decimal, numerator: decimal.numerator * 100n })} for ${multiple}×`;
}

/** A double has 15 digits of a decimal, and a sum of doubles a few less. */
const CERTAIN_DIGITS = 12;
const MOST_DECIMALS = 6;

/**
 * Returns the decimal that a computation with floating point has missed: "3.3" for
 * "3.3000000000000003". Returns undefined for a text that is a short decimal or near none.
 */
export function missedDecimal(text: string): string | undefined {
  const decimal = parsePositiveDecimal(text);
  if (decimal === undefined || decimal.scale <= MOST_DECIMALS) return undefined;
  const near = parsePositiveDecimal(Number(text).toPrecision(CERTAIN_DIGITS));
  if (near === undefined) return undefined;
  const short = decimalText(near);
  return short !== decimalText(decimal) && (short.split('.')[1] ?? '').length <= MOST_DECIMALS ? short : undefined;
}

/**
 * Returns a ratio of bigints as the nearest number, good to 15 digits, where both may be far above
 * 2^53.
 */
export function ratio(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  const shift = BigInt(Math.max(0, 64 - bitLength(numerator) + bitLength(denominator)));
  const quotient = (numerator << shift) / denominator;
  return scaleDown(quotient, Number(shift));
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

function scaleDown(quotient: bigint, shift: number): number {
  // The division takes two steps: 2^shift alone may be beyond the range of a number.
  const half = Math.floor(shift / 2);
  return Number(quotient) / 2 ** half / 2 ** (shift - half);
}

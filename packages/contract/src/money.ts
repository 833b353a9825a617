/**
 * Money as it crosses the wire: a whole number of micros, six decimal places, 1,000,000 per
 * currency unit. It is within ±9,007,199,254,740,991, which JSON and JavaScript carry exactly.
 */
export type Micros = number & { readonly __brand: 'Micros' };

/** One whole currency unit has this many micros. */
export const MICROS_PER_UNIT = 1_000_000;

/** The largest amount there is; the smallest is its negative. */
export const MAX_MICROS = Number.MAX_SAFE_INTEGER as Micros;

/** Binary arithmetic leaves a number this near to the micros that it means, or nearer. */
const NEAR_MICROS = 1e-6;
/** A number in the middle between two amounts means neither. */
const HALF_MICRO = 0.5;

/** A decimal as text: digits, then perhaps a point and digits. See {@link parseDecimal}. */
export type DecimalText = string;

/** It allows any uint64 with as many decimals, and no text that makes the arithmetic slow. */
const MAX_DECIMAL_LENGTH = 40;
const PLAIN_DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/;
const MAX_MICROS_BIG = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns whether the value is a number of micros as it is. Negative zero is not: it is equal to
 * zero but not the same value.
 */
export function isMicros(value: unknown): value is Micros {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/**
 * Returns the micros that a number from binary arithmetic means: clients compute 4.1 × 1,000,000
 * and get 4099999.9999999995. That is a whole number of micros which is at most 1e-6 away, or one
 * unit in its last place where that is more (above 4,294,967,296). It is undefined for any other
 * number, and for anything that is not a number. Only the border to a client's JSON uses it.
 */
export function nearestMicros(value: unknown): Micros | undefined {
  if (typeof value !== 'number') return undefined;
  const whole = Math.round(value);
  if (!Number.isSafeInteger(whole)) return undefined;
  const size = Math.abs(whole);
  const distance = Math.abs(value - whole);
  // The sum is rounded as 1000000.000001 is, which is a little more than 1e-6 from 1000000.
  const isNear = size + distance <= size + NEAR_MICROS;
  // It is one to two units in the last place, and a double is a whole number of them away.
  const isOneUnitAway = distance <= size * Number.EPSILON;
  return (isNear || isOneUnitAway) && distance < HALF_MICRO ? toMicros(whole) : undefined;
}

/**
 * Returns the value as micros; negative zero becomes zero.
 * @throws RangeError when it is not a whole number within ±{@link MAX_MICROS}. Check outside input
 * with {@link isMicros}.
 */
export function toMicros(value: number | bigint): Micros {
  const micros = Number(value);
  if (!Number.isSafeInteger(micros)) throw new RangeError(`not an amount in micros: ${value}`);
  return (micros === 0 ? 0 : micros) as Micros;
}

/**
 * Reads a plain decimal of at most 40 characters: no sign, exponent, spaces or needless leading
 * zeros. The value is `digits / 10 ** scale`, in lowest terms: "1.50" and "1.5" give the same
 * result. Anything else is undefined.
 */
export function parseDecimal(text: DecimalText): { digits: bigint; scale: number } | undefined {
  if (text.length > MAX_DECIMAL_LENGTH) return undefined;
  const match = PLAIN_DECIMAL.exec(text);
  if (!match) return undefined;
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  return { digits: BigInt(`${match[1]}${fraction}`), scale: fraction.length };
}

/**
 * Returns the exact product of an amount and a decimal multiplier, such as the cost of a bet mode.
 * It is undefined when there is none: the product is not a whole number of micros, leaves the
 * range, or the multiplier is not a plain decimal.
 */
export function multiplyMicros(amount: Micros, multiplier: DecimalText): Micros | undefined {
  const factor = parseDecimal(multiplier);
  if (!factor) return undefined;
  return wholeMicros(BigInt(amount) * factor.digits, 10n ** BigInt(factor.scale));
}

/**
 * Returns what a book pays on a base bet: amount × hundredths ÷ 100, exactly. 150 hundredths is 1.5
 * times the bet. It is undefined when that is not a whole number of micros, leaves the range, or
 * the multiplier is negative.
 */
export function payoutOf(amount: Micros, payoutMultiplierHundredths: bigint): Micros | undefined {
  if (payoutMultiplierHundredths < 0n) return undefined;
  return wholeMicros(BigInt(amount) * payoutMultiplierHundredths, 100n);
}

function wholeMicros(numerator: bigint, denominator: bigint): Micros | undefined {
  if (numerator % denominator !== 0n) return undefined;
  const quotient = numerator / denominator;
  if (quotient > MAX_MICROS_BIG || quotient < -MAX_MICROS_BIG) return undefined;
  return Number(quotient) as Micros;
}

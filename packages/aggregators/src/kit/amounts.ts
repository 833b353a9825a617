import { type Micros, toMicros } from '@roundhouse/contract';

/** A micro is 10^-6 of a unit. */
const MICRO_DECIMALS = 6;

/** @throws RangeError when the amount is not a whole number of micros. */
export function toMicrosOf(amount: bigint, decimals: number): Micros {
  return toMicros(rescale(amount, decimals, MICRO_DECIMALS));
}

/**
 * Returns micros in the aggregator's smallest unit.
 * @throws RangeError when they are no whole number of it.
 */
export function fromMicros(micros: number | bigint, decimals: number): bigint {
  return rescale(BigInt(micros), MICRO_DECIMALS, decimals);
}

function rescale(amount: bigint, from: number, to: number): bigint {
  const scaled = amount * 10n ** BigInt(Math.max(0, to - from));
  const divisor = 10n ** BigInt(Math.max(0, from - to));
  if (scaled % divisor !== 0n) throw new RangeError(`${amount} with ${from} decimals has no value with ${to}`);
  return scaled / divisor;
}

/** Writes units: 356n with 2 decimals is 3.56. */
export function textOf(amount: bigint, decimals: number): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return amount < 0n ? `-${text}` : text;
}

/** Reads units; undefined unless it is decimal text with no more decimals than the wallet keeps. */
export function amountOf(text: unknown, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = (typeof text === 'string' && /^(\d{1,18})(?:\.(\d{1,12}))?$/.exec(text)) || [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(decimals))) return undefined;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

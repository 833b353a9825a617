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

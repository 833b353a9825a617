import { debitOf } from '@roundhouse/sdk';

/**
 * An amount in micros times a multiplier, exactly. Undefined when the product is not whole micros.
 */
export function productOf(amountMicros: number, multiplier: number): number | undefined {
  try {
    return debitOf({ amount: amountMicros, costMultiplier: multiplier });
  } catch {
    return undefined;
  }
}

/** Hundredths of a bet, as books count them, in micros. What is below a micro is cut off. */
export function microsOf(amountMicros: number, hundredths: number): number {
  return Number((BigInt(amountMicros) * BigInt(hundredths)) / 100n);
}

import { MICROS_PER_UNIT } from '@roundhouse/contract';

const DECIMALS = 6;
const SHOWN_DECIMALS = 2;

/**
 * Returns an amount as a person writes it: "12.50", "0.000001". It has at least two decimals, and
 * all that there are.
 */
export function writeUnits(micros: number | bigint): string {
  const amount = BigInt(micros);
  const whole = amount / BigInt(MICROS_PER_UNIT);
  const fraction = String(amount % BigInt(MICROS_PER_UNIT)).padStart(DECIMALS, '0');
  return `${whole}.${fraction.slice(0, SHOWN_DECIMALS)}${fraction.slice(SHOWN_DECIMALS).replace(/0+$/, '')}`;
}

/**
 * Returns all decimals, and a sign when it is negative: "-12.500000". `decimals` says which part of
 * a unit a micro is: six decimals on the wire.
 */
export function writeMicros(micros: bigint, decimals = DECIMALS): string {
  const digits = String(micros < 0n ? -micros : micros).padStart(decimals + 1, '0');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

import { MICROS_PER_UNIT } from '@roundhouse/contract';

const DECIMALS = 6;
const SHOWN_DECIMALS = 2;

/** An amount as a person writes it: "12.50", "0.000001". At least two decimals, and all that there are. */
export function writeUnits(micros: number | bigint): string {
  const amount = BigInt(micros);
  const whole = amount / BigInt(MICROS_PER_UNIT);
  const fraction = String(amount % BigInt(MICROS_PER_UNIT)).padStart(DECIMALS, '0');
  return `${whole}.${fraction.slice(0, SHOWN_DECIMALS)}${fraction.slice(SHOWN_DECIMALS).replace(/0+$/, '')}`;
}

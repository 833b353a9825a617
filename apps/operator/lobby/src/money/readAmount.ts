import { MICROS_PER_UNIT, type Micros, multiplyMicros, toMicros } from '@roundhouse/contract/light';

const ONE_UNIT = toMicros(MICROS_PER_UNIT);
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/**
 * The amount that a person has typed, in micros: 1234.5 or 1,234.50. Undefined when it is not one, is below zero, has more than
 * six decimals or is larger than any amount may be.
 */
export function readAmount(text: string): Micros | undefined {
  const trimmed = text.trim();
  return multiplyMicros(ONE_UNIT, GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed);
}

import {
  CURRENCIES,
  type CurrencyCode,
  MICROS_PER_UNIT,
  type Micros,
  multiplyMicros,
  toMicros,
} from '@roundhouse/contract/light';

const MAX_DECIMALS = 6;
const MICROS = BigInt(MICROS_PER_UNIT);
const NO_BREAK_SPACE = '\u00a0';
const MINUS = '\u2212';
const writeWhole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/**
 * An amount as a person reads it: $1,234.50. It is exact: a finer fraction gets more decimals. The
 * parts are bigint, so an amount never becomes a float.
 * @param amountMicros whole micros
 * @throws RangeError when it is not a whole number
 */
export function amountText(amountMicros: number, currency: CurrencyCode): string {
  const text = unsignedText(amountMicros, currency);
  return amountMicros < 0 ? MINUS + text : text;
}

/** As {@link amountText}, with a plus above zero. */
export function signedAmountText(amountMicros: number, currency: CurrencyCode): string {
  return amountMicros > 0 ? `+${amountText(amountMicros, currency)}` : amountText(amountMicros, currency);
}

/** The amount without its currency, as a person types it: 1234.5. */
export function plainAmountText(amountMicros: number): string {
  const { whole, fraction } = partsOf(amountMicros);
  const digits = fraction === '' ? String(whole) : `${whole}.${fraction}`;
  return amountMicros < 0 ? `-${digits}` : digits;
}

function unsignedText(amountMicros: number, currency: CurrencyCode): string {
  const { symbol, symbolSide, decimals } = CURRENCIES[currency];
  const { whole, fraction } = partsOf(amountMicros);
  const digits = fraction.padEnd(decimals, '0');
  const number = writeWhole.format(whole) + (digits === '' ? '' : `.${digits}`);
  // A space follows letters (Rp 5,000), and no space follows signs ($5).
  const space = /\p{S}$/u.test(symbol) ? '' : NO_BREAK_SPACE;
  return symbolSide === 'before' ? symbol + space + number : number + NO_BREAK_SPACE + symbol;
}

/** `fraction` has no zeros at its end. */
function partsOf(amountMicros: number): { whole: bigint; fraction: string } {
  const micros = BigInt(amountMicros);
  const size = micros < 0n ? -micros : micros;
  const fraction = String(size % MICROS).padStart(MAX_DECIMALS, '0');
  return { whole: size / MICROS, fraction: fraction.replace(/0+$/, '') };
}

const ONE_UNIT = toMicros(MICROS_PER_UNIT);
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/**
 * A typed amount (1234.5 or 1,234.50) in micros. Undefined when it is not a number, below zero, has
 * more than six decimals or is above the largest amount.
 */
export function readAmount(text: string): Micros | undefined {
  const trimmed = text.trim();
  return multiplyMicros(ONE_UNIT, GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed);
}

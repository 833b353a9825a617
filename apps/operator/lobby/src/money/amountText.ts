import { CURRENCIES, type CurrencyCode, MICROS_PER_UNIT } from '@roundhouse/contract/light';

const MAX_DECIMALS = 6;
const MICROS = BigInt(MICROS_PER_UNIT);
const NO_BREAK_SPACE = '\u00a0';
const MINUS = '\u2212';
const writeWhole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/**
 * An amount as a person reads it: $1,234.50. Nothing is rounded away: a finer fraction shows as many decimals as it needs.
 * Whole and fraction are split as bigint, so no amount is ever a float.
 * @param amountMicros whole micros
 * @throws RangeError when it is not a whole number
 */
export function amountText(amountMicros: number, currency: CurrencyCode): string {
  const text = unsignedText(amountMicros, currency);
  return amountMicros < 0 ? MINUS + text : text;
}

/** As {@link amountText}, with a plus before what came in; nothing comes before zero. */
export function signedAmountText(amountMicros: number, currency: CurrencyCode): string {
  return amountMicros > 0 ? `+${amountText(amountMicros, currency)}` : amountText(amountMicros, currency);
}

/** The amount without its currency, as it would be typed: 1234.5. */
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
  // Letters keep a distance from the number (Rp 5,000), signs do not ($5).
  const space = /\p{S}$/u.test(symbol) ? '' : NO_BREAK_SPACE;
  return symbolSide === 'before' ? symbol + space + number : number + NO_BREAK_SPACE + symbol;
}

/** The digits of the fraction stand without the zeros at their end. */
function partsOf(amountMicros: number): { whole: bigint; fraction: string } {
  const micros = BigInt(amountMicros);
  const size = micros < 0n ? -micros : micros;
  const fraction = String(size % MICROS).padStart(MAX_DECIMALS, '0');
  return { whole: size / MICROS, fraction: fraction.replace(/0+$/, '') };
}

import {
  CURRENCIES,
  CURRENCY_CODES,
  type CurrencyCode,
  currencyFacts,
  decimalsOfMicros,
  isLearnedCurrency,
  type Micros,
  multiplyMicros,
  toMicros,
} from '@roundhouse/contract/light';
import { texts } from './texts.ts';

const NO_BREAK_SPACE = '\u00a0';
const MINUS = '\u2212';
const writeWhole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** How an amount is shown. In social mode money is shown as gold coins: 1,234.50 GC. */
export type MoneyStyle = { currency: CurrencyCode; isSocial: boolean };

/**
 * Returns an amount as a person reads it: $1,234.50. It is exact: a finer fraction gets more
 * decimals. The parts are bigint, so an amount never becomes a float.
 * @param amountMicros whole micros
 * @throws RangeError when it is not a whole number
 */
export function amountText(amountMicros: number, style: MoneyStyle): string {
  const text = unsignedText(amountMicros, style);
  return amountMicros < 0 ? MINUS + text : text;
}

/** Like {@link amountText}, with a plus above zero. */
export function signedAmountText(amountMicros: number, style: MoneyStyle): string {
  return amountMicros > 0 ? `+${amountText(amountMicros, style)}` : amountText(amountMicros, style);
}

/** Returns the currencies in four groups; the many of ISO 4217 are last. */
export function currencyOptions(codes: readonly CurrencyCode[]): { value: string; label: string; group: string }[] {
  const groups = codes.map((code) => ({ code, place: GROUP_ORDER.indexOf(groupOf(code)) }));
  return groups
    .sort((a, b) => a.place - b.place)
    .map(({ code }) => ({ value: code, label: code, group: texts.choices.currencyGroups[groupOf(code)] }));
}

const GROUP_ORDER = ['listed', 'social', 'configured', 'other'] as const;

function groupOf(code: CurrencyCode): (typeof GROUP_ORDER)[number] {
  if (currencyFacts(code).kind === 'social') return 'social';
  if ((CURRENCY_CODES as readonly string[]).includes(code)) return 'listed';
  return isLearnedCurrency(code) ? 'configured' : 'other';
}

/** Returns the amount without its currency, as a person types it: 1234.5. */
export function plainAmountText(amountMicros: number): string {
  const { whole, fraction } = partsOf(amountMicros, decimalsOfMicros({}));
  const digits = fraction === '' ? String(whole) : `${whole}.${fraction}`;
  return amountMicros < 0 ? `-${digits}` : digits;
}

function unsignedText(amountMicros: number, { currency, isSocial }: MoneyStyle): string {
  const facts = currencyFacts(currency);
  const { symbol, symbolSide, decimals } = isSocial && facts.kind !== 'social' ? CURRENCIES.XGC : facts;
  const { whole, fraction } = partsOf(amountMicros, decimalsOfMicros(facts));
  const digits = fraction.padEnd(decimals, '0');
  const number = writeWhole.format(whole) + (digits === '' ? '' : `.${digits}`);
  // A space follows letters (Rp 5,000), and no space follows signs ($5).
  const space = /\p{S}$/u.test(symbol) ? '' : NO_BREAK_SPACE;
  return symbolSide === 'before' ? symbol + space + number : number + NO_BREAK_SPACE + symbol;
}

/** `fraction` has no zeros at its end. */
function partsOf(amountMicros: number, decimals: number): { whole: bigint; fraction: string } {
  const micros = BigInt(amountMicros);
  const size = micros < 0n ? -micros : micros;
  const unit = 10n ** BigInt(decimals);
  const fraction = String(size % unit).padStart(decimals, '0');
  return { whole: size / unit, fraction: fraction.replace(/0+$/, '') };
}

const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/**
 * Reads a typed amount (1234.5 or 1,234.50) in micros. Undefined if it is not a number, is below
 * zero, is finer than a micro or is above the largest amount.
 */
export function readAmount(text: string, currency: CurrencyCode): Micros | undefined {
  const trimmed = text.trim();
  const oneUnit = toMicros(10n ** BigInt(decimalsOfMicros(currencyFacts(currency))));
  return multiplyMicros(oneUnit, GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed);
}

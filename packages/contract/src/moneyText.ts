import { type CurrencyCode, type CurrencyFacts, currencyFacts, decimalsOfMicros } from './displayFacts.ts';
import { type Micros, multiplyMicros, toMicros } from './money.ts';

const NO_BREAK_SPACE = '\u00a0';
const MINUS = '\u2212';
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/** Whole micros as on the wire; a sum comes as text. */
export type WholeMicros = number | bigint | string;

/**
 * Returns an amount as a person reads it in English: $1,234.50. It is exact: the parts are bigint,
 * and a finer fraction gets more decimals.
 * @throws RangeError or SyntaxError when it is not a whole number
 */
export function moneyText(micros: WholeMicros, facts: Omit<CurrencyFacts, 'kind'>): string {
  const { isNegative, whole, fraction } = partsOf(micros, facts);
  const digits = fraction.padEnd(facts.decimals, '0');
  const number = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (digits === '' ? '' : `.${digits}`);
  const sign = isNegative ? MINUS : '';
  if (facts.symbolSide === 'after') return `${sign}${number}${NO_BREAK_SPACE}${facts.symbol}`;
  // A space follows letters (Rp 5,000), and no space follows signs ($5).
  const space = /\p{S}$|^$/u.test(facts.symbol) ? '' : NO_BREAK_SPACE;
  return `${sign}${facts.symbol}${space}${number}`;
}

/** Returns an amount without its symbol, as a person types it: 1234.50. */
export function plainMoneyText(micros: WholeMicros, facts: Pick<CurrencyFacts, 'decimals' | 'wireUnitsPerUnit'>) {
  const { isNegative, whole, fraction } = partsOf(micros, facts);
  const digits = fraction.padEnd(facts.decimals, '0');
  return `${isNegative ? '-' : ''}${whole}${digits === '' ? '' : `.${digits}`}`;
}

/**
 * Reads a typed amount (1234.5 or 1,234.50) in micros. Undefined if it is not a number, is below
 * zero, is finer than a micro or is above the largest amount.
 */
export function readMoney(text: string, currency: CurrencyCode): Micros | undefined {
  const trimmed = text.trim();
  const oneUnit = toMicros(10n ** BigInt(decimalsOfMicros(currencyFacts(currency))));
  return multiplyMicros(oneUnit, GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed);
}

/** `fraction` has no zeros at its end. */
function partsOf(micros: WholeMicros, facts: Pick<CurrencyFacts, 'wireUnitsPerUnit'>) {
  const value = BigInt(micros);
  const scale = decimalsOfMicros(facts);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return {
    isNegative: value < 0n,
    whole: digits.slice(0, -scale),
    fraction: digits.slice(-scale).replace(/0+$/, ''),
  };
}

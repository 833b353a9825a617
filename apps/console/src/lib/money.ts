import { type CurrencyFacts, currencyFacts, decimalsOfMicros } from '@roundhouse/contract/light';

const numbers = new Map<number, Intl.NumberFormat>();

const PLAIN: CurrencyFacts = { kind: 'regular', symbol: '', symbolSide: 'before', decimals: 0 };

/**
 * Returns an amount in the notation of its currency, such as `€1,234.50`. It is exact: the sum is
 * never a float, and decimals beyond the usual ones appear when they are not zero.
 * @param micros as on the wire; a sum comes as text
 * @param currency without it, the amount is in plain units, such as `1,234.5`
 */
export function amountText(micros: number | string | bigint, currency?: string): string {
  const facts = currency === undefined ? PLAIN : currencyFacts(currency);
  const scale = decimalsOfMicros(facts);
  const value = BigInt(micros);
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  const decimals = Math.max(facts.decimals, fraction.length);
  const number = numberFormat(decimals).format(`${digits.slice(0, -scale)}.${fraction || '0'}` as `${number}`);
  const sign = value < 0n ? '−' : '';
  if (facts.symbolSide === 'after') return `${sign}${number}\u00a0${facts.symbol}`;
  // A symbol made of letters needs a space before the number.
  const gap = /\p{L}$/u.test(facts.symbol) ? '\u00a0' : '';
  return `${sign}${facts.symbol}${gap}${number}`;
}

function numberFormat(decimals: number): Intl.NumberFormat {
  let format = numbers.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    numbers.set(decimals, format);
  }
  return format;
}

/**
 * Reads an amount typed in whole units, such as `12.50`, as micros. Undefined if it is not a plain
 * number or is finer than a micro.
 */
export function readAmount(text: string, currency: string): number | undefined {
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text.trim().replaceAll(',', ''));
  if (!match) return undefined;
  const scale = decimalsOfMicros(currencyFacts(currency));
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > scale) return undefined;
  const micros = Number(BigInt(`${match[1]}${match[2]}${fraction.padEnd(scale, '0')}`));
  return Number.isSafeInteger(micros) ? micros : undefined;
}

/** Returns micros as `readAmount` reads them: `12.5`; an empty text for null. */
export function unitsText(micros: number | null, currency: string): string {
  if (micros === null) return '';
  const scale = decimalsOfMicros(currencyFacts(currency));
  const digits = String(micros).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -scale) : `${digits.slice(0, -scale)}.${fraction}`;
}

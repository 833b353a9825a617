import { type CurrencyCode, currencyFacts, decimalsOfMicros } from '@roundhouse/contract';

/**
 * Returns micros in the unit that the currency is shown in, such as "1,000" or "0.10": with its
 * decimals, or without any when the amount is whole; with more only when the amount has them.
 */
export function amountText(micros: number, currency: CurrencyCode): string {
  const facts = currencyFacts(currency);
  const scale = decimalsOfMicros(facts);
  const digits = String(BigInt(micros)).padStart(scale + 1, '0');
  const whole = BigInt(digits.slice(0, -scale)).toLocaleString('en-US');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction.padEnd(facts.decimals, '0')}`;
}

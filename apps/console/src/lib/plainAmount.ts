import { currencyFacts, decimalsOfMicros } from '@roundhouse/contract/light';

/** Returns an amount as `readAmount` reads it, for a field; empty without an amount. */
export function plainAmount(micros: number | null, currency: string): string {
  if (micros === null) return '';
  const facts = currencyFacts(currency);
  const scale = decimalsOfMicros(facts);
  const digits = String(micros).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '').padEnd(facts.decimals, '0');
  return `${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

import { currencyFacts, moneyText, plainMoneyText, type WholeMicros } from '@roundhouse/contract/light';

export { readMoney as readAmount } from '@roundhouse/contract/light';

/** Stands for an amount whose currency is not known: it has six decimals. */
export const ANY_CURRENCY = 'USD';

const PLAIN = { symbol: '', symbolSide: 'before', decimals: 0 } as const;

/** Returns an amount in the notation of its currency; without one in plain units: `1,234.5`. */
export function amountText(micros: WholeMicros, currency?: string): string {
  return moneyText(micros, currency === undefined ? PLAIN : currencyFacts(currency));
}

/** Returns an amount as `readAmount` reads it, for a field; empty without an amount. */
export function plainAmount(micros: number | null, currency: string): string {
  return micros === null ? '' : plainMoneyText(micros, currencyFacts(currency));
}

import {
  CURRENCIES,
  CURRENCY_CODES,
  type CurrencyCode,
  currencyFacts,
  isLearnedCurrency,
  moneyText,
} from '@roundhouse/contract/light';
import { texts } from './texts.ts';

export { readMoney as readAmount } from '@roundhouse/contract/light';

/** How an amount is shown. In social mode money is shown as gold coins: 1,234.50 GC. */
export type MoneyStyle = { currency: CurrencyCode; isSocial: boolean };

/** Returns an amount as a person reads it: $1,234.50. */
export function amountText(amountMicros: number, { currency, isSocial }: MoneyStyle): string {
  const facts = currencyFacts(currency);
  const { symbol, symbolSide, decimals } = isSocial && facts.kind !== 'social' ? CURRENCIES.XGC : facts;
  return moneyText(amountMicros, { ...facts, symbol, symbolSide, decimals });
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

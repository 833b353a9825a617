import { type CurrencyCode, currencySchema, KNOWN_CURRENCY_CODES } from '@roundhouse/contract';
import * as z from 'zod';
import { scaleOf, walletCurrencies, walletCurrenciesSchema } from '../money.ts';

/** docs/dialects/slotegrator.md explains each key. */
export const settingsSchema = z.strictObject({
  merchantID: z.string().regex(/^[\x21-\x7e]{1,128}$/),
  merchantKey: z.string().min(16).max(512),
  callbackPath: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)*\/?$/)
    .default(''),
  provider: z.string().min(1).max(64).default('Roundhouse'),
  providerID: z.int().min(0).default(1),
  demoCurrency: currencySchema.default('EUR'),
  currencies: walletCurrenciesSchema.default({}),
});
export type Settings = z.output<typeof settingsSchema>;

/** A wallet may write a balance with more decimals than an amount has. */
export const MAX_DECIMALS = 12;
const KNOWN = new Set(KNOWN_CURRENCY_CODES);

/** The settings of one operator, as both directions use them. */
export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(settings: Settings) {
  const { currencies: set } = settings;
  const currencies = walletCurrencies(set, decimalsOf);
  const codes = new Set([...KNOWN, ...Object.keys(set), ...Object.values(set).flatMap(({ code }) => code ?? [])]);
  return {
    settings,
    /** undefined: the wallet does not know our currency. */
    currency: (ours: CurrencyCode) => (KNOWN.has(ours) || Object.hasOwn(set, ours) ? currencies.ours(ours) : undefined),
    currencyByCode: (code: string) => (codes.has(code) ? currencies.theirs(code) : undefined),
    balanceScale: (currency: CurrencyCode) => scaleOf(MAX_DECIMALS - (set[currency]?.shift ?? 0)),
  };
}

/** Fewer decimals than the wallet takes are safe: the amounts between are refused, never rounded. */
function decimalsOf(code: string): number {
  if (!KNOWN.has(code)) return 2;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

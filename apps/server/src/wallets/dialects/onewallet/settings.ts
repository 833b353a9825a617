import { type CurrencyCode, KNOWN_CURRENCY_CODES } from '@roundhouse/contract';
import * as z from 'zod';
import { scaleOf, walletCurrencies, walletCurrenciesSchema } from '../money.ts';

/** docs/dialects/onewallet.md explains each key. */
export const settingsSchema = z.strictObject({
  casinoKey: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  apiToken: z.string().regex(/^[A-Za-z0-9._~-]{16,256}$/),
  authToken: z.string().min(1).max(512),
  gameType: z.string().min(1).max(64).default('slots'),
  check: z.boolean().default(true),
  currencies: walletCurrenciesSchema.default({}),
});
export type Settings = z.output<typeof settingsSchema>;

/** A balance may have so many decimals. */
export const MAX_DECIMALS = 12;
/** The protocol rounds amounts to so many. */
const WIRE_DECIMALS = 2;
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
    /** The wallet may write a balance with more decimals than it takes. */
    readingScale: (currency: CurrencyCode) => scaleOf(MAX_DECIMALS - (set[currency]?.shift ?? 0)),
  };
}

function decimalsOf(code: string): number {
  if (!KNOWN.has(code)) return WIRE_DECIMALS;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
  return Math.min(format.resolvedOptions().maximumFractionDigits ?? WIRE_DECIMALS, WIRE_DECIMALS);
}

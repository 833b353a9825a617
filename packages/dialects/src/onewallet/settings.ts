import * as z from 'zod';
import { decimalsOfCurrency, knownCurrencies, walletCurrenciesSchema } from '../money.ts';

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

/** The protocol rounds amounts to this number of decimals. */
const WIRE_DECIMALS = 2;

/** The settings of one operator, as both directions use them. */
export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(settings: Settings) {
  return { settings, ...knownCurrencies(settings.currencies, decimalsOf) };
}

function decimalsOf(code: string): number {
  return Math.min(decimalsOfCurrency(code), WIRE_DECIMALS);
}

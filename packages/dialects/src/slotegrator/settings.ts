import { currencySchema } from '@roundhouse/contract';
import * as z from 'zod';
import { knownCurrencies, walletCurrenciesSchema } from '../money.ts';

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

/** The settings of one operator, as both directions use them. */
export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(settings: Settings) {
  return { settings, ...knownCurrencies(settings.currencies) };
}

import { currencyFacts, currencySchema } from '@roundhouse/contract';
import * as z from 'zod';
import { walletCurrencies, walletCurrenciesSchema } from '../money.ts';

/** docs/dialects/pragmatic.md explains each key. */
export const settingsSchema = z.strictObject({
  secureLogin: z.string().min(1).max(64),
  secret: z.string().min(8).max(256),
  providerId: z.string().min(1).max(64),
  currency: currencySchema.optional(),
  currencies: walletCurrenciesSchema.default({}),
  endRound: z.boolean().default(true),
  sendsToken: z.boolean().default(false),
  refundDetails: z.boolean().default(false),
});
export type Settings = z.output<typeof settingsSchema>;

/** The settings of one operator, as both directions use them. */
export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(settings: Settings) {
  const all = walletCurrencies(settings.currencies, (code) => currencyFacts(code).decimals);
  const codes = new Set(Object.values(settings.currencies).map(({ code }) => code));
  const isCode = (code: string) => codes.has(code) || currencySchema.safeParse(code).success;
  return {
    settings,
    currency: all.currency,
    currencyByCode: (code = '') => (isCode(code) ? all.currencyByCode(code) : undefined),
  };
}

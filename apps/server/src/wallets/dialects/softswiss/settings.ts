import {
  type CurrencyCode,
  currencySchema,
  KNOWN_CURRENCY_CODES,
  partialJurisdictionSchema,
} from '@roundhouse/contract';
import * as z from 'zod';
import { scaleOf, walletCurrencies, walletCurrenciesSchema } from '../money.ts';

const idSchema = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/);
const casinoSchema = z.strictObject({
  id: idSchema,
  token: z.string().min(1).max(512),
  path: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)*$/)
    .default(''),
});
const isUnique = (ids: readonly string[]) => new Set(ids).size === ids.length;

/** docs/dialects/softswiss.md explains each key. */
export const settingsSchema = z.strictObject({
  casinos: z
    .tuple([casinoSchema], casinoSchema)
    .refine((all) => isUnique(all.map(({ id }) => id)), 'an id is there twice'),
  prefixPlayers: z.boolean().optional(),
  provider: idSchema.optional(),
  currencies: walletCurrenciesSchema.default({}),
  firstBetLevel: z.literal([0, 1]).default(1),
  demoCurrency: currencySchema.default('EUR'),
  jurisdictions: z.record(z.string(), partialJurisdictionSchema).default({}),
});
export type Settings = z.output<typeof settingsSchema>;
export type Casino = z.output<typeof casinoSchema>;

/** An amount on the wire has at most so many decimals. */
export const MAX_DECIMALS = 12;
const KNOWN = new Set(KNOWN_CURRENCY_CODES);

/** The settings of one operator, as both directions use them. */
export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(settings: Settings) {
  const { casinos, provider, currencies: set } = settings;
  const hasPrefix = settings.prefixPlayers ?? casinos.length > 1;
  const currencies = walletCurrencies(set, decimalsOf);
  const codes = new Set([...KNOWN, ...Object.keys(set), ...Object.values(set).flatMap(({ code }) => code ?? [])]);
  return {
    settings,
    /** undefined: the wallet does not know our currency. */
    currency: (ours: CurrencyCode) => (KNOWN.has(ours) || Object.hasOwn(set, ours) ? currencies.ours(ours) : undefined),
    currencyByCode: (code: string) => (codes.has(code) ? currencies.theirs(code) : undefined),
    /** The wallet may write an amount with more decimals than it takes. */
    readingScale: (currency: CurrencyCode) => scaleOf(MAX_DECIMALS - (set[currency]?.shift ?? 0)),
    /** Our name of a player or a grant of the casino. */
    nameIn: ({ id: casino }: Casino, id: string) => (hasPrefix ? `${casino}/${id}` : id),
    /** A name without a casino is older than the second casino: it is of the first. */
    idOf(name: string): { casino: Casino; id: string } {
      const casino = hasPrefix ? casinos.find(({ id }) => name.startsWith(`${id}/`)) : undefined;
      return casino ? { casino, id: name.slice(casino.id.length + 1) } : { casino: casinos[0], id: name };
    },
    gameTheirs: (gameID: string) => (provider === undefined ? gameID : `${provider}:${gameID}`),
    gameOurs: (game: string) => (game.startsWith(`${provider}:`) ? game.slice(game.indexOf(':') + 1) : game),
  };
}

/** Fewer decimals than the wallet takes are safe: the amounts between are refused, and never rounded. */
function decimalsOf(code: string): number {
  if (!KNOWN.has(code)) return 2;
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2
  );
}

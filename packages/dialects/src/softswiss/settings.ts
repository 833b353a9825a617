import { currencySchema, partialJurisdictionSchema } from '@roundhouse/contract';
import * as z from 'zod';
import { knownCurrencies, walletCurrenciesSchema } from '../money.ts';

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

/** The settings of one operator, as both directions use them. */
export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(settings: Settings) {
  const { casinos, provider } = settings;
  const hasPrefix = settings.prefixPlayers ?? casinos.length > 1;
  return {
    settings,
    ...knownCurrencies(settings.currencies),
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

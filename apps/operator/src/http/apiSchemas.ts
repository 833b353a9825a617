import {
  bookIDSchema,
  countrySchema,
  currencySchema,
  drawsSchema,
  isStorableText,
  MICROS_PER_UNIT,
  modeSchema,
  nameOf,
  partialJurisdictionSchema,
  playerIDSchema,
  positiveMicrosSchema,
  sessionIDSchema,
  unsignedMicrosSchema,
} from '@roundhouse/contract';
import * as z from 'zod';

const MAX_ENTRIES = 200;
const DEFAULT_ENTRIES = 50;
/** The limit of a deposit of play money: a few zeros too many must not fill an account. */
const MAX_DEPOSIT_UNITS = 10_000;

const entryIDSchema = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);
const upperCountrySchema = countrySchema.transform((country) => country.toUpperCase());

export const playerParamsSchema = z.object({ playerID: playerIDSchema });
export const enterSchema = z.object({ playerID: playerIDSchema.optional(), currency: currencySchema.default('USD') });
export const launchSchema = z.object({
  playerID: playerIDSchema,
  gameID: nameOf('The game.').refine(isStorableText, { error: 'must not hold U+0000 or half a surrogate pair' }),
  currency: currencySchema,
  lang: nameOf('Display language.').default('en'),
  device: nameOf('`mobile` or `desktop`.').default('desktop'),
  social: z.boolean().optional(),
  draws: drawsSchema.optional(),
  country: upperCountrySchema.optional(),
  jurisdiction: partialJurisdictionSchema.optional(),
});
export const statementQuerySchema = z.object({
  currency: currencySchema.default('USD'),
  limit: z.coerce.number().int().min(1).max(MAX_ENTRIES).default(DEFAULT_ENTRIES),
  before: entryIDSchema.optional(),
});
export const streamQuerySchema = z.object({ currency: currencySchema.default('USD') });
export const lastEventIDSchema = entryIDSchema.optional().catch(undefined);
export const depositSchema = z.object({
  currency: currencySchema,
  amount: z
    .int()
    .positive()
    .max(MAX_DEPOSIT_UNITS * MICROS_PER_UNIT),
});
export const setBalanceSchema = z.object({ currency: currencySchema, amount: unsignedMicrosSchema });
export const playerRulesSchema = z.object({
  currency: currencySchema,
  dailyLossLimit: unsignedMicrosSchema.nullish(),
  country: upperCountrySchema.nullish(),
  loginExpiresAt: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .nullish(),
});
export const freeRoundsSchema = z.object({
  playerID: playerIDSchema,
  currency: currencySchema,
  gameID: nameOf('The game.'),
  mode: modeSchema,
  amount: positiveMicrosSchema,
  automatic: z.boolean().default(false),
  paidAtEnd: z.boolean().default(false),
});
/** The game server checks `/game/force` fully. */
export const forceSchema = z.object({
  sessionID: sessionIDSchema,
  mode: modeSchema.optional(),
  bookID: bookIDSchema.optional(),
  kind: z.string().min(1).max(32).optional(),
  feature: z.boolean().optional(),
});

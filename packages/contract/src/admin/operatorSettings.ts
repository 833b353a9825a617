import * as z from 'zod';
import { EXTRA_LANGUAGES } from '../displayFacts.ts';
import { DRAWS } from '../fairness.ts';
import {
  currencySchema,
  partialJurisdictionSchema,
  positiveMicrosSchema,
  storableTextOf,
  unsignedMicrosSchema,
} from '../fields.ts';
import { parseHttpUrl } from '../rgsUrl.ts';

type Bounds = { readonly least: number; readonly most: number; readonly unit: string };

/** The bounds of an operator's settings, for the commands and for the console. */
export const OPERATOR_BOUNDS = {
  /** A week. */
  sessionMinutes: { least: 1, most: 7 * 24 * 60, unit: ' of minutes' },
  walletTimeoutMs: { least: 100, most: 60_000, unit: ' of milliseconds' },
  /** A year. */
  completionHours: { least: 1, most: 8760, unit: ' of hours' },
  freeRounds: { least: 0, most: 1_000_000, unit: ' of rounds' },
} as const satisfies Record<string, Bounds>;

const MAX_CODE_CHARACTERS = 64;
const MAX_NAME_CHARACTERS = 200;
const MAX_LIST = 400;

function wholeNumber({ least, most, unit }: Bounds) {
  const error = `A whole number${unit} from ${least} to ${most}.`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

/** The short name of an operator: it is part of addresses and comes before session ids. */
export const operatorCodeSchema = z
  .string()
  .regex(/^[a-z0-9-]+$/, { error: `A code is 1 to ${MAX_CODE_CHARACTERS} of a-z, 0-9 and "-".` })
  .max(MAX_CODE_CHARACTERS, { error: `A code is 1 to ${MAX_CODE_CHARACTERS} of a-z, 0-9 and "-".` });

export const countryCodeSchema = z
  .string()
  .regex(/^[A-Za-z]{2}$/, { error: 'A country is two letters (ISO 3166-1), for example FI.' })
  .toUpperCase();

/** A wallet's address begins with this, before /debit. The result has no slash at its end. */
export const baseUrlSchema = z.string().transform((text, context) => {
  const url = parseHttpUrl(text);
  const issue = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  if (url === undefined) {
    return issue('It begins with http:// or https://, and has no spaces or line ends around it.');
  }
  // Commands print the address, and paths are put at its end.
  if (url.username || url.password || url.search || url.hash) {
    return issue('It has no user, no password, no query and no fragment.');
  }
  return url.href.replace(/\/+$/, '');
});

/** What can be set of an operator, except secrets and limits: those have separate requests. */
export const operatorSettingsSchema = z
  .strictObject({
    name: storableTextOf(MAX_NAME_CHARACTERS, 'Full name.'),
    sessionTimeoutMinutes: wholeNumber(OPERATOR_BOUNDS.sessionMinutes),
    sessionLifetimeMinutes: wholeNumber(OPERATOR_BOUNDS.sessionMinutes),
    allowedCountries: z.array(countryCodeSchema).max(MAX_LIST).meta({ description: 'Empty: from everywhere.' }),
    blockedCountries: z.array(countryCodeSchema).max(MAX_LIST),
    completeRoundsAfterHours: wholeNumber(OPERATOR_BOUNDS.completionHours)
      .nullable()
      .meta({ description: 'Completes a round that its player has left; null leaves it open.' }),
    jurisdictionPreset: z.string().max(MAX_CODE_CHARACTERS).meta({
      description: 'What a place demands. Fields of `jurisdiction` win. Both replace the stored jurisdiction.',
    }),
    jurisdiction: partialJurisdictionSchema.strict().meta({ description: 'New sessions start from these flags.' }),
    walletUrl: baseUrlSchema.nullable().meta({ description: "The operator's own wallet; null is the house wallet." }),
    walletTimeoutMs: wholeNumber(OPERATOR_BOUNDS.walletTimeoutMs),
    dialect: z.string().max(MAX_CODE_CHARACTERS).meta({ description: 'The protocol of the wallet.' }),
    dialectSettings: z.record(z.string(), z.unknown()).meta({
      description: 'Keys and names for the dialect. No response ever has them.',
    }),
    currencies: z.array(currencySchema).max(MAX_LIST).meta({ description: 'Empty: all.' }),
    languages: z
      .array(z.enum(EXTRA_LANGUAGES as readonly [string, ...string[]]))
      .max(MAX_LIST)
      .meta({ description: 'Launches may use these beside the languages of the protocol.' }),
    defaultGame: storableTextOf(100, 'Game of sessions that come without a launch.').nullable(),
    isDefault: z.boolean().meta({ description: 'Verifies sessions that name no operator.' }),
    launchedOnly: z.boolean().meta({ description: 'Verifies launched sessions only.' }),
    freeRounds: z.boolean().meta({ description: 'Its wallet takes debits of 0 that name a grant.' }),
    maxFreeRounds: wholeNumber(OPERATOR_BOUNDS.freeRounds),
    closingDebits: z.boolean().meta({ description: 'Its wallet takes debits that close their lost round.' }),
    draws: z.enum(DRAWS).nullable().meta({
      description: 'How the rounds of new sessions are drawn, unless a launch says it; null: as the game says.',
    }),
  })
  .partial();

const limit = unsignedMicrosSchema.nullable().optional();
const threshold = positiveMicrosSchema.nullable().optional();

/** null takes a limit away; one that is left out stays. Amounts are micros. */
export const limitsChangeSchema = z.strictObject({
  currency: currencySchema,
  maxBetMicros: limit,
  dailyWagerLimitMicros: limit,
  dailyLossLimitMicros: limit,
  largeBetMicros: threshold,
  largeWinMicros: threshold,
  largeDailyWagerMicros: threshold,
  largeDailyWinMicros: threshold,
  maxGrantLiabilityMicros: limit,
});

export type OperatorLimitsChange = z.infer<typeof limitsChangeSchema>;
export type OperatorSettingsChange = z.infer<typeof operatorSettingsSchema>;
export type OperatorSettingsInput = z.input<typeof operatorSettingsSchema>;

import * as z from 'zod';
import { CURRENCY_CODE, decimalsOfMicros } from './displayFacts.ts';
import { mapJurisdiction } from './jurisdiction.ts';
import { nearestMicros } from './money.ts';
import { isPlainText } from './plainText.ts';
import { MAX_URL_LENGTH, parseHttpUrl } from './rgsUrl.ts';
import {
  isStorableText,
  isWellFormedText,
  isWithinBytes,
  isWithinCharacters,
  MAX_CLIENT_VERSION_CHARACTERS,
  MAX_EVENT_BYTES,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  MAX_MODE_CHARACTERS,
  MAX_SESSION_ID_CHARACTERS,
} from './text.ts';

/**
 * Returns the schema of a text of 1 to `max` characters. Zod's own `max` counts UTF-16 units. The
 * protocol counts code points, as JSON Schema's `maxLength` does: hence the refinement, and the
 * limits a second time for the published schema.
 */
function textOf(max: number, description: string, example?: string) {
  return z
    .string()
    .refine((text) => isWithinCharacters(text, max), { error: `must have 1 to ${max} characters` })
    .meta({ minLength: 1, maxLength: max, description, ...(example && { examples: [example] }) });
}

const UNSTORABLE = 'must not hold U+0000 or half a surrogate pair';

/** Returns the schema of a text of 1 to `max` characters that will be stored. */
export function storableTextOf(max: number, description: string, example?: string) {
  return textOf(max, description, example).refine(isStorableText, { error: UNSTORABLE });
}

/**
 * Returns the schema of a name that people read in lists, logs and exports: 1 to `max` characters.
 */
export function plainTextOf(max: number, description: string, example?: string) {
  return storableTextOf(max, description, example).refine(isPlainText, {
    error: 'must not hold control characters, ends of lines or changes of direction',
  });
}

/**
 * Returns the schema of a name in a path or a request. A name that does not exist is unknown, and
 * not malformed.
 */
export const nameOf = (description: string) => textOf(MAX_MODE_CHARACTERS, description);

export const sessionIDSchema = textOf(
  MAX_SESSION_ID_CHARACTERS,
  'The session that the operator issued at launch, from the launch URL. It is a credential.',
  'a-session-id',
).refine(isWellFormedText, { error: 'must not hold half a surrogate pair' });

/** The address of a page, kept as it is written. */
export const httpUrlSchema = z
  .string()
  .max(MAX_URL_LENGTH)
  .refine((text) => parseHttpUrl(text) !== undefined, {
    error: 'must be an http or https URL, without control characters and without spaces at its ends',
  })
  .meta({ format: 'uri' });

export const modeSchema = textOf(
  MAX_MODE_CHARACTERS,
  'Name of a bet mode of the game, in upper or lower case.',
  'BASE',
);

export const eventTextSchema = z
  .string()
  .refine((text) => isWithinBytes(text, MAX_EVENT_BYTES), { error: `must have 1 to ${MAX_EVENT_BYTES} bytes in UTF-8` })
  .refine(isStorableText, { error: UNSTORABLE })
  // JSON Schema has no limit of bytes: a text of more characters has more bytes.
  .meta({
    minLength: 1,
    maxLength: MAX_EVENT_BYTES,
    description: `What the player did, in the words of the game, in at most ${MAX_EVENT_BYTES} bytes of UTF-8. The server keeps it and does not read it.`,
    examples: ['picked:3'],
  });

/** This optional header makes a play safe to repeat. */
export const idempotencyKeySchema = textOf(
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  'The same key with the same body from the same session returns the same round and never debits twice; with another body it is ERR_VAL.',
).optional();

/** The client's software, as it names itself. */
export const clientVersionSchema = storableTextOf(
  MAX_CLIENT_VERSION_CHARACTERS,
  'Version of the front end and of its SDK. The server logs it with the session and does not read it.',
  '1.0.0 sdk/0.1.0',
).optional();

/** Takes any amount: whole micros within ±9,007,199,254,740,991. */
export const microsSchema = z.int();
/** Takes an amount above zero. */
export const positiveMicrosSchema = z.int().min(1);
/** Takes an amount of zero or more. */
export const unsignedMicrosSchema = z.int().min(0);

/**
 * Takes an amount that a game sends. Games compute amounts with doubles, so a number that
 * {@link nearestMicros} knows is those micros. The protocols of operators and wallets take whole
 * numbers alone.
 */
function sentMicros(min: number, texts: { description: string; examples?: number[] }) {
  const error = ({ input }: { input?: unknown }) =>
    typeof input === 'number' && !Number.isInteger(input)
      ? `must be a whole number of micros, not ${input}`
      : undefined;
  const micros = z.int({ error }).min(min).meta(texts);
  return z.preprocess((value: number) => nearestMicros(value) ?? value, micros);
}

/** Takes an amount above zero that a game sends. */
export const sentPositiveMicros = (description: string, ...examples: number[]) =>
  sentMicros(1, { description, ...(examples.length > 0 && { examples }) });
/** Takes an amount of zero or more that a game sends. */
export const sentUnsignedMicros = (description: string) => sentMicros(0, { description });

export const currencySchema = z
  .string()
  .regex(CURRENCY_CODE)
  .meta({
    description:
      'The currency of the amounts: three letters of ISO 4217, XGC or XSC of a social casino, or a code that the server configures.',
    examples: ['USD'],
  });

/** A symbol holds nothing that could be read as a part of a number. */
const CURRENCY_SYMBOL = /^[^\s\d.,+-]{1,8}$/;
const INVISIBLE = /\p{C}/u;
const MAX_CURRENCY_DECIMALS = 8;
/** An amount can then be at most 90 units. */
const MAX_WIRE_UNITS_PER_UNIT = 100_000_000;

/** Takes a currency of the server's settings. */
export const configuredCurrencySchema = z
  .object({
    code: currencySchema,
    kind: z.enum(['regular', 'social']).meta({ description: '`social` shows no words of money.' }),
    symbol: z
      .string()
      .regex(CURRENCY_SYMBOL)
      .refine((symbol) => !INVISIBLE.test(symbol), { error: 'must be seen' })
      .meta({ description: 'Up to 8 characters without digits, spaces, points, commas and signs.', examples: ['₿'] }),
    decimals: z
      .int()
      .min(0)
      .max(MAX_CURRENCY_DECIMALS)
      .meta({ description: 'Decimal places of prices; at most those that a micro has.' }),
    symbolSide: z.enum(['before', 'after']),
    wireUnitsPerUnit: z.int().min(1).max(MAX_WIRE_UNITS_PER_UNIT).optional().meta({
      description:
        'How many units of the wire, of a million micros each, make one unit that is shown: a power of ten, 1 when left out.',
    }),
  })
  .refine(({ wireUnitsPerUnit = 1 }) => /^10*$/.test(String(wireUnitsPerUnit)), {
    path: ['wireUnitsPerUnit'],
    error: 'must be a power of ten',
  })
  .refine((currency) => currency.decimals <= decimalsOfMicros(currency), {
    path: ['decimals'],
    error: 'a micro has fewer: 8 decimals need wireUnitsPerUnit 100 or more',
  })
  .meta({ title: 'ConfiguredCurrency', description: 'How a currency that the server configures is shown.' });

/** Takes the id of a book. A text of digits is valid too, because tools and forms send one. */
export const bookIDSchema = z
  .union([z.int().min(0), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .meta({ description: 'Id of a published book.' });

/** The place of play demands this. All fields are always sent. */
export const jurisdictionSchema = z
  .object(
    mapJurisdiction({
      flag: (_, description) => z.boolean().meta({ description }),
      duration: (_, description, maxMs) => z.int().min(0).max(maxMs).meta({ description }),
      count: (_, description, max) => z.int().min(0).max(max).meta({ description }),
    }),
  )
  .meta({ title: 'Jurisdiction', description: 'What the place of play demands.' });

const MAX_COMPLETION_HOURS = 8760;

/** What the server alone keeps to: the game does not get these. */
const jurisdictionRulesSchema = z.object({
  maxStake: z.record(currencySchema, unsignedMicrosSchema).meta({
    description:
      'The most that one play may cost, the cost of its mode included: micros by currency. A play above it is refused with ERR_VAL. The lowest of all that are given counts.',
    examples: [{ GBP: 2_000_000 }],
  }),
  minimumRTP: z
    .number()
    .min(0)
    .max(100)
    .multipleOf(0.01)
    .meta({
      description:
        'Percent, with at most two decimals. A game with a mode that returns less is not played: a launch is refused with ERR_VAL, authenticate with ERR_LOC.',
      examples: [85],
    }),
  completeRoundsAfterHours: z
    .int()
    .min(0)
    .max(MAX_COMPLETION_HOURS)
    .meta({
      description:
        'Hours after which the server completes a round that its player has left, and credits it; 0 for never. The shorter of this and the setting of the operator counts.',
      examples: [24],
    }),
});

/** Takes some of the fields, for a configuration that overrides defaults. */
export const partialJurisdictionSchema = jurisdictionSchema
  .extend(jurisdictionRulesSchema.shape)
  .partial()
  .meta({ title: 'PartialJurisdiction' });

export type Jurisdiction = z.infer<typeof jurisdictionSchema>;
export type PartialJurisdiction = z.infer<typeof partialJurisdictionSchema>;

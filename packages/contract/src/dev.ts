import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { drawsSchema } from './fairness.ts';
import { faultPlanSchema } from './faults.ts';
import {
  bookIDSchema,
  currencySchema,
  modeSchema,
  nameOf,
  partialJurisdictionSchema,
  plainTextOf,
  sentUnsignedMicros,
  sessionIDSchema,
} from './fields.ts';
import { balanceSchema, roundSchema } from './game.ts';
import { errorBodySchema } from './refusals.ts';
import { DEV_ROUTES } from './routes.ts';

/** A new test player has this balance when the request names none, in micros: 1,000 units. */
export const DEFAULT_TEST_BALANCE = 1_000_000_000;

const MAX_TOKEN_CHARACTERS = 128;
const MAX_PAYOUT_MULTIPLIER = 1_000_000_000;
const MAX_TYPE_CHARACTERS = 128;
const MAX_TYPES = 20;
const MAX_FOUND_BOOKS = 100;

export const startSessionRequestSchema = z
  .object({
    gameID: nameOf(
      'The game; without it the first one that is loaded, which the URL of the response names.',
    ).optional(),
    currency: currencySchema.optional(),
    language: nameOf(
      'Display language, read as a launch URL is: unknown is `en`, and common slips such as `br` for `pt` are known.',
    ).optional(),
    device: nameOf('`mobile` or `desktop`; unknown is `desktop`.').optional(),
    social: z.boolean().optional().meta({ description: 'Social casino mode.' }),
    balance: sentUnsignedMicros(
      `Opening balance of a new test player, in micros; ${DEFAULT_TEST_BALANCE} when left out. An existing player keeps their balance.`,
    ).optional(),
    setBalance: sentUnsignedMicros(
      'Sets the balance to this many micros, whether the player is new or not.',
    ).optional(),
    token: plainTextOf(
      MAX_TOKEN_CHARACTERS,
      'Names the player: the same token is the same player again. Without it the player is new.',
    ).optional(),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .optional()
      .meta({ description: 'Where the player is, an ISO 3166-1 code of two letters.', examples: ['FI'] }),
    jurisdiction: partialJurisdictionSchema.optional(),
    draws: drawsSchema.optional().meta({
      description: 'How the rounds of the session are drawn; without it as the operator, else as the game says.',
    }),
  })
  .meta({ title: 'StartSessionRequest' });
export const startSessionResponseSchema = z
  .object({ url: z.string().meta({ description: 'The launch URL.' }), sessionID: z.string() })
  .meta({ title: 'StartSessionResponse', description: 'A new session, and the URL that plays it.' });

export const searchBookRequestSchema = z
  .object({
    sessionID: sessionIDSchema.optional(),
    gameID: nameOf(
      'The game; without it that of the session, else the one that is served, else that of the session that has authenticated last.',
    ).optional(),
    gameVersion: nameOf('Its version; without it that of the session, else the current one.').optional(),
    mode: modeSchema,
    search: z.object({ bookID: bookIDSchema }),
  })
  .meta({ title: 'SearchBookRequest' });
export const searchBookResponseSchema = z
  .object({
    round: roundSchema,
    balance: balanceSchema,
  })
  .meta({
    title: 'SearchBookResponse',
    description:
      'The book as the round that it would be. No money moves: the balance is that of the session, without one that of a new test player.',
  });

/**
 * Each kind of result is judged within its mode: `loss` pays nothing; `small` pays, and at most
 * what the bet costs; `big` pays at least ten times the cost, or as much as the best tenth of the
 * winning books when none does; `max` is the highest payout; `feature` is among the longest books.
 */
export const OUTCOME_KINDS = ['loss', 'small', 'big', 'max', 'feature'] as const;

export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

const kindSchema = z.enum(OUTCOME_KINDS).meta({
  description:
    '`loss` pays nothing, `small` at most what the bet costs, `big` ten times that or more, `max` the most; `feature` is among the longest hundredth.',
});
const featureSchema = z
  .boolean()
  .meta({ description: 'False: no book with an event of a feature. Those are the events that are `isFeature`.' });
const multiplierSchema = z.number().min(0).max(MAX_PAYOUT_MULTIPLIER);
const eventTypesSchema = z.array(z.string().min(1).max(MAX_TYPE_CHARACTERS)).max(MAX_TYPES);

export const findBooksRequestSchema = z
  .object({
    sessionID: sessionIDSchema.optional(),
    gameID: nameOf(
      'The game; without it that of the session, else the one that is served, else that of the session that has authenticated last.',
    ).optional(),
    gameVersion: nameOf('Its version; without it that of the session, else the current one.').optional(),
    mode: modeSchema,
    kind: kindSchema.optional(),
    feature: featureSchema.optional(),
    payout: z.object({ from: multiplierSchema.optional(), to: multiplierSchema.optional() }).optional().meta({
      description: 'The payout as a multiple of the bet; both ends count.',
    }),
    with: eventTypesSchema.optional().meta({ description: 'Types of events that the book has, each at least once.' }),
    without: eventTypesSchema.optional().meta({ description: 'Types of events that the book does not have.' }),
    from: z.int().min(0).optional().meta({ description: 'Where to go on: `next` of the response before.' }),
    limit: z
      .int()
      .min(1)
      .max(MAX_FOUND_BOOKS)
      .optional()
      .meta({ description: 'Most books of the response; 20 when left out.' }),
  })
  .meta({ title: 'FindBooksRequest' });
const foundBookSchema = z.object({
  bookID: z.int().min(0),
  payoutMultiplier: z.number().min(0),
  events: z
    .array(z.object({ type: z.string(), count: z.int().min(1) }))
    .meta({ description: 'How often each type of event comes, in the order of the book.' }),
});
const bookEventTypeSchema = z.object({
  type: z.string(),
  share: z.number().min(0).max(1).meta({ description: 'In which share of a sample of the books it comes.' }),
  isFeature: z.boolean().meta({ description: 'Nearly all of the longest books have it, and most books do not.' }),
});
export const findBooksResponseSchema = z
  .object({
    books: z.array(foundBookSchema),
    next: z.int().min(0).nullable().meta({
      description:
        'Where the search goes on as `from`; null when all books were looked at. A search ends after 1.5 seconds, also without a result.',
    }),
    bookCount: z.int().min(0).meta({ description: 'Of the mode.' }),
    eventTypes: z
      .array(bookEventTypeSchema)
      .meta({ description: 'The types of events of the mode, frequent ones first.' }),
  })
  .meta({ title: 'FindBooksResponse' });

export const forceNextRequestSchema = z
  .object({
    sessionID: sessionIDSchema,
    mode: modeSchema.optional().meta({ description: 'The bet mode; without it the first of the game.' }),
    bookID: bookIDSchema.optional(),
    kind: kindSchema.optional().meta({
      description:
        'In place of bookID, any book of this kind: `loss` pays nothing, `small` at most what the bet costs, `big` ten times that or more, `max` the most; `feature` is among the longest hundredth.',
    }),
    feature: featureSchema.optional(),
  })
  .refine(({ bookID, kind }) => (bookID === undefined) !== (kind === undefined), {
    path: ['bookID'],
    error: 'needs exactly one of bookID and kind',
  })
  .meta({ title: 'ForceNextRequest' });
export const forceNextResponseSchema = z
  .object({ bookID: z.int().min(0), mode: z.string() })
  .meta({ title: 'ForceNextResponse', description: 'What the next play of the session in this mode will be.' });

export const readParityRequestSchema = z.object({ sessionID: sessionIDSchema }).meta({ title: 'ReadParityRequest' });
const parityMarkSchema = z.object({
  id: z.string().meta({ description: 'The difference, as docs/parity.md names it.' }),
  path: z.string().meta({ description: 'The newest request.' }),
  theirs: z.string().meta({ description: "Engine's response." }),
  times: z.int().min(1),
});
export const readParityResponseSchema = z
  .object({
    isStrict: z.boolean().meta({ description: 'Under `--strict engine` the game got the refusal.' }),
    marks: z.array(parityMarkSchema),
  })
  .meta({ title: 'ReadParityResponse', description: "The requests of the session that Engine's server refuses." });

export const readHttpsResponseSchema = z
  .object({
    url: z.string().meta({ description: 'The address by https, for example https://127.0.0.1:4000.' }),
    refusals: z.int().min(0).meta({
      description: 'How often a browser has refused the certificate, which is self-signed, since the start.',
    }),
  })
  .meta({ title: 'ReadHttpsResponse', description: 'The port serves http and https.' });

export type StartSessionRequest = z.infer<typeof startSessionRequestSchema>;
export type StartSessionResponse = z.infer<typeof startSessionResponseSchema>;
export type SearchBookRequest = z.infer<typeof searchBookRequestSchema>;
export type SearchBookResponse = z.infer<typeof searchBookResponseSchema>;
export type FindBooksRequest = z.infer<typeof findBooksRequestSchema>;
export type FindBooksResponse = z.infer<typeof findBooksResponseSchema>;
export type FoundBook = FindBooksResponse['books'][number];
export type BookEventType = FindBooksResponse['eventTypes'][number];
export type ForceNextRequest = z.infer<typeof forceNextRequestSchema>;
export type ForceNextResponse = z.infer<typeof forceNextResponseSchema>;
export type ReadParityRequest = z.infer<typeof readParityRequestSchema>;
export type ParityMark = z.infer<typeof parityMarkSchema>;
export type ReadParityResponse = z.infer<typeof readParityResponseSchema>;
export type ReadHttpsResponse = z.infer<typeof readHttpsResponseSchema>;

const REFUSALS = { 400: errorBodySchema, 403: errorBodySchema, 404: errorBodySchema, 500: errorBodySchema } as const;

const contract = initContract();

/** These routes are for local work only: in production the paths do not exist. */
export const devContract = contract.router(
  {
    startSession: {
      ...DEV_ROUTES.startSession,
      summary: 'Start a session of a test player',
      description: 'Issues a session as an operator would, and returns the launch URL.',
      body: startSessionRequestSchema,
      responses: { 200: startSessionResponseSchema, ...REFUSALS },
    },
    searchBook: {
      ...DEV_ROUTES.searchBook,
      summary: 'Preview a book',
      description: 'Shows a published book as the round that it would be. No money moves and no round is opened.',
      body: searchBookRequestSchema,
      responses: { 200: searchBookResponseSchema, ...REFUSALS },
    },
    findBooks: {
      ...DEV_ROUTES.findBooks,
      summary: 'Find books',
      description: 'The books of a mode by kind, payout and types of events, in the order of publication.',
      body: findBooksRequestSchema,
      responses: { 200: findBooksResponseSchema, ...REFUSALS },
    },
    forceNext: {
      ...DEV_ROUTES.forceNext,
      summary: 'Force the next outcome',
      description:
        'The next play of this session in this mode takes this book, or one of this kind, in place of a drawn one. Once.',
      body: forceNextRequestSchema,
      responses: { 200: forceNextResponseSchema, ...REFUSALS },
    },
    getFaults: {
      ...DEV_ROUTES.getFaults,
      summary: 'Read the faults',
      description: 'The active faults of the game endpoints, with what is left of them.',
      responses: { 200: faultPlanSchema, ...REFUSALS },
    },
    setFaults: {
      ...DEV_ROUTES.setFaults,
      summary: 'Switch faults on',
      description: 'Makes requests to the game endpoints fail from now on. The plan replaces the one before.',
      body: faultPlanSchema,
      responses: { 200: faultPlanSchema, ...REFUSALS },
    },
    clearFaults: {
      ...DEV_ROUTES.clearFaults,
      summary: 'Switch faults off',
      description: 'Ends all faults; returns the plan that is left, which is empty.',
      responses: { 200: faultPlanSchema, ...REFUSALS },
    },
    readParity: {
      ...DEV_ROUTES.readParity,
      summary: 'Read what Engine refuses',
      description: "The requests of this session that Engine's server refuses, with how often they came.",
      body: readParityRequestSchema,
      responses: { 200: readParityResponseSchema, ...REFUSALS },
    },
    readHttps: {
      ...DEV_ROUTES.readHttps,
      summary: 'Read the https address',
      description: 'The address by https, and how often a browser has refused its certificate.',
      responses: { 200: readHttpsResponseSchema, ...REFUSALS },
    },
  },
  { strictStatusCodes: true },
);

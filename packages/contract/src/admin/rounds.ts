import * as z from 'zod';
import { storableTextOf, unsignedMicrosSchema } from '../fields.ts';
import { GRANT_STATES } from '../grants.ts';
import {
  operatorRoundSchema,
  ROUND_STATES,
  ROUND_TRANSACTION_KINDS,
  roundTransactionSchema,
  TRANSACTION_STATES,
} from '../operator/operatorSchemas.ts';
import { storedPlayerIDSchema } from '../operator/walletSchemas.ts';
import { MAX_MODE_CHARACTERS } from '../text.ts';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import {
  ADMIN_REFUSALS,
  adminInstantSchema,
  approvalPendingSchema,
  conflictSchema,
  pageQuerySchema,
  pageSchema,
  reasonSchema,
} from './adminSchemas.ts';

/**
 * `refused`: the operator's wallet refused the bet, so nothing was taken. `void`: it was taken
 * before.
 */
export const ADMIN_ROUND_STATES = [...ROUND_STATES, 'refused'] as const;

export const SESSION_STATES = ['issued', 'authenticated', 'revoked'] as const;

const operatorCodeSchema = storableTextOf(MAX_MODE_CHARACTERS, 'Code of an operator.');
const limitSchema = unsignedMicrosSchema.nullable();
const betIDParams = z.object({ betID: z.string().max(20) });

export const adminRoundSchema = operatorRoundSchema.omit({ replayURL: true }).extend({
  state: z.enum(ADMIN_ROUND_STATES),
  operator: z.string().meta({ description: 'Code of the operator.' }),
});

const entry = <Kind extends string>(kind: Kind) => z.object({ kind: z.literal(kind), at: adminInstantSchema });
const ofTransaction = { transactionID: z.string(), transaction: z.enum(ROUND_TRANSACTION_KINDS) };
const attemptsSchema = z.int().min(0);

/** The order of two entries of the same instant is that of the life of a round. */
export const timelineEntrySchema = z.discriminatedUnion('kind', [
  entry('session').extend({
    sessionNumber: z.int().min(1),
    state: z.enum(SESSION_STATES).meta({ description: 'As it is now.' }),
    expiresAt: adminInstantSchema,
    country: z.string().nullable(),
  }),
  entry('grant').extend({
    grantID: z.string(),
    campaignID: z.string().nullable(),
    state: z.enum(GRANT_STATES).meta({ description: 'As it is now.' }),
    given: z.int().min(1),
    used: z.int().min(0),
    left: z.int().min(0),
  }),
  entry('draw').extend({
    bookID: z.int().min(0),
    mode: z.string(),
    payoutMultiplier: z.number().min(0),
    amount: unsignedMicrosSchema.meta({ description: 'Base bet.' }),
    cost: unsignedMicrosSchema.meta({
      description: 'What the bet costs: the player, or for a free round the operator.',
    }),
    payout: unsignedMicrosSchema,
  }),
  entry('transaction')
    .extend(ofTransaction)
    .extend({
      amount: unsignedMicrosSchema,
      attempts: attemptsSchema.meta({
        description: 'How often it was sent; 0 in the house wallet, and of a closing that its debit made.',
      }),
      state: z.enum(TRANSACTION_STATES),
      reason: z.string().nullable().meta({ description: 'What the operator gets with a rollback.' }),
      nextAttemptAt: adminInstantSchema.nullable(),
    }),
  entry('result')
    .extend(ofTransaction)
    .extend({
      attempts: attemptsSchema.meta({ description: 'Attempts so far: the result is that of the last one.' }),
      state: z.enum(TRANSACTION_STATES),
      resultCode: z.string().nullable(),
      httpStatus: z.int().nullable(),
      response: z.string().nullable().meta({ description: 'The result, for a person to read.' }),
      settledBy: z.enum(['operator', 'recovery', 'person']).nullable(),
      note: z.string().nullable().meta({ description: 'Why a person settled it.' }),
    }),
  entry('event').extend({ event: z.string().meta({ description: 'What the game recorded.' }) }),
  entry('end').extend({
    state: z.enum(['settled', 'void', 'refused']),
    byServer: z.boolean().meta({ description: 'The player had left the round, and the server completed it.' }),
  }),
  entry('action').extend({
    actor: z.string(),
    event: z.string().meta({ description: 'Kind of the significant event.' }),
    subject: z.string(),
    before: z.string().nullable().meta({ description: 'JSON as text.' }),
    after: z.string().nullable().meta({ description: 'JSON as text.' }),
  }),
]);

const limitsSchema = z.object({
  maxStake: limitSchema.meta({ description: 'The most that a play of the session may cost; null for no limit.' }),
  minimumRoundDurationMs: z.int().min(0).nullable().meta({ description: 'Null when the session was deleted.' }),
  minimumRTP: z
    .number()
    .nullable()
    .meta({ description: 'Percent, from the jurisdiction of the operator as it is now.' }),
  rtp: z.number().nullable().meta({ description: 'What the mode returns: 0.96 is 96 %.' }),
  operator: z
    .object({ maxBet: limitSchema, dailyWager: limitSchema, dailyLoss: limitSchema })
    .meta({ description: 'Limits of the operator in the currency, as they are now.' }),
  player: z
    .object({ dailyWager: limitSchema, dailyLoss: limitSchema })
    .meta({ description: 'Limits of the player in the currency, as they are now.' }),
});

export const roundPageSchema = z.object({
  round: adminRoundSchema,
  gameTitle: z.string(),
  limits: limitsSchema,
  transactions: z.array(roundTransactionSchema).meta({ description: 'In the order in which they were made.' }),
  timeline: z.array(timelineEntrySchema).meta({ description: 'The oldest entry is first.' }),
  can: z.object({ void: z.boolean(), complete: z.boolean() }).meta({
    description: 'What the state of the round allows; the role of the user may still forbid it.',
  }),
});

export const roundBookSchema = z.object({
  bookID: z.int().min(0),
  events: z.array(z.unknown()).meta({ description: "The book's events, as they were published." }),
  payoutMultiplier: z.number().min(0),
  costMultiplier: z.number(),
  replayURL: z.string().nullable().meta({
    description: 'Shows the round in the front end of its game; null for a game without one.',
  }),
});

export const roundRoutes = {
  listRounds: {
    ...ADMIN_ROUTES.listRounds,
    summary: 'List rounds',
    query: pageQuerySchema.extend({
      operator: operatorCodeSchema.optional(),
      player: storedPlayerIDSchema.optional(),
      game: storableTextOf(MAX_MODE_CHARACTERS, 'Only rounds of this game.').optional(),
      state: z.enum(ADMIN_ROUND_STATES).optional(),
      from: adminInstantSchema.optional().meta({ description: 'Opened at this instant or later.' }),
      to: adminInstantSchema.optional().meta({ description: 'Opened before this instant.' }),
    }),
    responses: { 200: pageSchema(adminRoundSchema), ...ADMIN_REFUSALS },
  },
  getRound: {
    ...ADMIN_ROUTES.getRound,
    summary: 'Read everything about a round',
    pathParams: betIDParams,
    responses: { 200: roundPageSchema, ...ADMIN_REFUSALS },
  },
  getRoundBook: {
    ...ADMIN_ROUTES.getRoundBook,
    summary: 'Read the book of a round, and where it is shown again',
    pathParams: betIDParams,
    responses: { 200: roundBookSchema, ...ADMIN_REFUSALS },
  },
  voidRound: {
    ...ADMIN_ROUTES.voidRound,
    summary: 'Void an open round: its bet is returned',
    pathParams: betIDParams,
    body: z.object({ reason: reasonSchema }),
    responses: { 200: roundPageSchema, 202: approvalPendingSchema, 409: conflictSchema, ...ADMIN_REFUSALS },
  },
  completeRound: {
    ...ADMIN_ROUTES.completeRound,
    summary: 'Complete an open round that its player has left: it pays what its book says',
    pathParams: betIDParams,
    body: z.object({ reason: reasonSchema }),
    responses: { 200: roundPageSchema, 409: conflictSchema, ...ADMIN_REFUSALS },
  },
} as const;

export type AdminRound = z.infer<typeof adminRoundSchema>;
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
export type RoundLimits = z.infer<typeof limitsSchema>;
export type RoundPage = z.infer<typeof roundPageSchema>;
export type RoundBook = z.infer<typeof roundBookSchema>;

import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { fairnessSchema, roundFairnessSchema, tableCommitmentSchema } from './fairness.ts';
import {
  clientVersionSchema,
  configuredCurrencySchema,
  currencySchema,
  eventTextSchema,
  idempotencyKeySchema,
  jurisdictionSchema,
  microsSchema,
  modeSchema,
  positiveMicrosSchema,
  sentPositiveMicros,
  sessionIDSchema,
  unsignedMicrosSchema,
} from './fields.ts';
import { grantIDSchema, grantsMetaSchema, grantsRequestSchema, grantsResponseSchema } from './grants.ts';
import { errorBodySchema, REFUSALS } from './refusals.ts';
import { GAME_ROUTES } from './routes.ts';

const costMultiplierSchema = z.number().positive().meta({ description: 'The debit is the base bet times this.' });
const payoutMultiplierSchema = z.number().min(0).meta({ description: 'The payout divided by the base bet.' });
const stateSchema = z
  .array(z.unknown())
  .meta({ description: 'The events of the published book, as they were published.' });

export const balanceSchema = z
  .object({
    amount: microsSchema.meta({
      description: 'Micros: 1000000 is one unit. Below zero for a debt.',
      examples: [1_000_000_000],
    }),
    currency: currencySchema.meta({ description: 'Display only: it never changes the play.' }),
  })
  .meta({ title: 'Balance', description: 'What the player has.' });

export const betModeSchema = z
  .object({
    mode: z
      .string()
      .min(1)
      .meta({ description: 'Name, as it was published.', examples: ['BASE'] }),
    costMultiplier: costMultiplierSchema,
    feature: z.boolean().meta({ description: 'A bought feature, which a jurisdiction may forbid.' }),
    table: tableCommitmentSchema.optional(),
  })
  .meta({ title: 'BetMode', description: 'A way to bet.' });

export const configSchema = z
  .object({
    gameID: z.string(),
    minBet: positiveMicrosSchema.meta({ description: 'Smallest base bet, in micros.' }),
    maxBet: positiveMicrosSchema.meta({ description: 'Largest base bet, in micros.' }),
    stepBet: positiveMicrosSchema.meta({ description: 'A base bet is divisible by this, in micros.' }),
    defaultBetLevel: positiveMicrosSchema.meta({ description: 'The base bet to preselect, in micros.' }),
    betLevels: z
      .array(positiveMicrosSchema)
      .meta({ description: 'Recommended base bets in micros, ascending, the last at most maxBet. May be empty.' }),
    betModes: z.record(z.string(), betModeSchema).meta({ description: 'The bet modes by name.' }),
    maxStake: unsignedMicrosSchema
      .optional()
      .meta({ description: 'The most that one play may cost, in micros; without it there is no such limit.' }),
    jurisdiction: jurisdictionSchema,
    /** Present only for a currency that the server configures. */
    currency: configuredCurrencySchema.optional(),
  })
  .meta({ title: 'BetConfig', description: 'How the game may be played.' });

export const roundSchema = z
  .object({
    betID: z.int().min(0).meta({ description: 'Number of the round; 0 in a preview.' }),
    amount: positiveMicrosSchema.meta({ description: 'Base bet in micros, before the cost multiplier.' }),
    payout: unsignedMicrosSchema.meta({ description: 'What the round pays, in micros.' }),
    payoutMultiplier: payoutMultiplierSchema,
    costMultiplier: costMultiplierSchema,
    active: z.boolean().meta({ description: 'The round still has to be ended.' }),
    mode: z.string().min(1).meta({ description: 'The bet mode, by the name in `betModes`.' }),
    event: z.string().nullable().meta({ description: 'The latest recorded event, or null.' }),
    grantID: grantIDSchema.optional().meta({ description: 'Of a free round: its grant. Else left out.' }),
    state: stateSchema,
  })
  .meta({
    title: 'Round',
    description: 'One round of a game.',
    examples: [
      {
        betID: 7,
        amount: 1_000_000,
        payout: 1_500_000,
        payoutMultiplier: 1.5,
        costMultiplier: 1,
        active: true,
        mode: 'BASE',
        event: null,
        state: [{ index: 0, type: 'reveal' }],
      },
    ],
  });

/** Shows the round of a player who has never played this game. */
export const noRoundSchema = z
  .strictObject({})
  .meta({ title: 'NoRound', description: 'The player has not played this game yet.' });

const metaSchema = grantsMetaSchema.partial().extend({ fairness: fairnessSchema.optional() }).meta({
  title: 'Meta',
  description: 'grants: the open grants of the player, oldest first. fairness: the seeds of provably fair draws.',
});

export const authenticateRequestSchema = z
  .object({ sessionID: sessionIDSchema, clientVersion: clientVersionSchema })
  .meta({ title: 'AuthenticateRequest' });
export const authenticateResponseSchema = z
  .object({
    balance: balanceSchema,
    config: configSchema,
    round: z
      .union([roundSchema, noRoundSchema])
      .meta({ description: 'The active round, else the last completed one, else an empty object.' }),
    meta: metaSchema.nullable().meta({ description: 'Null when it has no member.' }),
  })
  .meta({ title: 'AuthenticateResponse', description: 'All that a game needs to start or to resume.' });

export const balanceRequestSchema = z.object({ sessionID: sessionIDSchema }).meta({ title: 'BalanceRequest' });
export const balanceResponseSchema = z
  .object({ balance: balanceSchema })
  .meta({ title: 'BalanceResponse', description: 'The balance now.' });

export const playRequestSchema = z
  .object({
    sessionID: sessionIDSchema,
    amount: sentPositiveMicros('Base bet in micros.', 1_000_000),
    mode: modeSchema,
    grantID: grantIDSchema.optional().meta({
      description: 'Play a round of this grant: the operator pays the bet. Amount and mode are those of the grant.',
    }),
  })
  .meta({ title: 'PlayRequest' });
export const playResponseSchema = z
  .object({ balance: balanceSchema, round: roundSchema })
  .meta({ title: 'PlayResponse', description: 'The new round, and the balance after the debit.' });

export const endRoundRequestSchema = z.object({ sessionID: sessionIDSchema }).meta({ title: 'EndRoundRequest' });
export const endRoundResponseSchema = z
  .object({ balance: balanceSchema })
  .meta({ title: 'EndRoundResponse', description: 'The balance after the payout.' });

export const eventRequestSchema = z
  .object({ sessionID: sessionIDSchema, event: eventTextSchema })
  .meta({ title: 'EventRequest' });
export const eventResponseSchema = z
  .object({ event: z.string() })
  .meta({ title: 'EventResponse', description: 'The event, as it was recorded.' });

/** The largest number of rounds in one page of the history. */
export const MAX_HISTORY_ROUNDS = 50;
const DEFAULT_HISTORY_ROUNDS = 20;

const instantSchema = z.iso.datetime();

export const historyRequestSchema = z
  .object({
    sessionID: sessionIDSchema,
    before: z.int().min(1).optional().meta({
      description: 'Only rounds with a lower betID: `next` of the page before. Without it the newest rounds.',
    }),
    limit: z
      .int()
      .min(1)
      .max(MAX_HISTORY_ROUNDS)
      .default(DEFAULT_HISTORY_ROUNDS)
      .meta({ description: 'Most rounds on the page.' }),
  })
  .meta({ title: 'HistoryRequest' });
export const historyRoundSchema = roundSchema
  .pick({ amount: true, costMultiplier: true, active: true, mode: true, grantID: true })
  .extend({
    betID: z.int().min(1).meta({ description: 'Number of the round.' }),
    gameVersion: z.string().meta({ description: 'The version on which it was played.' }),
    payout: unsignedMicrosSchema.meta({ description: 'What the round pays, in micros; 0 of a void round.' }),
    payoutMultiplier: payoutMultiplierSchema.meta({
      description: 'The payout divided by the base bet; 0 of a void round.',
    }),
    balanceBefore: microsSchema.optional().meta({
      description:
        'What the player had just before the bet, in micros; below zero for a debt. Left out when it is not known.',
    }),
    void: z.literal(true).optional().meta({ description: 'The bet was returned or never taken. Else left out.' }),
    startedAt: instantSchema,
    endedAt: instantSchema.nullable().meta({ description: 'Null while the round is active.' }),
    fairness: roundFairnessSchema
      .optional()
      .meta({ description: 'Of a provably fair draw: its server seed, and its number under it. Else left out.' }),
    bookID: z.int().min(0).optional().meta({
      description: 'The book, for replay. Left out while the round is active, and of a void round.',
    }),
  })
  .meta({ title: 'HistoryRound', description: 'A round of the history.' });
export const historyResponseSchema = z
  .object({
    rounds: z.array(historyRoundSchema).meta({ description: 'Newest first.' }),
    next: z.int().min(1).nullable().meta({ description: '`before` of the next page; null on the last one.' }),
  })
  .meta({ title: 'HistoryResponse', description: 'A page of the history.' });

export const replayResponseSchema = z
  .object({ payoutMultiplier: payoutMultiplierSchema, costMultiplier: costMultiplierSchema, state: stateSchema })
  .meta({ title: 'ReplayResponse', description: 'A published book, to be shown again.' });

export type Balance = z.infer<typeof balanceSchema>;
export type BetMode = z.infer<typeof betModeSchema>;
export type BetConfig = z.infer<typeof configSchema>;
export type Round = z.infer<typeof roundSchema>;
export type NoRound = z.infer<typeof noRoundSchema>;
export type AuthenticateRequest = z.infer<typeof authenticateRequestSchema>;
export type AuthenticateResponse = z.infer<typeof authenticateResponseSchema>;
export type BalanceRequest = z.infer<typeof balanceRequestSchema>;
export type BalanceResponse = z.infer<typeof balanceResponseSchema>;
export type PlayRequest = z.infer<typeof playRequestSchema>;
export type PlayResponse = z.infer<typeof playResponseSchema>;
export type EndRoundRequest = z.infer<typeof endRoundRequestSchema>;
export type EndRoundResponse = z.infer<typeof endRoundResponseSchema>;
export type EventRequest = z.infer<typeof eventRequestSchema>;
export type EventResponse = z.infer<typeof eventResponseSchema>;
/** What may be sent: `limit` is optional. */
export type HistoryRequest = z.input<typeof historyRequestSchema>;
export type HistoryRound = z.infer<typeof historyRoundSchema>;
export type HistoryResponse = z.infer<typeof historyResponseSchema>;
export type ReplayResponse = z.infer<typeof replayResponseSchema>;

/** What a game may request: the five game endpoints, history, grants and replay. */
export const gameContract = initContract().router(
  {
    authenticate: {
      ...GAME_ROUTES.authenticate,
      summary: 'Validate a session',
      description:
        'The first request of a session; until it succeeds every other one is ERR_IS. It can be repeated: it returns the state and changes nothing.',
      body: authenticateRequestSchema,
      responses: { 200: authenticateResponseSchema, ...REFUSALS },
    },
    balance: {
      ...GAME_ROUTES.balance,
      summary: 'Read the balance',
      description: 'For periodic refresh. It does not keep an idle session alive.',
      body: balanceRequestSchema,
      responses: { 200: balanceResponseSchema, ...REFUSALS },
    },
    play: {
      ...GAME_ROUTES.play,
      summary: 'Start a round',
      description:
        'Debits the base bet times the cost multiplier of the mode, and opens a round. While a round is active it is ERR_VAL and nothing moves. A mode may close a round that pays nothing at once: it then comes back with `active: false`.',
      headers: { 'idempotency-key': idempotencyKeySchema },
      body: playRequestSchema,
      responses: { 200: playResponseSchema, ...REFUSALS },
    },
    endRound: {
      ...GAME_ROUTES.endRound,
      summary: 'Complete the round',
      description:
        'Credits the payout. It can be repeated: when the last round is completed already, it returns the balance and pays nothing. For a player who has never played it is ERR_VAL.',
      body: endRoundRequestSchema,
      responses: { 200: endRoundResponseSchema, ...REFUSALS },
    },
    event: {
      ...GAME_ROUTES.event,
      summary: 'Record a player action',
      description:
        'Keeps an action of the active round, so that play can resume after a disconnect. Without an active round it is ERR_VAL.',
      body: eventRequestSchema,
      responses: { 200: eventResponseSchema, ...REFUSALS },
    },
    history: {
      ...GAME_ROUTES.history,
      summary: "List the player's rounds",
      description:
        'The rounds of the player in this game and currency, of every version and session, newest first. A bet that has no result at the wallet yet is left out. It does not keep an idle session alive.',
      body: historyRequestSchema,
      responses: { 200: historyResponseSchema, ...REFUSALS },
    },
    grants: {
      ...GAME_ROUTES.grants,
      summary: "List the player's free rounds",
      description:
        'The open grants of the player in this game and currency. With a decision it accepts or declines the named grant first. A play accepts too.',
      body: grantsRequestSchema,
      responses: { 200: grantsResponseSchema, ...REFUSALS },
    },
    replay: {
      ...GAME_ROUTES.replay,
      summary: 'Read a published book',
      description: 'Needs no session. A published version never changes, so the response may be cached for ever.',
      // The path has no limits: a name that does not exist is 404.
      pathParams: z.object({
        game: z.string().meta({ description: 'Game id.' }),
        version: z.string().meta({ description: 'Game version.' }),
        mode: z.string().meta({ description: 'Bet mode, in upper or lower case.' }),
        event: z.string().meta({ description: 'Id of the book.' }),
      }),
      responses: { 200: replayResponseSchema, 404: errorBodySchema, ...REFUSALS },
    },
  },
  { strictStatusCodes: true },
);

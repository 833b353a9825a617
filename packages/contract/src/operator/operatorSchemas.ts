import * as z from 'zod';
import { ERROR_CODES } from '../errors.ts';
import { clientSeedSchema, drawsSchema, roundFairnessSchema, tableCommitmentSchema } from '../fairness.ts';
import {
  configuredCurrencySchema,
  currencySchema,
  httpUrlSchema,
  nameOf,
  partialJurisdictionSchema,
  positiveMicrosSchema,
  sessionIDSchema,
  storableTextOf,
  unsignedMicrosSchema,
} from '../fields.ts';
import { grantIDSchema } from '../grants.ts';
import { isStorableText, MAX_MODE_CHARACTERS } from '../text.ts';
import {
  countrySchema,
  launchTokenSchema,
  playerIDSchema,
  storedPlayerIDSchema,
  TRANSACTION_KINDS,
} from './walletSchemas.ts';

/** The largest number of rounds in one page of the list. */
export const MAX_ROUNDS_PER_PAGE = 200;
const DEFAULT_ROUNDS_PER_PAGE = 50;
/** One page of a round has at most this many recorded events. */
export const MAX_EVENTS_PER_PAGE = 200;

/** The codes of the game-facing interface, and one more: the bet was not found. */
export const operatorErrorSchema = z
  .object({
    error: z.enum([...ERROR_CODES, 'ERR_BNF']),
    message: z.string().meta({ description: 'Plain English for a log.' }),
  })
  .meta({ title: 'OperatorError', description: 'Why the request was refused.' });

const instantSchema = z.iso.datetime({ offset: true });

const modeStatisticsSchema = z
  .object({
    mode: z.string().meta({ description: 'As in `modes`.' }),
    costMultiplier: z
      .number()
      .positive()
      .meta({ description: 'What a round costs, in base bets.', examples: [1.25] }),
    rtp: z
      .number()
      .min(0)
      .meta({ description: 'Mean payout ÷ cost: 0.96 is 96 %.', examples: [0.96] }),
    standardDeviation: z.number().min(0).meta({ description: 'Of payout ÷ cost.' }),
    volatility: z.enum(['low', 'medium', 'high']).meta({
      description: 'By the standard deviation: medium from 5, high from 10.',
    }),
    hitRate: z.number().min(0).max(1).meta({ description: 'Share of the rounds that pay anything.' }),
    maxWin: z
      .number()
      .min(0)
      .meta({ description: 'The greatest payout, in base bets.', examples: [5000] }),
    table: tableCommitmentSchema,
  })
  .meta({ title: 'OperatorModeStatistics', description: 'Computed exactly from the published lookup table.' });

const gameBetsSchema = z
  .object({
    minBet: positiveMicrosSchema,
    maxBet: positiveMicrosSchema,
    stepBet: positiveMicrosSchema,
    defaultBetLevel: positiveMicrosSchema,
    betLevels: z.array(positiveMicrosSchema).meta({ description: 'May be empty.' }),
  })
  .meta({ title: 'OperatorGameBets', description: 'The base bets of a game, in micros.' });

export const operatorGameSchema = z
  .object({
    gameID: z.string(),
    version: z.string().meta({ description: 'The version that new sessions play.' }),
    title: z.string(),
    draws: drawsSchema.meta({ description: 'How its sessions draw, when the launch does not say it.' }),
    currencies: z.array(currencySchema),
    modes: z.array(z.string()).meta({ description: 'Names of the bet modes, in upper case.' }),
    statistics: z.array(modeStatisticsSchema).meta({ description: 'Of each mode, in the order of `modes`.' }),
    bets: z.record(z.string(), gameBetsSchema).meta({
      description: 'By currency; `default` is for each currency that is not named.',
    }),
    hasFrontend: z.boolean().meta({ description: 'False: there is nothing to open in a browser.' }),
    thumbnail: z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta({
        description: 'Address of a picture for the tile of the game, when its front end has one.',
        examples: ['https://rgs.example.com/my-game/1.0.0/thumbnail.svg'],
      }),
  })
  .meta({ title: 'OperatorGame' });
export const listGamesResponseSchema = z
  .object({
    games: z.array(operatorGameSchema),
    currencies: z
      .array(configuredCurrencySchema)
      .meta({ description: 'How the currencies that the server configures are shown. May be empty.' }),
    languages: z
      .array(z.string())
      .meta({ description: 'Codes of the languages that launches of this operator may use. Any other is `en`.' }),
  })
  .meta({ title: 'ListGamesResponse', description: 'The games that can be launched now.' });

/** Returns a page of the operator to which the game leads. */
const pageSchema = (meaning: string) => httpUrlSchema.optional().meta({ description: `${meaning}, http or https.` });

export const createSessionRequestSchema = z
  .strictObject({
    sessionID: sessionIDSchema.optional().meta({
      description:
        "The operator's own session; without it the server makes one. Where it has a colon, the operator's own code stands before the first one.",
    }),
    token: launchTokenSchema,
    playerID: playerIDSchema
      .optional()
      .meta({ description: 'Who will play. Without it `/authenticate` of the wallet says so.' }),
    gameID: nameOf('The game.'),
    currency: currencySchema,
    lang: nameOf('Display language; unknown is `en`, and common slips such as `br` for `pt` are known.'),
    device: nameOf('`mobile` or `desktop`; unknown is `desktop`.'),
    country: countrySchema.optional(),
    jurisdiction: partialJurisdictionSchema.strict().optional(),
    maxStake: unsignedMicrosSchema.optional().meta({
      description:
        'The most that one play of the session may cost, the cost of its mode included, in micros of `currency`.',
      examples: [2_000_000],
    }),
    draws: drawsSchema.optional().meta({
      description: 'How the rounds of the session are drawn; without it as the operator, else as the game says.',
    }),
    returnURL: pageSchema('Where the game leads back to'),
    cashierURL: pageSchema('Where the player pays money in'),
    historyURL: pageSchema('Where the player sees all that they have played'),
    responsibleGamblingURL: pageSchema('Where the player finds limits, breaks and help'),
    social: z.boolean().optional().meta({ description: 'Social casino mode.' }),
  })
  .meta({ title: 'CreateSessionRequest' });
export const createSessionResponseSchema = z
  .object({
    sessionID: z.string(),
    url: z
      .url({ protocol: /^https?$/ })
      .meta({ description: 'The launch URL, http or https. Open it once, for this player only.' }),
  })
  .meta({ title: 'CreateSessionResponse', description: 'The new session, and the URL that plays it.' });

export const reasonSchema = z
  .string()
  .min(1)
  .max(200)
  .refine(isStorableText, { error: 'must not hold U+0000 or half a surrogate pair' });

export const endSessionsRequestSchema = z
  .strictObject({
    sessionID: sessionIDSchema.optional().meta({ description: 'The session that ends.' }),
    playerID: storedPlayerIDSchema.optional().meta({ description: 'All sessions of this player end.' }),
    reason: reasonSchema.optional().meta({ description: 'For the log.', examples: ['self-exclusion'] }),
  })
  .refine(({ sessionID, playerID }) => (sessionID === undefined) !== (playerID === undefined), {
    error: 'must hold either sessionID or playerID',
  })
  .meta({ title: 'EndSessionsRequest', description: 'Either a session or a player.' });
export const endSessionsResponseSchema = z
  .object({
    ended: z.int().min(0).meta({ description: 'How many sessions this request has ended; 0 when it is repeated.' }),
  })
  .meta({
    title: 'EndSessionsResponse',
    description: 'The sessions play no more. An open round stays open and its payout owed.',
  });

export const revokeSessionResponseSchema = z.object({ revoked: z.literal(true) }).meta({
  title: 'RevokeSessionResponse',
  description: 'The session plays no more. An open round stays open and its payout owed.',
});

/**
 * open: it may still be played to its end. settled: it is paid or lost. void: the bet is rolled
 * back, or will be.
 */
export const ROUND_STATES = ['open', 'settled', 'void'] as const;

/**
 * States of a wallet transaction. pending: it has no certain result yet and is retried. parked: it
 * waits for a person. abandoned: a debit has no certain result, and the rollback beside it ends it.
 */
export const TRANSACTION_STATES = ['pending', 'accepted', 'refused', 'abandoned', 'parked'] as const;

/**
 * Kinds of the wallet transactions of a round. winnings: all wins of a grant, paid at its end with
 * its last round; the wallet receives them as a credit.
 */
export const ROUND_TRANSACTION_KINDS = [...TRANSACTION_KINDS, 'winnings'] as const;

export const roundTransactionSchema = z
  .object({
    transactionID: z.string(),
    kind: z.enum(ROUND_TRANSACTION_KINDS).meta({
      description: '`winnings`: the wins of all free rounds of a grant, paid at its end with its last round.',
    }),
    amount: unsignedMicrosSchema.meta({ description: 'Micros.' }),
    state: z.enum(TRANSACTION_STATES),
    attempts: z
      .int()
      .min(0)
      .meta({ description: 'How often it has been sent; 0 where the server keeps the money itself.' }),
    createdAt: instantSchema,
    settledAt: instantSchema.nullable(),
    lastResponse: z.string().nullable().meta({
      description:
        'The result of the last attempt, for a person to read: `accepted`, the code of the wallet, or why the outcome is unknown, such as `time-out`. Null before the first result, and where the server keeps the money itself.',
    }),
    reference: z.string().nullable().meta({ description: "The wallet's own id of it, where it gives one." }),
    lastResponseAt: instantSchema.nullable().meta({ description: 'When that was.' }),
    nextAttemptAt: instantSchema.nullable().meta({ description: 'When it is sent again; null when it is not.' }),
  })
  .meta({ title: 'RoundTransaction', description: 'One wallet transaction of a round.' });

export const operatorRoundSchema = z
  .object({
    betID: z.int().min(1),
    playerID: z.string(),
    gameID: z.string(),
    gameVersion: z.string(),
    mode: z.string(),
    currency: currencySchema,
    amount: positiveMicrosSchema.meta({ description: 'Base bet, in micros.' }),
    debit: unsignedMicrosSchema.meta({ description: 'What the bet cost the player, in micros; 0 of a free round.' }),
    grantID: grantIDSchema.optional().meta({ description: 'Of a free round: its grant. Else left out.' }),
    freeBet: positiveMicrosSchema.optional().meta({
      description: 'Of a free round: what the bet would have cost, in micros. Else left out.',
    }),
    payout: unsignedMicrosSchema.meta({
      description: 'What the round pays, in micros; of a void round, what it would have paid.',
    }),
    state: z.enum(ROUND_STATES),
    openedAt: instantSchema,
    closedAt: instantSchema.nullable(),
    autoCompletedAt: instantSchema.nullable().meta({
      description: 'When the server completed the round, because its player had left it; null for any other round.',
    }),
    interrupted: z.boolean().meta({
      description: 'The round is open, and nothing has happened in it for an hour: the player has left it.',
    }),
    sessionNumber: z
      .int()
      .min(1)
      .meta({ description: 'The same for all rounds of a session. The server does not store the sessionID itself.' }),
    country: z.string().nullable().meta({
      description:
        'ISO 3166-1 code of where the player was when the round was opened. When that is unknown, where the session or the player was last; null when that is unknown, too.',
    }),
    bookID: z.int().min(0).meta({ description: 'The book that was drawn.' }),
    payoutMultiplier: z.number().min(0).meta({
      description: 'What the book pays, in multiples of the base bet. For display only: compute no amount from it.',
    }),
    fairness: roundFairnessSchema
      .extend({ clientSeed: clientSeedSchema })
      .optional()
      .meta({ description: 'Of a provably fair draw: its seeds and its number under them. Else left out.' }),
    replayURL: z
      .string()
      .nullable()
      .meta({ description: 'Shows the round again in its game; null for a game without a front end.' }),
  })
  .meta({ title: 'OperatorRound' });

/** The cursor of a list over 256 cells has a part for each. */
const MAX_CURSOR_CHARACTERS = 12_000;

export const cursorSchema = z
  .string()
  .min(1)
  .max(MAX_CURSOR_CHARACTERS)
  .optional()
  .meta({ description: 'From the page before; without it the first page.' });

export const listRoundsQuerySchema = z.strictObject({
  playerID: storedPlayerIDSchema.optional(),
  gameID: storableTextOf(MAX_MODE_CHARACTERS, 'Only rounds of this game.').optional(),
  from: instantSchema.optional().meta({ description: 'Opened at this instant or later.' }),
  to: instantSchema.optional().meta({ description: 'Opened before this instant.' }),
  state: z.enum(ROUND_STATES).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_ROUNDS_PER_PAGE).default(DEFAULT_ROUNDS_PER_PAGE),
  cursor: cursorSchema,
});
export const listPlayerRoundsQuerySchema = listRoundsQuerySchema.omit({ playerID: true });
export const listRoundsResponseSchema = z
  .object({
    rounds: z.array(operatorRoundSchema).meta({ description: 'Newest first.' }),
    cursor: z.string().nullable().meta({
      description:
        'For the next page; null on the last one. A page may hold fewer rounds than the limit, even none, and still not be the last.',
    }),
  })
  .meta({ title: 'ListRoundsResponse', description: 'A page of rounds.' });

export const roundDetailQuerySchema = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_EVENTS_PER_PAGE)
    .default(MAX_EVENTS_PER_PAGE)
    .meta({ description: 'Most events on the page.' }),
  cursor: cursorSchema,
});
export const roundDetailSchema = operatorRoundSchema
  .extend({
    movements: z
      .array(roundTransactionSchema)
      .meta({ description: 'The wallet transactions, in the order in which they were made.' }),
    events: z
      .array(z.object({ event: z.string(), at: instantSchema }))
      .meta({ description: 'What the game recorded, oldest first, page by page.' }),
    cursor: z.string().nullable().meta({ description: 'For the next page of events; null on the last one.' }),
  })
  .meta({ title: 'RoundDetail', description: 'A round with its wallet transactions.' });

export const voidRoundRequestSchema = z
  .strictObject({
    reason: reasonSchema.optional().meta({ description: 'For the log and for the wallet.' }),
  })
  .meta({ title: 'VoidRoundRequest' });

export type OperatorError = z.infer<typeof operatorErrorSchema>;
export type OperatorGame = z.infer<typeof operatorGameSchema>;
export type ListGamesResponse = z.infer<typeof listGamesResponseSchema>;
export type CreateSessionRequest = z.infer<typeof createSessionRequestSchema>;
export type CreateSessionResponse = z.infer<typeof createSessionResponseSchema>;
export type RoundState = (typeof ROUND_STATES)[number];
export type TransactionState = (typeof TRANSACTION_STATES)[number];
export type RoundTransactionKind = (typeof ROUND_TRANSACTION_KINDS)[number];
export type RoundTransaction = z.infer<typeof roundTransactionSchema>;
export type OperatorRound = z.infer<typeof operatorRoundSchema>;
export type ListRoundsQuery = z.infer<typeof listRoundsQuerySchema>;
export type ListPlayerRoundsQuery = z.infer<typeof listPlayerRoundsQuerySchema>;
export type ListRoundsResponse = z.infer<typeof listRoundsResponseSchema>;
export type RoundDetailQuery = z.infer<typeof roundDetailQuerySchema>;
export type RoundDetail = z.infer<typeof roundDetailSchema>;
export type VoidRoundRequest = z.infer<typeof voidRoundRequestSchema>;

import * as z from 'zod';
import { WALLET_ERROR_CODES } from '../errors.ts';
import {
  currencySchema,
  microsSchema,
  nameOf,
  partialJurisdictionSchema,
  plainTextOf,
  positiveMicrosSchema,
  sessionIDSchema,
  storableTextOf,
  unsignedMicrosSchema,
} from '../fields.ts';
import { grantIDSchema } from '../grants.ts';

const MAX_PLAYER_ID_CHARACTERS = 128;
const MAX_REASON_CHARACTERS = 200;
/** The longest id that a wallet may give a transaction. */
export const MAX_REFERENCE_CHARACTERS = 128;
const MAX_TOKEN_CHARACTERS = 1024;
const MAX_PAGE_LIMIT = 1000;
/** The largest number of losing rounds in one request to `/close-rounds`. */
export const MAX_CLOSINGS = 200;

const PLAYER_ID = [
  MAX_PLAYER_ID_CHARACTERS,
  "The operator's name for the player. The same name is the same player.",
  'player-7',
] as const;
/** Names a player who may be new. */
export const playerIDSchema = plainTextOf(...PLAYER_ID);
/** Names a player who is stored, perhaps from before names had to be plain text. */
export const storedPlayerIDSchema = storableTextOf(...PLAYER_ID);
export const countrySchema = z
  .string()
  .regex(/^[A-Za-z]{2}$/)
  .meta({ description: 'Where the player is, an ISO 3166-1 code of two letters.', examples: ['FI'] });
export const launchTokenSchema = storableTextOf(
  MAX_TOKEN_CHARACTERS,
  "The operator's own token for this launch. The first `/authenticate` of the session carries it back.",
);

export const transactionIDSchema = z.uuid().meta({ description: 'The id of this wallet transaction, for ever.' });
const roundIDSchema = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'The round, as text: its betID.', examples: ['1204'] });
const gameIDSchema = nameOf('The game.');
/**
 * One rule holds for every response: a sign decides nothing. Were a balance below zero no success,
 * a debit that was taken would be rolled back, and a credit that was paid would be retried until it
 * is parked.
 */
const walletBalanceSchema = microsSchema.meta({
  description: "The player's balance after the request, in micros. Below zero when the player owes the operator.",
  examples: [1_000_000_000],
});

/**
 * Holds limits that the operator sets for this player in this currency; they replace those of an
 * earlier authenticate.
 */
export const playerLimitsSchema = z
  .object({
    dailyWager: unsignedMicrosSchema
      .optional()
      .meta({ description: 'The most that may be bet in a day (UTC), in micros.' }),
    dailyLoss: unsignedMicrosSchema
      .optional()
      .meta({ description: 'The most that bets may exceed payouts in a day (UTC), in micros.' }),
  })
  .meta({ title: 'PlayerLimits' });

export const walletErrorSchema = z
  .object({
    error: z.enum(WALLET_ERROR_CODES),
    message: z.string().optional().meta({ description: 'Plain English for a log.' }),
  })
  .meta({ title: 'WalletError', description: 'Why the request was refused.' });

export const walletAuthenticateRequestSchema = z
  .object({
    sessionID: sessionIDSchema,
    gameID: gameIDSchema,
    token: launchTokenSchema.optional().meta({ description: 'The token of the launch, when there was one.' }),
  })
  .meta({ title: 'WalletAuthenticateRequest' });
export const walletAuthenticateResponseSchema = z
  .object({
    playerID: playerIDSchema,
    currency: currencySchema,
    balance: walletBalanceSchema,
    country: countrySchema.optional(),
    jurisdiction: partialJurisdictionSchema.optional(),
    limits: playerLimitsSchema.optional(),
    maxStake: unsignedMicrosSchema.optional().meta({
      description:
        'The most that one play of this player may cost, the cost of its mode included, in micros; for example by the age of the player. It replaces that of an earlier authenticate of the session.',
      examples: [2_000_000],
    }),
  })
  .meta({ title: 'WalletAuthenticateResponse', description: 'Who the player of the session is, and what they have.' });

export const walletBalanceRequestSchema = z
  .object({
    sessionID: sessionIDSchema,
    playerID: storedPlayerIDSchema,
    gameID: gameIDSchema,
    currency: currencySchema,
  })
  .meta({ title: 'WalletBalanceRequest' });

/** Sent only to an operator that has declared that its wallet knows free rounds. */
const walletGrantIDSchema = grantIDSchema
  .optional()
  .meta({ description: 'Only of a free round: the grant, by the id that the operator gave it.' });

export const debitRequestSchema = z
  .object({
    transactionID: transactionIDSchema,
    roundID: roundIDSchema,
    sessionID: sessionIDSchema,
    playerID: storedPlayerIDSchema,
    gameID: gameIDSchema,
    currency: currencySchema,
    amount: unsignedMicrosSchema.meta({
      description: 'What the bet costs the player, in micros: above 0, and 0 for a free round only.',
    }),
    mode: z
      .string()
      .min(1)
      .meta({ description: 'The bet mode, in upper case.', examples: ['BASE'] }),
    grantID: walletGrantIDSchema,
    freeBet: positiveMicrosSchema.optional().meta({
      description: 'Only of a free round: what the bet would have cost, in micros.',
    }),
    roundClosed: z.literal(true).optional().meta({
      description:
        'The round is lost and closed with its debit: no credit follows. Sent only to an operator that has declared that its wallet knows it.',
    }),
  })
  .meta({ title: 'DebitRequest' });

export const creditRequestSchema = z
  .object({
    transactionID: transactionIDSchema,
    debitTransactionID: transactionIDSchema,
    roundID: roundIDSchema,
    playerID: storedPlayerIDSchema,
    gameID: gameIDSchema,
    currency: currencySchema,
    amount: unsignedMicrosSchema.meta({ description: 'What the round pays, in micros; 0 for a losing round.' }),
    roundClosed: z
      .boolean()
      .meta({ description: 'True: no other payout of this round follows, except the winnings of a grant.' }),
    grantID: walletGrantIDSchema,
    grantClosed: z.literal(true).optional().meta({
      description:
        'Only of a grant whose wins are paid at its end: this credit pays them all. It names the debit of the last round of the grant, which pays 0 itself.',
    }),
  })
  .meta({ title: 'CreditRequest' });

/** It names money for people, and decides nothing: one that cannot be read is as none. */
export const walletReferenceSchema = plainTextOf(
  MAX_REFERENCE_CHARACTERS,
  "The wallet's own id of this transaction, the same in each response. The server stores and shows it.",
  'bet-88120',
)
  .optional()
  .catch(undefined);

/** A closing is a credit of 0 after which a losing round is completed. */
const closingSchema = creditRequestSchema
  .omit({ amount: true, roundClosed: true, grantClosed: true })
  .meta({ title: 'Closing', description: 'The credit of 0 that closes a losing round.' });
export const closeRoundsRequestSchema = z
  .object({ rounds: z.array(closingSchema).min(1).max(MAX_CLOSINGS) })
  .meta({ title: 'CloseRoundsRequest' });
export const closeRoundsResponseSchema = z
  .object({
    results: z
      .array(
        z.object({
          transactionID: transactionIDSchema,
          error: z
            .enum(WALLET_ERROR_CODES)
            .optional()
            .meta({ description: 'Why the wallet refused this closing. Without it the round is closed.' }),
          message: z.string().optional().meta({ description: 'Plain English for a log.' }),
          reference: walletReferenceSchema,
        }),
      )
      .meta({ description: 'One for each closing, in any order. A closing without a result is uncertain.' }),
  })
  .meta({ title: 'CloseRoundsResponse' });

export const rollbackRequestSchema = z
  .object({
    transactionID: transactionIDSchema,
    debitTransactionID: transactionIDSchema,
    roundID: roundIDSchema,
    playerID: storedPlayerIDSchema,
    gameID: gameIDSchema,
    currency: currencySchema,
    reason: z.string().min(1).max(MAX_REASON_CHARACTERS).meta({ description: 'Why, for a log.' }),
  })
  .meta({ title: 'RollbackRequest' });

export const balanceAfterSchema = z
  .object({
    balance: walletBalanceSchema,
    currency: z
      .string()
      .optional()
      .meta({
        description: 'The currency of the balance. Any other than that of the request makes the response uncertain.',
        examples: ['USD'],
      }),
  })
  .meta({ title: 'WalletBalanceAfter', description: 'What the player has now.' });

export const movedSchema = balanceAfterSchema
  .extend({ reference: walletReferenceSchema })
  .meta({ title: 'WalletMoved', description: 'Done, or done before: what the player has now.' });

const instantSchema = z.iso
  .datetime({ offset: true })
  .meta({ description: 'An instant, ISO 8601.', examples: ['2026-11-21T12:00:00.000Z'] });

export const transactionListRequestSchema = z
  .object({
    from: instantSchema.meta({ description: 'Transactions at this instant or later.' }),
    to: instantSchema.meta({ description: 'Transactions before this instant.' }),
    cursor: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .meta({ description: 'From the page before; without it the first page.' }),
    limit: z.int().min(1).max(MAX_PAGE_LIMIT).optional().meta({
      description: 'The most transactions of a page. A page may hold fewer; without a limit the wallet chooses.',
    }),
  })
  .meta({ title: 'TransactionListRequest' });
/** The server can request these from an operator. */
export const TRANSACTION_KINDS = ['debit', 'credit', 'rollback'] as const;

export const listedTransactionSchema = z
  .object({
    transactionID: transactionIDSchema,
    kind: z.enum(TRANSACTION_KINDS),
    debitTransactionID: transactionIDSchema
      .optional()
      .meta({ description: 'Of a credit or rollback: the debit that it belongs to.' }),
    roundID: roundIDSchema,
    playerID: storedPlayerIDSchema,
    currency: currencySchema,
    amount: unsignedMicrosSchema.meta({
      description: 'The money that moved, in micros. Of a rollback: what it returned, 0 when there was no debit.',
    }),
    at: instantSchema,
  })
  .meta({ title: 'ListedTransaction' });
export const transactionListResponseSchema = z
  .object({
    transactions: z.array(listedTransactionSchema),
    cursor: z.string().nullable().meta({ description: 'For the next page; null on the last one.' }),
  })
  .meta({ title: 'TransactionListResponse', description: 'Transactions in the order in which they were made.' });

export const testSessionRequestSchema = z.object({ gameID: gameIDSchema }).meta({ title: 'TestSessionRequest' });
export const testSessionResponseSchema = z
  .object({
    sessionID: sessionIDSchema.meta({ description: 'A live session of a test player, for the game.' }),
    expiredSessionID: sessionIDSchema.optional().meta({ description: 'A session that has timed out.' }),
  })
  .meta({ title: 'TestSessionResponse' });

export type TestSessionResponse = z.infer<typeof testSessionResponseSchema>;
export type PlayerLimits = z.infer<typeof playerLimitsSchema>;
export type WalletError = z.infer<typeof walletErrorSchema>;
export type WalletAuthenticateRequest = z.infer<typeof walletAuthenticateRequestSchema>;
export type WalletAuthenticateResponse = z.infer<typeof walletAuthenticateResponseSchema>;
export type WalletBalanceRequest = z.infer<typeof walletBalanceRequestSchema>;
export type DebitRequest = z.infer<typeof debitRequestSchema>;
export type CreditRequest = z.infer<typeof creditRequestSchema>;
/** The closing of one losing round, as `/close-rounds` takes it. */
export type Closing = z.infer<typeof closingSchema>;
export type CloseRoundsRequest = z.infer<typeof closeRoundsRequestSchema>;
export type CloseRoundsResponse = z.infer<typeof closeRoundsResponseSchema>;
export type RollbackRequest = z.infer<typeof rollbackRequestSchema>;
export type BalanceAfter = z.infer<typeof balanceAfterSchema>;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];
export type ListedTransaction = z.infer<typeof listedTransactionSchema>;
export type TransactionListRequest = z.infer<typeof transactionListRequestSchema>;
export type TransactionListResponse = z.infer<typeof transactionListResponseSchema>;

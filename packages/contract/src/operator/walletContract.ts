import { initContract } from '@ts-rest/core';
import { WALLET_ROUTES, WALLET_TEST_ROUTES } from '../routes.ts';
import {
  balanceAfterSchema,
  closeRoundsRequestSchema,
  closeRoundsResponseSchema,
  creditRequestSchema,
  debitRequestSchema,
  movedSchema,
  rollbackRequestSchema,
  testSessionRequestSchema,
  testSessionResponseSchema,
  transactionListRequestSchema,
  transactionListResponseSchema,
  walletAuthenticateRequestSchema,
  walletAuthenticateResponseSchema,
  walletBalanceRequestSchema,
  walletErrorSchema,
} from './walletSchemas.ts';

/** 401: the signature is wrong, and nothing was read or done. */
const REFUSALS = { 400: walletErrorSchema, 401: walletErrorSchema, 500: walletErrorSchema } as const;

/**
 * The server sends these requests to a wallet. Each is signed. The server sends a debit once, and
 * once more on a connection that had ended; it repeats a credit or a rollback until the wallet's
 * response is certain.
 */
export const walletContract = initContract().router(
  {
    authenticate: {
      ...WALLET_ROUTES.authenticate,
      summary: 'Say who the player is',
      description:
        'The first request of a session, repeated whenever the game starts or resumes. An unknown or timed out session is ERR_IS, a failed or expired login ERR_ATE.',
      body: walletAuthenticateRequestSchema,
      responses: { 200: walletAuthenticateResponseSchema, ...REFUSALS },
    },
    balance: {
      ...WALLET_ROUTES.balance,
      summary: 'Read the balance',
      description: 'Moves nothing. It does not keep an idle session alive.',
      body: walletBalanceRequestSchema,
      responses: { 200: balanceAfterSchema, ...REFUSALS },
    },
    debit: {
      ...WALLET_ROUTES.debit,
      summary: 'Take a bet',
      description:
        'The same transactionID with the same content is the same success again and takes nothing more; with other content it is ERR_DUP. A debit whose rollback came first is refused.',
      body: debitRequestSchema,
      responses: { 200: movedSchema, ...REFUSALS },
    },
    credit: {
      ...WALLET_ROUTES.credit,
      summary: 'Pay a round',
      description:
        'The same transactionID with the same content is the same success again and pays nothing more; with other content it is ERR_DUP. It needs no live session. A losing round is closed with an amount of 0.',
      body: creditRequestSchema,
      responses: { 200: movedSchema, ...REFUSALS },
    },
    closeRounds: {
      ...WALLET_ROUTES.closeRounds,
      summary: 'Close losing rounds',
      description:
        'Optional: a wallet without it responds 404, and gets each closing as a credit of 0. Each item is the credit of 0 with its transactionID, and has a separate result; one that is refused changes nothing for the others.',
      body: closeRoundsRequestSchema,
      responses: { 200: closeRoundsResponseSchema, ...REFUSALS },
    },
    rollback: {
      ...WALLET_ROUTES.rollback,
      summary: 'Roll a bet back',
      description:
        'Returns the debit that it names. When there is none it is ERR_BNF, and a later debit with that id is refused. It needs no live session.',
      body: rollbackRequestSchema,
      responses: { 200: movedSchema, ...REFUSALS },
    },
    transactions: {
      ...WALLET_ROUTES.transactions,
      summary: 'List transactions',
      description:
        'For reconciliation only: the transactions that this wallet has made for the server, oldest first, page by page.',
      body: transactionListRequestSchema,
      responses: { 200: transactionListResponseSchema, ...REFUSALS },
    },
  },
  { strictStatusCodes: true },
);

/** Optional, and signed. Only the check of a wallet sends it, never the server. */
export const walletTestContract = initContract().router(
  {
    testSession: {
      ...WALLET_TEST_ROUTES.testSession,
      summary: 'Start a session of a test player',
      description:
        'Optional: a wallet without it responds 404. The balance of the test player must cover the bets of a check.',
      body: testSessionRequestSchema,
      responses: { 200: testSessionResponseSchema, ...REFUSALS, 404: walletErrorSchema },
    },
  },
  { strictStatusCodes: true },
);

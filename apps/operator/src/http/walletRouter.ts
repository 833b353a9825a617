import {
  type CurrencyCode,
  DEFAULT_FAULT_SECONDS,
  isWalletErrorCode,
  toMicros,
  WALLET_ERROR_CODES,
  WALLET_ERRORS,
  WALLET_HEALTH_PATH,
  WALLET_ROUTES,
  WALLET_TEST_ROUTES,
  type WalletError,
  walletContract,
  walletTestContract,
} from '@roundhouse/contract';
import { createFaultSwitch, type FaultSwitch } from '@roundhouse/fault-injection';
import { createExpressEndpoints, initServer, RequestValidationError } from '@ts-rest/express';
import { type ErrorRequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { type CasinoDeps, openTestSession } from '../casino.ts';
import type { Database } from '../ledger/database.ts';
import { findPlayerOf } from '../ledger/sessions.ts';
import type { TransactionRow } from '../ledger/transactions.ts';
import { closeRounds, credit, debit, rollback } from '../wallet/moneyRequests.ts';
import type { Outcome, Refused } from '../wallet/outcome.ts';
import { authenticate, balance, type WalletDeps } from '../wallet/session.ts';
import { transactions } from '../wallet/transactionList.ts';
import { noStore, type SignedBodyOptions, signedBody } from './access.ts';
import { bodyIssue, describeIssue, InvalidRequest } from './errors.ts';

export type WalletRouterDeps = Pick<CasinoDeps, 'ledger' | 'rules' | 'operator'> &
  SignedBodyOptions & { faults: FaultSwitch };

const CONTRACT = { ...walletContract, ...walletTestContract };

/** Returns the wallet protocol, below /wallet. */
export function walletRouter(deps: WalletRouterDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(noStore);
  // The fault switch comes before the body readers: it reads and delivers the request itself.
  router.use((req, res, next) => deps.faults.handle(req, res, next));
  router.get(WALLET_HEALTH_PATH, (_req, res) => void res.json({}));
  for (const { path } of Object.values({ ...WALLET_ROUTES, ...WALLET_TEST_ROUTES }))
    router.post(path, ...signedBody(path, deps));
  createExpressEndpoints(CONTRACT, walletEndpoints(deps), router, {
    logInitialization: false,
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
  router.use(() => {
    throw new InvalidRequest('the wallet has no such endpoint', 404);
  });
  router.use(walletErrorHandler(deps));
  return router;
}

/** Returns one use case for each endpoint, with its request and response. */
function walletEndpoints(deps: WalletRouterDeps) {
  return initServer().router(CONTRACT, {
    authenticate: async ({ body }) => {
      const outcome = await authenticate(deps, body);
      if (!outcome.ok) return refusalResponse(outcome);
      const { playerID, country, jurisdiction, dailyLossLimit } = outcome;
      return okResponse({
        playerID,
        currency: outcome.currency as CurrencyCode,
        balance: toMicros(outcome.balance),
        jurisdiction,
        ...(country !== undefined && { country }),
        ...(dailyLossLimit !== undefined && { limits: { dailyLoss: toMicros(dailyLossLimit) } }),
      });
    },
    balance: async ({ body }) => balanceResponse(await balance(deps, body)),
    debit: async ({ body }) => balanceResponse(await debit(deps, body)),
    credit: async ({ body }) => balanceResponse(await credit(deps, body)),
    closeRounds: async ({ body }) => okResponse({ results: await closeRounds(deps, body) }),
    rollback: async ({ body }) => balanceResponse(await rollback(deps, body)),
    transactions: async ({ body }) => {
      const page = await transactions(deps, body);
      if (!page.ok) return refusalResponse(page);
      return okResponse({ transactions: page.rows.map(wireTransaction), cursor: page.cursor });
    },
    testSession: async ({ body }) => okResponse(await openTestSession(deps, body)),
  });
}

function okResponse<Body>(body: Body) {
  return { status: 200 as const, body };
}

function balanceResponse(outcome: Outcome) {
  return outcome.ok ? okResponse({ balance: toMicros(outcome.balance) }) : refusalResponse(outcome);
}

function refusalResponse({ code, message }: Omit<Refused, 'ok'>): { status: 400 | 500; body: WalletError } {
  return { status: WALLET_ERRORS[code].status, body: { error: code, message } };
}

function wireTransaction(row: TransactionRow) {
  const { transactionID, kind, debitTransactionID, roundID, playerID, currency, amount, at } = row;
  return {
    transactionID,
    kind,
    ...(debitTransactionID !== null && { debitTransactionID }),
    roundID,
    playerID,
    currency: currency as CurrencyCode,
    amount: toMicros(amount),
    at: at.toISOString(),
  };
}

/** An unexpected error is ERR_UE: the server then knows that the result is uncertain. */
function walletErrorHandler({ log }: { log: Logger }): ErrorRequestHandler {
  const invalid = (message: string) => refusalResponse({ code: 'ERR_VAL', message }).body;
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    if (error instanceof InvalidRequest) return res.status(error.status).json(invalid(error.message));
    const issue = error instanceof RequestValidationError ? describeIssue(error.body) : bodyIssue(error);
    if (issue !== undefined) return res.status(400).json(invalid(issue));
    log.error({ err: error, requestId: res.locals.requestId }, 'wallet request failed');
    const message = 'the wallet failed; whether money moved is not certain';
    const { status, body } = refusalResponse({ code: 'ERR_UE', message });
    return res.status(status).json(body);
  };
}

/**
 * Makes the faults that a test or the studio bench can inject between the server and the wallet.
 */
export function createWalletFaults({ ledger }: Pick<WalletDeps, 'ledger'>): FaultSwitch {
  return createFaultSwitch({
    defaultSeconds: DEFAULT_FAULT_SECONDS,
    playersOf: (body) => playersOf(ledger.db, body),
    paths: Object.values(WALLET_ROUTES).map(({ path }) => path),
    errorCodes: WALLET_ERROR_CODES,
    errorResponse: (code) => ({
      status: isWalletErrorCode(code) ? WALLET_ERRORS[code].status : 500,
      body: code === undefined ? { message: 'out of order' } : { error: code, message: 'an injected fault' },
    }),
  });
}

/**
 * A request names the player or the session. A group of closings belongs to each player in it: a
 * fault of one player affects the whole group, which is one request.
 */
export async function playersOf(db: Database, body: unknown): Promise<string[]> {
  const { playerID, sessionID, rounds } = (body ?? {}) as Record<string, unknown>;
  const named = Array.isArray(rounds) ? rounds.map((closing) => closing?.playerID) : [playerID];
  const players = named.filter((each) => typeof each === 'string');
  if (players.length > 0 || typeof sessionID !== 'string') return players;
  const player = await findPlayerOf(db, sessionID);
  return player === undefined ? [] : [player];
}

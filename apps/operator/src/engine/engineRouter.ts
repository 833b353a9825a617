import { randomBytes } from 'node:crypto';
import {
  currencySchema,
  DEFAULT_FAULT_SECONDS,
  playerIDSchema,
  unsignedMicrosSchema,
  WALLET_HEALTH_PATH,
} from '@roundhouse/contract';
import { createFaultSwitch, type FaultSwitch } from '@roundhouse/fault-injection';
import express, { type ErrorRequestHandler, type Request, Router } from 'express';
import type { Logger } from 'pino';
import * as z from 'zod';
import { openAccount, setBalance } from '../casino.ts';
import { localOnly, noStore, readBytes } from '../http/access.ts';
import { bodyIssue, describeIssue, InvalidRequest } from '../http/errors.ts';
import { playersOf } from '../http/walletRouter.ts';
import type { Ledger } from '../ledger/database.ts';
import { addSession } from '../ledger/sessions.ts';
import type { WalletDeps } from '../wallet/session.ts';
import { balance, credit, debit, rollback } from './rounds.ts';
import { type EngineKeys, SESSION_MS } from './settings.ts';
import {
  balanceSchema,
  creditSchema,
  debitSchema,
  EngineRefusal,
  ERROR_CODES,
  errorResponse,
  isSigned,
  readBody,
  rollbackSchema,
  SIGNATURE_HEADER,
} from './wire.ts';

export type EngineRouterDeps = WalletDeps & {
  log: Logger;
  faults: FaultSwitch;
  /** Whether tests may mint sessions. */
  bench: boolean;
  /** Tests reach the minting at these hosts in addition to the loopback ones. */
  hosts: readonly string[];
};

type Call = (deps: WalletDeps, body: Buffer) => Promise<object>;

function call<Schema extends z.ZodType>(
  schema: Schema,
  run: (deps: WalletDeps, request: z.output<Schema>) => Promise<object>,
): Call {
  return (deps, body) => run(deps, readBody(body, schema));
}

const ROLLBACK = '/v1/rollback';
const CALLS: Readonly<Record<string, Call>> = {
  '/v1/balance': call(balanceSchema, balance),
  '/v1/debit': call(debitSchema, debit),
  '/v1/credit': call(creditSchema, credit),
  [ROLLBACK]: call(rollbackSchema, rollback),
};

/** Returns the wallet of the dialect, below /wallet: docs/dialects/engine.md. */
export function engineRouter(deps: EngineRouterDeps, keys: Pick<EngineKeys, 'rgs'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(noStore);
  // The fault switch reads and delivers a request itself.
  router.use((req, res, next) => deps.faults.handle(req, res, next));
  router.get(WALLET_HEALTH_PATH, (_req, res) => void res.json({}));
  for (const [path, run] of Object.entries(CALLS)) {
    router.post(path, readBytes(), async (req, res) => void res.json(await run(deps, signedBytes(req, keys))));
  }
  if (deps.bench)
    router.post('/v1/dev/session', localOnly(deps.hosts), express.json(), async (req, res) => {
      res.json(await mintSession(deps.ledger, mintSchema.parse(req.body ?? {})));
    });
  router.use(() => {
    throw new InvalidRequest('the wallet has no such endpoint', 404);
  });
  router.use(engineErrorHandler(deps));
  return router;
}

/** The signature is checked over the bytes as they came, before they are parsed. */
function signedBytes({ body, headers }: Request, { rgs }: Pick<EngineKeys, 'rgs'>): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (!isSigned(bytes, headers[SIGNATURE_HEADER], rgs))
    throw new EngineRefusal('ERR_ATE', `${SIGNATURE_HEADER}: is missing or wrong`);
  return bytes;
}

function engineErrorHandler({ log }: { log: Logger }): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error);
    const { requestId } = res.locals;
    if (error instanceof EngineRefusal) {
      if (error.code === 'ERR_ATE') log.warn({ requestId, path: req.originalUrl }, 'invalid signature');
      const { status, body } = errorResponse(error.code, error.message);
      return res.status(status).json(body);
    }
    const issue = error instanceof z.ZodError ? describeIssue(error) : bodyIssue(error);
    if (issue !== undefined || error instanceof InvalidRequest) {
      const { status, message } = error instanceof InvalidRequest ? error : { status: 400, message: String(issue) };
      return res.status(status).json({ code: 'ERR_BAD', message });
    }
    log.error({ err: error, requestId }, 'wallet request failed');
    const { status, body } = errorResponse(req.path === ROLLBACK ? 'ERR_UE' : 'ERR_GE', 'the wallet failed');
    return res.status(status).json(body);
  };
}

const mintSchema = z.object({
  player: playerIDSchema.default('wallet-check'),
  currency: currencySchema.default('USD'),
  startingBalance: unsignedMicrosSchema.default(1_000_000_000),
});
const TEST_GAME = 'wallet-check';
const TOKEN_BYTES = 32;

/** Sets the balance of a test player, and opens a session, as Engine's conformance suite needs. */
async function mintSession(ledger: Ledger, { player, currency, startingBalance }: z.output<typeof mintSchema>) {
  const name = { playerID: player, currency };
  await setBalance(ledger, name, BigInt(startingBalance));
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const accountId = await openAccount(ledger, name);
  const session = { sessionID: token, token, accountId, gameID: TEST_GAME, timeoutMs: SESSION_MS };
  await addSession(ledger.db, { ...session, country: undefined, jurisdiction: {} });
  return { token, player, currency, balance: startingBalance };
}

/** Makes the faults that a test or the studio bench can inject. */
export function createEngineFaults(ledger: Ledger): FaultSwitch {
  return createFaultSwitch({
    defaultSeconds: DEFAULT_FAULT_SECONDS,
    playersOf: (body) => playersOf(ledger.db, { sessionID: (body as { token?: unknown } | undefined)?.token }),
    paths: Object.keys(CALLS),
    errorCodes: ERROR_CODES,
    errorResponse: (code = 'ERR_GE') => errorResponse(code, 'an injected fault'),
  });
}

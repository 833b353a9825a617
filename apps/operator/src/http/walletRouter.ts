import {
  isWalletErrorCode,
  WALLET_ERROR_CODES,
  WALLET_ERRORS,
  WALLET_ROUTES,
  walletContract,
} from '@roundhouse/contract';
import { createFaultSwitch, type FaultSwitch } from '@roundhouse/fault-injection';
import { createExpressEndpoints, RequestValidationError } from '@ts-rest/express';
import { type ErrorRequestHandler, Router } from 'express';
import type { HttpDeps } from './httpDeps.ts';
import { bodyIssue, describeIssue, InvalidRequest } from './invalidRequest.ts';
import { neverStored } from './localOnly.ts';
import { signedBody } from './signedBody.ts';
import { walletError, walletRoutes } from './walletRoutes.ts';

/** The wallet that the game server calls, below /wallet. */
export function walletRouter(deps: HttpDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(neverStored);
  // Before whatever reads a body: a call that meets a fault is read and delivered by the switch itself.
  router.use((req, res, next) => deps.faults.handle(req, res, next));
  for (const { path } of Object.values(WALLET_ROUTES)) router.post(path, ...signedBody(deps));
  createExpressEndpoints(walletContract, walletRoutes(deps), router, {
    logInitialization: false,
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
  router.use(() => {
    throw new InvalidRequest('there is no such call', 404);
  });
  router.use(answerErrors(deps));
  return router;
}

/** In the wallet's words: whatever we did not foresee leaves the caller in doubt, and the caller has to know that. */
function answerErrors({ log }: Pick<HttpDeps, 'log'>): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    if (error instanceof InvalidRequest) {
      return res.status(error.status).json(walletError('ERR_VAL', error.message).body);
    }
    const fault = error instanceof RequestValidationError ? describeIssue(error.body) : bodyIssue(error);
    if (fault !== undefined) return res.status(400).json(walletError('ERR_VAL', fault).body);
    log.error({ err: error, requestId: res.locals.requestId }, 'wallet request failed');
    const { status, body } = walletError('ERR_UE', 'the wallet failed; whether money moved is not certain');
    return res.status(status).json(body);
  };
}

/** What can be made to go wrong on the wallet's wire, by a test or at the studio bench. */
export function createWalletFaults(): FaultSwitch {
  return createFaultSwitch({
    paths: Object.values(WALLET_ROUTES).map(({ path }) => path),
    errorCodes: WALLET_ERROR_CODES,
    errorResponse: (code) => ({
      status: isWalletErrorCode(code) ? WALLET_ERRORS[code].status : 500,
      body: code === undefined ? { message: 'out of order' } : { error: code, message: 'a fault that was switched on' },
    }),
  });
}

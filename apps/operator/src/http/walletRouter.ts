import { WALLET_ROUTES, walletContract } from '@roundhouse/contract';
import { createExpressEndpoints, RequestValidationError } from '@ts-rest/express';
import { type ErrorRequestHandler, Router } from 'express';
import { bodyFault, describeFault } from './describeFault.ts';
import type { HttpParts } from './httpParts.ts';
import { InvalidRequest } from './invalidRequest.ts';
import { neverStored } from './neverStored.ts';
import { signedBody } from './signedBody.ts';
import { walletError, walletRoutes } from './walletRoutes.ts';

/** The wallet that the game server calls, below /wallet. */
export function walletRouter(parts: HttpParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(neverStored);
  // Before whatever reads a body: a call that meets a fault is read and delivered by the switch itself.
  router.use((req, res, next) => parts.faults.handle(req, res, next));
  for (const { path } of Object.values(WALLET_ROUTES)) router.post(path, ...signedBody(parts));
  createExpressEndpoints(walletContract, walletRoutes(parts), router, {
    logInitialization: false,
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  });
  router.use(() => {
    throw new InvalidRequest('there is no such call', 404);
  });
  router.use(answerErrors(parts));
  return router;
}

/** In the wallet's words: whatever we did not foresee leaves the caller in doubt, and the caller has to know that. */
function answerErrors({ log }: Pick<HttpParts, 'log'>): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    if (error instanceof InvalidRequest) {
      return res.status(error.status).json(walletError('ERR_VAL', error.message).body);
    }
    const fault = error instanceof RequestValidationError ? describeFault(error.body) : bodyFault(error);
    if (fault !== undefined) return res.status(400).json(walletError('ERR_VAL', fault).body);
    log.error({ err: error, requestId: res.locals.requestId }, 'wallet call failed');
    const { status, body } = walletError('ERR_UE', 'the wallet failed; whether money moved is not certain');
    return res.status(status).json(body);
  };
}

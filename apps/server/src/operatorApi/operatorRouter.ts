import { OPERATOR_ROUTES, operatorContract } from '@roundhouse/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import { type ErrorRequestHandler, Router } from 'express';
import { clientFault } from '../http/errorHandler.ts';
import type { HttpParts } from '../http/httpParts.ts';
import { InvalidBody } from '../http/invalidBody.ts';
import { neverStored } from '../http/neverStored.ts';
import { errorResponse } from '../http/refusalResponses.ts';
import { loggedAs } from '../http/requestLog.ts';
import { passOn } from '../http/validationFaults.ts';
import { operatorRoutes } from './operatorRoutes.ts';
import { signedByOperator } from './operatorSignature.ts';

const PATHS = new Set(Object.values(OPERATOR_ROUTES).map(({ path }) => path));
/** Without their parameters, so that nothing of a path is decoded before the signature holds. */
const ROOTS = new Set([...PATHS].map((path) => path.replace(/\/:.*/, '')));

/** What operators call (wallet.md, "Operator calls us"). Unsigned calls go no further than the door. */
export function operatorRouter(parts: HttpParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const root of ROOTS) router.use(root, loggedAs(`${root}/*`), neverStored, signedByOperator(parts));
  createExpressEndpoints(operatorContract, operatorRoutes(parts), router, {
    logInitialization: false,
    requestValidationErrorHandler: passOn,
  });
  for (const path of PATHS) {
    router.all(path, (_req, _res, next) => next(new InvalidBody('this path has no such method')));
  }
  router.use(answerFault);
  return router;
}

/** As on the game wire, but maintenance is the players' matter: an operator may look and give back meanwhile. */
const answerFault: ErrorRequestHandler = (error, _req, res, next) => {
  const fault = error instanceof URIError ? undefined : clientFault(error);
  if (fault === undefined || res.headersSent) return next(error);
  const { status, body } = errorResponse('ERR_VAL', fault);
  res.status(status).json(body);
};

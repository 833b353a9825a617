import { GAME_ROUTES, gameContract } from '@roundhouse/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import { Router } from 'express';
import type { HttpParts } from '../http/httpParts.ts';
import { InvalidBody } from '../http/invalidBody.ts';
import { neverStored } from '../http/neverStored.ts';
import { readBody } from '../http/readBody.ts';
import { passOn } from '../http/validationFaults.ts';
import { gameRoutes } from './gameRoutes.ts';

const { replay: _replay, ...BODY_ROUTES } = GAME_ROUTES;
const BODY_PATHS = Object.values(BODY_ROUTES).map(({ path }) => path);

/** The five endpoints and replay. What is not a POST with one JSON object is refused before ts-rest sees it. */
export function gameRouter(parts: HttpParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of BODY_PATHS) {
    router.post(path, neverStored, readBody);
  }
  createExpressEndpoints(gameContract, gameRoutes(parts), router, {
    logInitialization: false,
    requestValidationErrorHandler: passOn,
  });
  for (const path of BODY_PATHS) {
    router.all(path, (_req, _res, next) => next(new InvalidBody('the method must be POST')));
  }
  return router;
}

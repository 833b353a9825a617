import { ERROR_CODES, type ErrorCode, GAME_ROUTES } from '@roundhouse/contract';
import { createFaultSwitch, type FaultSwitch } from '@roundhouse/faults';
import { errorResponse } from '../http/refusalResponses.ts';

/** The five endpoints; replay moves nothing and is cached for ever. */
const PATHS = Object.values(GAME_ROUTES).flatMap(({ method, path }) => (method === 'POST' ? [path] : []));
const MESSAGE = 'a fault is switched on at this server';

/** The fault switch of the game wire. For local work only. */
export function createGameFaults(): FaultSwitch {
  return createFaultSwitch({
    paths: PATHS,
    errorCodes: ERROR_CODES,
    // The switch takes no plan with another code than these.
    answerError: (code) =>
      code === undefined ? { status: 500, body: { message: MESSAGE } } : errorResponse(code as ErrorCode, MESSAGE),
  });
}

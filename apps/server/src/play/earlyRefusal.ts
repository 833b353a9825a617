import { GAME_ROUTES, sessionIDSchema } from '@roundhouse/contract';
import type { Request } from 'express';
import type { HttpParts } from '../http/httpParts.ts';
import { type ErrorResponse, refusalResponse } from '../http/refusalResponses.ts';
import { sha256Of } from '../sessions/sessionToken.ts';

/**
 * The answer to a request that is refused before its session is judged (its shape is wrong, or nobody knows the session):
 * maintenance comes before both, so the switches are looked at first.
 */
export async function earlyRefusal(
  { lookUps, logError }: Pick<HttpParts, 'lookUps' | 'logError'>,
  req: Request,
  otherwise: ErrorResponse,
): Promise<ErrorResponse> {
  try {
    const level = await lookUps.maintenance(namedSession(req));
    const applies = level === 'nothing_at_all' || (level === 'no_new_rounds' && req.path === GAME_ROUTES.play.path);
    return applies ? refusalResponse({ ok: false, refusal: 'maintenance' }) : otherwise;
  } catch (error) {
    // The request is wrong in any case; a database that cannot be asked does not make it the server's fault.
    logError({ err: error }, 'could not read the maintenance switches');
    return otherwise;
  }
}

function namedSession(req: Request): Buffer<ArrayBuffer> | undefined {
  const named = sessionIDSchema.safeParse((req.body as { sessionID?: unknown } | undefined)?.sessionID);
  return named.success ? sha256Of(named.data) : undefined;
}

import type { Request, Response } from 'express';
import { type ErrorResponse, refusalResponse } from '../../base/http/responses.ts';
import type { Refusal, Refused } from '../../base/refusal.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import { type MaintenanceDeps, maintenanceFirst } from './maintenanceFirst.ts';
import type { SessionDirectory } from './sessionDirectory.ts';

export type InSessionDeps = MaintenanceDeps & { sessions: Pick<SessionDirectory, 'find'> };

/** What `handle` may return besides a refusal. It has no `ok`, which tells the two apart. */
export type Unrefused = object & { readonly ok?: never };

/**
 * Finds the session of a request, and returns what `handle` returns. A refusal becomes a response.
 */
export async function inSession<Value extends Unrefused>(
  deps: InSessionDeps,
  { req, res, body }: { req: Request; res: Response; body: { sessionID: string } },
  handle: (session: BearerSession) => Promise<Value | Refused>,
): Promise<Value | ErrorResponse> {
  const { trace } = res.locals;
  const session = await deps.sessions.find(body.sessionID, trace);
  trace?.set({ 'roundhouse.game': session?.gameID, 'roundhouse.currency': session?.currency });
  const response =
    session === undefined ? UNKNOWN_SESSION : await handle({ sessionID: body.sessionID, trace, ...session });
  return isRefused(response) ? refuse(deps, req, response) : response;
}

const UNKNOWN_SESSION: Refused = { ok: false, refusal: 'session_invalid' };

function isRefused<Value extends Unrefused>(response: Value | Refused): response is Refused {
  return response.ok === false;
}

/**
 * The refusals of this node or of the operator, which come before the database has judged the
 * session.
 */
const REFUSED_BEFORE_DATABASE: ReadonlySet<Refusal> = new Set([
  'not_served',
  'session_invalid',
  'login_expired',
  'location_forbidden',
  'player_unconfirmed',
  'wallet_down',
]);

async function refuse(deps: MaintenanceDeps, req: Request, refused: Refused): Promise<ErrorResponse> {
  const response = refusalResponse(refused);
  return REFUSED_BEFORE_DATABASE.has(refused.refusal) ? maintenanceFirst(deps, req, response) : response;
}

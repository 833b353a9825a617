import { ADMIN_ROUTES, type AdminRoute, type AdminRouteName, mayCall } from '@roundhouse/contract/admin-routes';
import type { Request, RequestHandler, Response } from 'express';
import { errorResponse, sendJson } from '../../base/http/responses.ts';
import { networkOf } from '../../base/networkOf.ts';
import type { Database } from '../../store/database/database.ts';
import { recordEvent } from '../../store/watch/significantEvents.ts';
import { type Access, actorOf, type Caller } from '../access/caller.ts';
import { asActor } from './actor.ts';
import type { Turns } from './turns.ts';

/** Returns the user who has sent this request, after the guard. */
export function callerOf(res: Response): Caller {
  return res.locals.caller as Caller;
}

/**
 * Runs what follows as the user of the request. Mount it behind what reads a body: the events of a
 * connection that bring the body belong to no request.
 */
export const asCaller: RequestHandler = (_req, res, next) => asActor(actorOf(callerOf(res)), () => next());

export type GuardDeps = {
  db: Database;
  access: Access;
  /** Look-ups of sessions take turns by address: all guards of a router share them. */
  lookUps: Turns;
  /** AdminDeps explains it. */
  secondFactor: boolean;
};

/** Returns whether the table of rights lets this user send the request. */
export function hasRight({ role, operator }: Caller, name: AdminRouteName): boolean {
  return mayCall(name, { role, isOperators: operator !== undefined });
}

/** The account page sends these: a user adds the authenticator app there. */
const OWN_ACCOUNT: ReadonlySet<AdminRouteName> = new Set(['getAccount', 'listOwnSessions', 'endOwnSession']);

/** Returns why this user may not send the request; undefined when they may. */
function whyNot(caller: Caller, name: AdminRouteName, { secondFactor }: Pick<GuardDeps, 'secondFactor'>) {
  if (!hasRight(caller, name)) return `your role, ${caller.role}, may not do this`;
  if (secondFactor && caller.passwordAlone && !OWN_ACCOUNT.has(name))
    return 'add an authenticator app to your account first';
  return undefined;
}

const BACKGROUND_HEADER = 'x-background';

/**
 * Lets a request of this route pass when its session is that of a user with the right. Events that
 * it records are those of this user; asCaller does the same for what follows.
 */
export function guard({ db, access, lookUps, secondFactor }: GuardDeps, name: AdminRouteName): RequestHandler {
  const { path, isRecorded }: AdminRoute = ADMIN_ROUTES[name];
  return async (req, res, next) => {
    res.locals.endpoint = path;
    const keepAlive = req.get(BACKGROUND_HEADER) === undefined && name !== 'watchOverview';
    const signedIn = await lookUps.run(networkOf(req.ip ?? ''), () => access.signedIn(req, { keepAlive }));
    if (signedIn !== undefined && 'status' in signedIn) return sendJson(res, signedIn);
    if (signedIn === undefined) return sendJson(res, { ...errorResponse('ERR_ATE', 'sign in first'), status: 401 });
    const { caller } = signedIn;
    res.locals.caller = caller;
    res.locals.signedIn = signedIn;
    // An operator's people may read the events of its users.
    const subject = `request ${name}${caller.operator === undefined ? '' : ` of operator ${caller.operator.code}`}`;
    await asActor(actorOf(caller), async () => {
      const refusal = whyNot(caller, name, { secondFactor });
      if (refusal === undefined) {
        if (isRecorded) await recordRequest(db, 'console_action', { subject, req });
        return next();
      }
      await recordRequest(db, 'access_refused', { subject, req });
      sendJson(res, { ...errorResponse('ERR_VAL', refusal), status: 403 });
    });
  };
}

/** A path and a query have no secret: those are in bodies. */
export function recordRequest(
  db: Database,
  kind: 'console_action' | 'access_refused',
  { subject, req }: { subject: string; req: Request },
): Promise<void> {
  const { params, query } = req;
  return recordEvent(db, { kind, subject, after: { ...cut(params), ...cut(query) } });
}

const MOST_CHARACTERS = 200;
const MOST_MEMBERS = 20;

/** A client chooses these texts, so an event takes a part of them. */
function cut(values: object): Record<string, string> {
  const texts = Object.entries(values).slice(0, MOST_MEMBERS);
  return Object.fromEntries(
    texts.map(([name, value]) => [name.slice(0, MOST_CHARACTERS), String(value).slice(0, MOST_CHARACTERS)]),
  );
}

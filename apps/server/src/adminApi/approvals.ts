import type { Approval, adminContract } from '@roundhouse/contract/admin';
import { ADMIN_ROUTES, type AdminRoute, type AdminRouteName, mayCall } from '@roundhouse/contract/admin-routes';
import type { Request, Response } from 'express';
import type { Handlers } from '../http/endpoints.ts';
import { errorResponse, notFoundResponse, ok } from '../http/responses.ts';
import {
  decideApproval,
  findApproval,
  listApprovals,
  type StoredApproval,
  storeApproval,
} from '../ledger/queries/approvals.ts';
import { actorOf, type Caller } from './access/caller.ts';
import { asActor } from './actor.ts';
import type { AdminDeps } from './adminDeps.ts';
import { callerOf } from './guard.ts';
import { pageOf, pageStart } from './listPage.ts';

type AdminHandlers = Handlers<typeof adminContract>;
type Exchange = { req: Request; res: Response };
type Input = { params?: Record<string, string>; body?: unknown };
type AnyHandler = (request: Exchange & Input) => Promise<{ status: number; body: unknown }>;

/**
 * Wraps the handlers of the actions that need two users: the request is stored and waits. The
 * handlers know nothing of it.
 */
export function withApprovals<Some extends Partial<AdminHandlers>>({ db }: AdminDeps, handlers: Some): Some {
  const wrapped = Object.entries(handlers).map(([name, handler]) => {
    const { twoPerson }: AdminRoute = ADMIN_ROUTES[name as AdminRouteName];
    if (!twoPerson) return [name, handler];
    const store: AnyHandler = async ({ res, params = {}, body }) => {
      const { userID, email, operator } = callerOf(res);
      const wanted = { route: name, params, body, requestedBy: email, requesterID: userID };
      const approvalID = await storeApproval(db, { ...wanted, operatorID: operator?.operatorID });
      return { status: 202, body: { approvalID: String(approvalID) } };
    };
    return [name, store];
  });
  return Object.fromEntries(wrapped) as Some;
}

/** Lists what waits, and decides it. An approved request runs at once, as the user who wanted it. */
export function approvalHandlers(
  deps: AdminDeps,
  handlers: () => Partial<AdminHandlers>,
): Pick<AdminHandlers, 'listApprovals' | 'decideApproval'> {
  const { db, access } = deps;
  return {
    listApprovals: async ({ query: { cursor, limit, state }, res }) => {
      const caller = callerOf(res);
      const operatorID = caller.operator?.operatorID;
      const rows = await listApprovals(db, { operatorID, state, before: pageStart(cursor), limit });
      const onWire = (row: StoredApproval) => approvalOnWire(row, caller);
      return ok(pageOf(rows, { limit, onWire, idOf: ({ approvalID }) => approvalID }));
    },

    decideApproval: async ({ params, body: { decision, reason }, req, res }) => {
      const caller = callerOf(res);
      const key = { approvalID: BigInt(params.approvalID), operatorID: caller.operator?.operatorID };
      const stored = await findApproval(db, key);
      if (stored === undefined) return notFoundResponse('there is no such approval');
      if (!mayDecide(stored, caller)) return { ...errorResponse('ERR_VAL', whyNot(stored, caller)), status: 403 };
      const state = decision === 'approve' ? 'approved' : 'rejected';
      const isFirst = await decideApproval(db, { ...key, state, decidedBy: caller.email, reason });
      const decided = (await findApproval(db, key)) ?? stored;
      if (!isFirst) return { status: 409, body: decidedAlready(decided) };
      const approval = approvalOnWire(decided, caller);
      if (state === 'rejected') return ok({ approval, status: 0, response: null });
      const requester = await access.findCaller(stored.requesterID);
      const { status, body } =
        requester !== undefined && hasRight(stored, requester)
          ? await run(handlers(), { stored, requester, req, res })
          : { ...errorResponse('ERR_VAL', 'the user who wanted it no longer has the right'), status: 403 };
      return ok({ approval, status, response: body });
    },
  };
}

type Run = Exchange & { stored: StoredApproval; requester: Caller };

/** The handler gets the stored request and the user who wanted it. */
function run(handlers: Partial<AdminHandlers>, { stored, requester, req, res }: Run) {
  const handler = handlers[stored.route as keyof AdminHandlers] as unknown as AnyHandler;
  const asRequester = Object.create(res, { locals: { value: { ...res.locals, caller: requester } } }) as Response;
  const { params, body } = stored;
  return asActor(actorOf(requester), () => handler({ params, body, req, res: asRequester }));
}

function hasRight({ route }: StoredApproval, { role, operator }: Caller): boolean {
  return mayCall(route as AdminRouteName, { role, isOperators: operator !== undefined });
}

function mayDecide(stored: StoredApproval, caller: Caller): boolean {
  return hasRight(stored, caller) && stored.requesterID !== caller.userID;
}

function whyNot({ requesterID }: StoredApproval, { userID, role }: Caller): string {
  return requesterID === userID ? 'a second user must decide it' : `your role, ${role}, may not do this`;
}

function decidedAlready({ state, decidedBy, decidedAt }: StoredApproval) {
  const { body } = errorResponse('ERR_VAL', `the request is ${state} already`);
  return { ...body, by: decidedBy, at: decidedAt?.toISOString() ?? null };
}

function approvalOnWire(stored: StoredApproval, caller: Caller): Approval {
  const { approvalID, route, operator, params, body, state, requestedBy, decidedBy, reason } = stored;
  return {
    ...{ approvalID: String(approvalID), route, operator, params, body, state, requestedBy, decidedBy, reason },
    requestedAt: stored.requestedAt.toISOString(),
    expiresAt: stored.expiresAt.toISOString(),
    decidedAt: stored.decidedAt?.toISOString() ?? null,
    mayDecide: state === 'waiting' && mayDecide(stored, caller),
  };
}

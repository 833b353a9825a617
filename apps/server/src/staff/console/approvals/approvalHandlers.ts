import type { Approval, adminContract } from '@roundhouse/contract/admin';
import type { TwoPersonRouteName } from '@roundhouse/contract/admin-routes';
import type { Request, Response } from 'express';
import type { Handlers } from '../../../base/http/endpoints.ts';
import { InvalidRequest } from '../../../base/http/readBody.ts';
import { errorResponse, notFoundResponse, ok } from '../../../base/http/responses.ts';
import type { Database } from '../../../store/database/database.ts';
import { asPart, inOneTransaction } from '../../../store/database/inOneTransaction.ts';
import {
  type ApprovalOutcome,
  endApproval,
  findApproval,
  forgetApprovalSecret,
  listApprovals,
  openApprovalSecret,
  recordDecision,
  type StoredApproval,
  takeApproval,
} from '../../../store/staff/approvals.ts';
import { listUserTies, type UserTie } from '../../../store/staff/userTies.ts';
import { actAs } from '../../../store/watch/significantEvents.ts';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { AdminDeps } from '../adminDeps.ts';
import { callerOf, hasRight } from '../guard.ts';
import { pageOf, pageStart } from '../listPage.ts';
import { scopeOf } from '../operatorScope.ts';
import { mayBeOnePerson } from './samePerson.ts';
import { isTwoPersonRoute, WAITING_ACTIONS, type WaitingAction } from './waitingActions.ts';
import { handleWithin, type WaitingResponse } from './waitingHandlers.ts';

type ApprovalHandlers = Pick<
  Handlers<typeof adminContract>,
  'listApprovals' | 'decideApproval' | 'showApprovalSecret' | 'confirmApprovalSecret'
>;

/** Lists what waits, decides it, and gives the requester what an approved action has made. */
export function approvalHandlers(deps: AdminDeps): ApprovalHandlers {
  const { db, access } = deps;
  return {
    listApprovals: async ({ query: { cursor, limit, state, subject }, res }) => {
      const caller = callerOf(res);
      const { operatorID } = scopeOf(res);
      const rows = await listApprovals(db, { operatorID, state, subject, before: pageStart(cursor), limit });
      const ties = await listUserTies(db);
      const onWire = (row: StoredApproval) => approvalOnWire(row, { caller, ties });
      return ok(pageOf(rows, { limit, onWire, idOf: ({ approvalID }) => approvalID }));
    },

    decideApproval: async ({ params, body: { decision, reason }, req, res }) => {
      const caller = callerOf(res);
      const key = { approvalID: BigInt(params.approvalID), operatorID: scopeOf(res).operatorID };
      const stored = await findApproval(db, key);
      if (stored === undefined) return unknownApproval();
      const judge = { caller, ties: await listUserTies(db) };
      const route = routeOf(stored, judge);
      if (typeof route === 'object') return { ...errorResponse('ERR_VAL', route.whyNot), status: 403 };
      const requester = await access.findCaller(stored.requesterID);
      const isFirst = await inOneTransaction(db, (within) =>
        decide(deps, within, { stored, route, decision, reason, decidedBy: caller.email, requester, req, res }),
      );
      const decided = (await findApproval(db, key)) ?? stored;
      return isFirst ? ok(approvalOnWire(decided, judge)) : { status: 409, body: decidedAlready(decided) };
    },

    showApprovalSecret: async ({ params, res }) => {
      const key = { approvalID: BigInt(params.approvalID), requesterID: callerOf(res).userID };
      const secret = await openApprovalSecret(db, key);
      return secret === undefined ? noSecret() : ok({ secret });
    },

    confirmApprovalSecret: async ({ params, res }) => {
      const caller = callerOf(res);
      const approvalID = BigInt(params.approvalID);
      const isForgotten = await forgetApprovalSecret(db, { approvalID, requesterID: caller.userID });
      const stored = isForgotten ? await findApproval(db, { approvalID, operatorID: undefined }) : undefined;
      if (stored === undefined) return noSecret();
      return ok(approvalOnWire(stored, { caller, ties: await listUserTies(db) }));
    },
  };
}

type Deciding = {
  stored: StoredApproval;
  route: TwoPersonRouteName;
  decision: 'approve' | 'reject';
  reason: string | undefined;
  decidedBy: string;
  requester: Caller | undefined;
  req: Request;
  res: Response;
};

/**
 * Decides a request, does what it wants, and stores the outcome. Returns false when it does not
 * wait any more: of two users one wins.
 */
async function decide(deps: AdminDeps, within: Database, deciding: Deciding): Promise<boolean> {
  const { stored, decision, reason, decidedBy } = deciding;
  const { approvalID } = stored;
  const taken = await takeApproval(within, approvalID);
  if (taken === undefined) return false;
  const isApproved = decision === 'approve';
  await recordDecision(within, { approvalID, decidedBy, reason }, isApproved ? 'approved' : 'rejected');
  const outcome = isApproved ? await outcomeOf(deps, within, { ...deciding, body: taken.body }) : undefined;
  await endApproval(within, { approvalID, decidedBy, reason }, outcome);
  return true;
}

/**
 * The handler gets the stored request and the user who wanted it. A refused request changes
 * nothing.
 */
async function outcomeOf(
  deps: AdminDeps,
  within: Database,
  { stored: { params }, route, requester, body, req, res }: Deciding & { body: unknown },
): Promise<ApprovalOutcome> {
  if (requester === undefined || !hasRight(requester, route)) {
    return { status: 403, message: 'the user who wanted it no longer has the right', secret: null };
  }
  await actAs(within, actorOf(requester));
  const asRequester = Object.create(res, { locals: { value: { ...res.locals, caller: requester } } }) as Response;
  const work = () => handleWithin(deps, within, route, { params, body, req, res: asRequester }).catch(responseOf);
  const response = await asPart(within, work, ({ status }) => status === 200);
  if (response.status !== 200) {
    return { status: response.status, message: (response.body as { message: string }).message, secret: null };
  }
  const { secretOf } = WAITING_ACTIONS[route] as unknown as WaitingAction<TwoPersonRouteName>;
  return { status: 200, message: null, secret: secretOf(response.body as Parameters<typeof secretOf>[0]) };
}

function responseOf(error: unknown): WaitingResponse {
  if (!(error instanceof InvalidRequest)) throw error;
  return errorResponse('ERR_VAL', error.message);
}

type Judge = { caller: Caller; ties: readonly UserTie[] };

/** Returns the route of a request that this user may decide, else why not. */
function routeOf(
  { route, requesterID, requestedBy }: StoredApproval,
  { caller, ties }: Judge,
): TwoPersonRouteName | { whyNot: string } {
  if (!isTwoPersonRoute(route)) return { whyNot: `this version of the server has no request ${route}` };
  if (!hasRight(caller, route)) return { whyNot: `your role, ${caller.role}, may not do this` };
  if (requesterID === caller.userID) return { whyNot: 'a second user must decide it' };
  if (mayBeOnePerson(ties, [requestedBy, caller.email])) return { whyNot: COUNTS_AS_ONE };
  return route;
}

const COUNTS_AS_ONE =
  'you and the requester count as one person: in the last 7 days one of you, or one user for both of you, has added the other, ' +
  'made a link, or changed the role';

function decidedAlready({ state, decidedBy, decidedAt }: StoredApproval) {
  const { body } = errorResponse('ERR_VAL', `the request is ${state} already`);
  return { ...body, by: decidedBy, at: decidedAt?.toISOString() ?? null };
}

function unknownApproval() {
  return notFoundResponse('there is no such approval');
}

function noSecret() {
  return notFoundResponse('this request has no secret for you, or you have it already');
}

function approvalOnWire(stored: StoredApproval, judge: Judge): Approval {
  const { requesterID, approvalID, outcomeStatus, outcomeMessage, ...shown } = stored;
  const route = stored.state === 'waiting' ? routeOf(stored, judge) : undefined;
  return {
    ...shown,
    approvalID: String(approvalID),
    requestedAt: stored.requestedAt.toISOString(),
    expiresAt: stored.expiresAt.toISOString(),
    decidedAt: stored.decidedAt?.toISOString() ?? null,
    outcome: outcomeStatus === null ? null : { status: outcomeStatus, message: outcomeMessage },
    isOwn: requesterID === judge.caller.userID,
    mayDecide: typeof route === 'string',
    whyNot: typeof route === 'object' ? route.whyNot : null,
  };
}

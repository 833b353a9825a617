import type { adminContract } from '@roundhouse/contract/admin';
import { ADMIN_ROUTES, type AdminRoute, type TwoPersonRouteName } from '@roundhouse/contract/admin-routes';
import type { Handlers } from '../../../base/http/endpoints.ts';
import { withoutEffect } from '../../../store/database/inOneTransaction.ts';
import { storeApproval } from '../../../store/staff/approvals.ts';
import { listEntitledUsers, listUserTies } from '../../../store/staff/userTies.ts';
import type { Caller } from '../../access/caller.ts';
import type { AdminDeps } from '../adminDeps.ts';
import { callerOf } from '../guard.ts';
import { scopeOf } from '../operatorScope.ts';
import { mayBeOnePerson } from './samePerson.ts';
import { isTwoPersonRoute, WAITING_ACTIONS, type WaitingAction } from './waitingActions.ts';
import { handleWithin, type WaitingRequest, type WaitingResponse } from './waitingHandlers.ts';

/**
 * Wraps the handlers of the actions that need two users: a request waits when its handler would
 * accept it at this moment. Otherwise the requester gets the refusal at once. The handlers do not
 * change (decision 029).
 */
export function withApprovals<Some extends Partial<Handlers<typeof adminContract>>>(
  deps: AdminDeps,
  handlers: Some,
): Some {
  const wrapped = Object.entries(handlers).map(([name, handler]) => {
    if (!isTwoPersonRoute(name)) return [name, handler];
    return [name, (request: Partial<WaitingRequest>) => wait(deps, name, { params: {}, ...request } as WaitingRequest)];
  });
  return Object.fromEntries(wrapped) as Some;
}

async function wait(deps: AdminDeps, name: TwoPersonRouteName, request: WaitingRequest): Promise<WaitingResponse> {
  const { db } = deps;
  const tried = await withoutEffect(db, (within) => handleWithin(deps, within, name, request));
  if (tried.status !== 200) return tried;
  const caller = callerOf(request.res);
  const { params, body } = request;
  const { describe, keys } = WAITING_ACTIONS[name] as unknown as WaitingAction<TwoPersonRouteName>;
  const described = await describe(db, { params, body } as Parameters<typeof describe>[1]);
  const approvalID = await storeApproval(db, {
    ...described,
    ...withoutKeys(body as Body, keys),
    route: name,
    params,
    requestedBy: caller.email,
    requesterID: caller.userID,
    operatorID: scopeOf(request.res).operatorID,
  });
  return { status: 202, body: { approvalID: String(approvalID), approvers: await countApprovers(deps, name, caller) } };
}

type Body = Readonly<Record<string, unknown>>;

/** If a member has keys, only their names stay in the body. */
function withoutKeys(body: Body, members: readonly string[]): { body: Body; keys: Body | undefined } {
  const given = members.filter((member) => body[member] !== undefined);
  if (given.length === 0) return { body, keys: undefined };
  const named = (value: unknown) => Object.fromEntries(Object.keys(value as object).map((name) => [name, 'set']));
  return {
    body: { ...body, ...Object.fromEntries(given.map((member) => [member, named(body[member])])) },
    keys: Object.fromEntries(given.map((member) => [member, body[member]])),
  };
}

/** Counts who may approve a request of this user. */
async function countApprovers({ db }: AdminDeps, name: TwoPersonRouteName, caller: Caller): Promise<number> {
  const { roles, scope }: AdminRoute = ADMIN_ROUTES[name];
  const operatorID = scope === 'operator' ? caller.operator?.operatorID : undefined;
  const [users, ties] = await Promise.all([listEntitledUsers(db, { roles, operatorID }), listUserTies(db)]);
  return users.filter((email) => !mayBeOnePerson(ties, [email, caller.email])).length;
}

import type { adminContract, ConsoleUser, ConsoleUserSession } from '@roundhouse/contract/admin';
import type { Response } from 'express';
import type { Handlers } from '../../base/http/endpoints.ts';
import { InvalidRequest } from '../../base/http/readBody.ts';
import { errorResponse, notFoundResponse, ok } from '../../base/http/responses.ts';
import {
  type ConsoleSessionRecord,
  type ConsoleUserRecord,
  endConsoleSessions,
  listConsoleSessions,
  listConsoleUsers,
} from '../../store/staff/consoleUsers.ts';
import type { SignedIn } from '../access/caller.ts';
import {
  addUser,
  changeUser,
  newLink,
  USER_REFUSALS,
  type UserChanger,
  type UserRefusal,
  userInScope,
} from '../access/users.ts';
import type { AdminDeps } from './adminDeps.ts';
import { callerOf } from './guard.ts';
import { filteredScope, scopeOf } from './operatorScope.ts';

type UserHandlers = Pick<
  Handlers<typeof adminContract>,
  | 'listUsers'
  | 'addUser'
  | 'changeUser'
  | 'newUserLink'
  | 'listUserSessions'
  | 'endUserSessions'
  | 'listOwnSessions'
  | 'endOwnSession'
>;

/** An administrator changes users here, by the functions of `roundhouse user`. */
export function userHandlers({ db, consoleUrl }: AdminDeps): UserHandlers {
  return {
    listUsers: async ({ query: { cursor, limit, text, role, operator }, res }) => {
      const scope = await filteredScope(db, res, operator);
      if (scope === undefined) return ok({ items: [], cursor: null });
      const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8');
      if (/\p{C}/u.test(after)) return errorResponse('ERR_VAL', 'cursor: it is not from this list');
      const rows = await listConsoleUsers(db, { operatorID: scope.operatorID, text, role, after }, limit + 1);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return ok({
        items: rows.slice(0, limit).map(userOnWire),
        cursor: last === undefined ? null : Buffer.from(last.email).toString('base64url'),
      });
    },

    addUser: async ({ body, res }) => {
      const outcome = await addUser(db, body, { by: changerOf(res), consoleUrl });
      if (!outcome.ok) return refused(outcome.refusal);
      return ok({ user: userOnWire(outcome.user), link: outcome.link });
    },

    changeUser: async ({ params, body, res }) => {
      const outcome = await changeUser(db, params, body, { by: changerOf(res) });
      return outcome.ok ? ok(userOnWire(outcome.user)) : refused(outcome.refusal);
    },

    newUserLink: async ({ params, body: { resetSecondFactor }, res }) => {
      const outcome = await newLink(db, params, { by: changerOf(res), consoleUrl, resetSecondFactor });
      if (!outcome.ok) return unknownUser();
      return ok({ user: userOnWire(outcome.user), link: outcome.link });
    },

    listUserSessions: async ({ params, res }) => {
      const user = await userInScope(db, params, changerOf(res));
      return user === undefined ? unknownUser() : ok(await sessionsOf(user.userID, res));
    },

    endUserSessions: async ({ params, res }) => {
      const user = await userInScope(db, params, changerOf(res));
      return user === undefined ? unknownUser() : ok({ ended: await endConsoleSessions(db, user) });
    },

    listOwnSessions: async ({ res }) => ok(await sessionsOf(callerOf(res).userID, res)),

    endOwnSession: async ({ params: { sessionID }, res }) => {
      const ended = await endConsoleSessions(db, { ...callerOf(res), sessionID });
      return ended === 0 ? notFoundResponse('there is no such session') : ok({ ended });
    },
  };

  async function sessionsOf(userID: string, res: Response): Promise<{ items: ConsoleUserSession[] }> {
    const current = (res.locals.signedIn as SignedIn).sessionID;
    const sessions = await listConsoleSessions(db, userID);
    return { items: sessions.map((each) => sessionOnWire(each, current)) };
  }
}

function changerOf(res: Response): UserChanger {
  return { userID: callerOf(res).userID, operatorID: scopeOf(res).operatorID };
}

function refused(refusal: UserRefusal) {
  const message = USER_REFUSALS[refusal];
  switch (refusal) {
    case 'unknown_user':
      return unknownUser();
    case 'taken':
      return conflict(message, { email: message });
    case 'last_administrator':
      return conflict(message);
    case 'other_operator':
    case 'own_user':
      return { status: 403 as const, body: errorResponse('ERR_VAL', message).body };
    case 'unknown_operator':
      throw new InvalidRequest(message, { operator: message });
  }
}

function conflict(message: string, fields?: Record<string, string>) {
  const { body } = errorResponse('ERR_VAL', message);
  return { status: 409 as const, body: { ...body, by: null, at: null, ...(fields && { fields }) } };
}

function unknownUser() {
  return notFoundResponse(USER_REFUSALS.unknown_user);
}

function userOnWire({ operatorID: _, lastSignedInAt, createdAt, ...user }: ConsoleUserRecord): ConsoleUser {
  return { ...user, lastSignedInAt: lastSignedInAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
}

function sessionOnWire(
  { sessionID, createdAt, expiresAt, ...session }: ConsoleSessionRecord,
  current: string,
): ConsoleUserSession {
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
  return { sessionID, isCurrent: sessionID === current, ...times, ...session };
}

import type { Role } from '@roundhouse/contract/admin-routes';
import type { Database } from '../../store/database/database.ts';
import { findOperatorID } from '../../store/operators/operators.ts';
import { forgetAllTries } from '../../store/staff/consoleSignIns.ts';
import {
  type ConsoleUserRecord,
  countOtherAdministrators,
  endConsoleSessions,
  findConsoleUser,
  hasSignedInAdministrator,
  insertConsoleUser,
  lockConsoleUsers,
  removeSecondFactors,
  storeLinkToken,
  type UserScope,
  type UsersTransaction,
  updateConsoleUser,
} from '../../store/staff/consoleUsers.ts';
import type { Caller } from './caller.ts';
import { accountsOfTries } from './tries.ts';

/** `roundhouse dev` makes this user. */
const FIRST_ADMINISTRATOR = { email: 'administrator@console.local', name: 'Administrator' };

/** The person who changes users; `scope` says which users they can see. A command has no userID. */
export type UserChanger = UserScope & { userID: string | undefined };

export type UserRefusal =
  | 'taken'
  | 'unknown_user'
  | 'unknown_operator'
  /** An operator's administrator makes users of that operator only. */
  | 'other_operator'
  /** You cannot change your own role or operator, or disable yourself. */
  | 'own_user'
  /** Without an administrator nobody could let anybody in again. */
  | 'last_administrator';

export type UserOutcome<Extra = object> =
  | ({ ok: true; user: ConsoleUserRecord } & Extra)
  | { ok: false; refusal: UserRefusal };

/** The link is for the user only, holds once and for a day, and is shown once. */
export type LinkOutcome = UserOutcome<{ link: string }>;

type UserKey = { userID: string } | { email: string };

export const USER_REFUSALS: Readonly<Record<UserRefusal, string>> = {
  taken: 'There is a user with this email.',
  unknown_user: 'There is no such user.',
  unknown_operator: 'There is no such operator.',
  other_operator: 'You add users of your own operator only.',
  own_user: 'You cannot change your own role or operator, or disable yourself. Ask another administrator.',
  last_administrator: 'This is the last administrator of the server who may sign in. Add another one first.',
};

/** Command and page change users by these functions. */
export function addUser(
  db: Database,
  given: { email: string; name: string; role: Role; operator: string | null },
  { by, consoleUrl }: { by: UserChanger; consoleUrl: string },
): Promise<LinkOutcome> {
  return db.$transaction(async (tx) => {
    await lockConsoleUsers(tx);
    const operatorID = await operatorOf(tx, given.operator);
    if (by.operatorID !== undefined && operatorID !== by.operatorID) return refuse('other_operator');
    if (operatorID === undefined) return refuse('unknown_operator');
    const email = given.email.toLowerCase();
    if ((await findConsoleUser(tx, { email })) !== undefined) return refuse('taken');
    const { name, role } = given;
    const userID = await insertConsoleUser(tx, { email, name, role, operatorID });
    const link = linkOf(consoleUrl, { token: await storeLinkToken(tx, { userID, email }), email });
    return { ok: true, user: await userNow(tx, userID), link };
  });
}

export type UserChangeGiven = {
  name?: string | undefined;
  role?: Role | undefined;
  operator?: string | null | undefined;
  disabled?: boolean | undefined;
};

/** A change of role, operator or `disabled` ends the sessions of the user. */
export function changeUser(
  db: Database,
  key: UserKey,
  given: UserChangeGiven,
  { by }: { by: UserChanger },
): Promise<UserOutcome> {
  return db.$transaction(async (tx) => {
    await lockConsoleUsers(tx);
    const user = await userInScope(tx, key, by);
    if (user === undefined) return refuse('unknown_user');
    const { name = user.name, role = user.role, disabled = user.isDisabled } = given;
    const operatorID = given.operator === undefined ? user.operatorID : await operatorOf(tx, given.operator);
    if (by.operatorID !== undefined && operatorID !== by.operatorID) return refuse('other_operator');
    if (operatorID === undefined) return refuse('unknown_operator');
    const isOther = role !== user.role || disabled !== user.isDisabled || operatorID !== user.operatorID;
    if (isOther && by.userID === user.userID) return refuse('own_user');
    const staysAdministrator = role === 'administrator' && operatorID === null && !disabled;
    if (isOther && isServerAdministrator(user) && !staysAdministrator) {
      if ((await countOtherAdministrators(tx, user.userID)) === 0) return refuse('last_administrator');
    }
    await updateConsoleUser(tx, user.userID, { name, role, operatorID, disabled });
    if (isOther) await endConsoleSessions(tx, user);
    return { ok: true, user: await userNow(tx, user.userID) };
  });
}

/**
 * Makes a new link, and earlier ones useless. The user may sign in again at once when wrong tries
 * have locked the account.
 */
export function newLink(
  db: Database,
  key: UserKey,
  { by, consoleUrl, resetSecondFactor }: { by: UserChanger; consoleUrl: string; resetSecondFactor: boolean },
): Promise<LinkOutcome> {
  return db.$transaction(async (tx) => {
    await lockConsoleUsers(tx);
    const user = await userInScope(tx, key, by);
    if (user === undefined) return refuse('unknown_user');
    if (resetSecondFactor) {
      await removeSecondFactors(tx, user);
      await endConsoleSessions(tx, user);
    }
    await forgetAllTries(tx, accountsOfTries(user));
    const link = linkOf(consoleUrl, { token: await storeLinkToken(tx, user), email: user.email });
    return { ok: true, user: await userNow(tx, user.userID), link };
  });
}

/**
 * Makes the administrator of a server for local work, once. Returns a new link for as long as no
 * administrator has signed in, else undefined.
 */
export async function firstAdministratorLink(db: Database, consoleUrl: string): Promise<string | undefined> {
  if (await hasSignedInAdministrator(db)) return undefined;
  const by = { userID: undefined, operatorID: undefined };
  const { email } = FIRST_ADMINISTRATOR;
  const isThere = (await findConsoleUser(db, { email })) !== undefined;
  const outcome = isThere
    ? await newLink(db, { email }, { by, consoleUrl, resetSecondFactor: false })
    : await addUser(db, { ...FIRST_ADMINISTRATOR, role: 'administrator', operator: null }, { by, consoleUrl });
  return outcome.ok ? outcome.link : undefined;
}

/** Returns a user whom this one may see: another operator's is like one that does not exist. */
export async function userInScope(
  db: Pick<Database, '$queryRaw'>,
  key: UserKey,
  { operatorID }: UserScope,
): Promise<ConsoleUserRecord | undefined> {
  const user = await findConsoleUser(db, key);
  return operatorID === undefined || user?.operatorID === operatorID ? user : undefined;
}

/** Returns the user as they are now; undefined when they are gone or disabled. */
export async function findCaller(db: Pick<Database, '$queryRaw'>, userID: string): Promise<Caller | undefined> {
  const user = await findConsoleUser(db, { userID });
  if (user === undefined || user.isDisabled) return undefined;
  const { email, name, role, operatorID, operator, hasSecondFactor: hasAuthenticator, passwordAlone, passkeys } = user;
  return {
    userID,
    email,
    name,
    role,
    operator: operatorID === null || operator === null ? undefined : { operatorID, code: operator },
    hasSecondFactor: hasAuthenticator || passkeys > 0,
    hasAuthenticator,
    passwordAlone,
  };
}

function isServerAdministrator({ role, operatorID, isDisabled }: ConsoleUserRecord): boolean {
  return role === 'administrator' && operatorID === null && !isDisabled;
}

/** Returns undefined for an unknown code, and null for a user of the server. */
async function operatorOf(tx: UsersTransaction, code: string | null): Promise<number | null | undefined> {
  return code === null ? null : findOperatorID(tx, code);
}

async function userNow(tx: UsersTransaction, userID: string): Promise<ConsoleUserRecord> {
  const user = await findConsoleUser(tx, { userID });
  if (user === undefined) throw new Error(`the user ${userID} is gone within its transaction`);
  return user;
}

/** Browsers do not send what is behind the #: logs have no email. */
function linkOf(consoleUrl: string, { token, email }: { token: string; email: string }): string {
  const account = encodeURIComponent(email).replaceAll('%40', '@');
  return `${new URL(consoleUrl).origin}/welcome?token=${token}#${account}`;
}

function refuse(refusal: UserRefusal): { ok: false; refusal: UserRefusal } {
  return { ok: false, refusal };
}

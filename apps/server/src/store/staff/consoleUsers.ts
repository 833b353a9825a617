import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '@roundhouse/contract/admin-routes';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';
import { recordEvent } from '../watch/significantEvents.ts';

const ID_BYTES = 18;
const TOKEN_BYTES = 32;
const LINK_MS = 24 * 3_600_000;
/** The library for accounts has its one-time values under such names. */
const LINK_NAME = 'reset-password:';

export type ConsoleUserRecord = {
  userID: string;
  email: string;
  name: string;
  role: Role;
  operatorID: number | null;
  /** A user of the server has no operator. */
  operator: string | null;
  isDisabled: boolean;
  /** The user has used the link, or single sign-on. */
  hasAccount: boolean;
  /** The sign-in requests a code of an authenticator app after the password. */
  hasSecondFactor: boolean;
  /** A password alone signs the user in. */
  passwordAlone: boolean;
  passkeys: number;
  /** Sessions that have not ended. */
  sessions: number;
  lastSignedInAt: Date | null;
  createdAt: Date;
};

/** undefined: every user. Otherwise only users of this operator are listed. */
export type UserScope = { operatorID: number | undefined };

export type ConsoleSessionRecord = {
  sessionID: string;
  createdAt: Date;
  /** When it ends without a further request. */
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
};

/** The rules of users hold within one transaction. */
export type UsersTransaction = Prisma.TransactionClient;

const SELECT_USERS = Prisma.sql`
  SELECT u.id AS "userID", u.email, u.name, u.role, u.operator_id AS "operatorID", o.code AS operator,
    u.disabled AS "isDisabled", u.two_factor_enabled AS "hasSecondFactor",
    EXISTS (SELECT FROM console_accounts a WHERE a.user_id = u.id) AS "hasAccount",
    NOT u.two_factor_enabled
      AND EXISTS (SELECT FROM console_accounts a WHERE a.user_id = u.id AND a.password IS NOT NULL) AS "passwordAlone",
    (SELECT count(*)::int FROM console_passkeys p WHERE p.user_id = u.id) AS passkeys,
    (SELECT count(*)::int FROM console_sessions s WHERE s.user_id = u.id AND s.expires_at > now()) AS sessions,
    u.last_signed_in_at AS "lastSignedInAt", u.created_at AS "createdAt"
  FROM console_users u
  LEFT JOIN operators o ON o.id = u.operator_id`;

export type UserFilter = UserScope & {
  /** Part of the email or the name. */
  text?: string | undefined;
  role?: Role | undefined;
  /** The page begins after this email. */
  after?: string | undefined;
};

/** Lists users by email. */
export function listConsoleUsers(
  db: Pick<Database, '$queryRaw'>,
  { operatorID, text, role, after }: UserFilter,
  limit: number,
): Promise<ConsoleUserRecord[]> {
  const conditions = [
    operatorID !== undefined && Prisma.sql`u.operator_id = ${operatorID}`,
    text !== undefined &&
      Prisma.sql`(strpos(u.email, lower(${text})) > 0 OR strpos(lower(u.name), lower(${text})) > 0)`,
    role !== undefined && Prisma.sql`u.role = ${role}`,
    after !== undefined && Prisma.sql`u.email > ${after}`,
  ].filter((each) => each instanceof Prisma.Sql);
  return db.$queryRaw<ConsoleUserRecord[]>`
    ${SELECT_USERS} WHERE ${Prisma.join([Prisma.sql`true`, ...conditions], ' AND ')} ORDER BY u.email LIMIT ${limit}`;
}

export async function findConsoleUser(
  db: Pick<Database, '$queryRaw'>,
  key: { userID: string } | { email: string },
): Promise<ConsoleUserRecord | undefined> {
  const condition = 'userID' in key ? Prisma.sql`u.id = ${key.userID}` : Prisma.sql`u.email = ${key.email}`;
  const [row] = await db.$queryRaw<ConsoleUserRecord[]>`${SELECT_USERS} WHERE ${condition}`;
  return row;
}

export async function isEmailOfUser(db: Pick<Database, 'consoleUser'>, email: string): Promise<boolean> {
  return (await db.consoleUser.findUnique({ where: { email }, select: { id: true } })) !== null;
}

/** Returns false for a user who is disabled, or gone. */
export async function maySignIn(db: Pick<Database, 'consoleUser'>, userID: string): Promise<boolean> {
  const user = await db.consoleUser.findUnique({ where: { id: userID }, select: { disabled: true } });
  return user?.disabled === false;
}

export async function storeSignIn(db: Pick<Database, 'consoleUser'>, userID: string): Promise<void> {
  await db.consoleUser.update({ where: { id: userID }, data: { lastSignedInAt: new Date() } });
}

/** Blocks other changes of users until the transaction ends: the rules look at several users. */
export async function lockConsoleUsers(tx: UsersTransaction): Promise<void> {
  await tx.$executeRaw`LOCK TABLE console_users IN SHARE ROW EXCLUSIVE MODE`;
}

export async function insertConsoleUser(
  tx: Pick<UsersTransaction, 'consoleUser'>,
  user: { email: string; name: string; role: Role; operatorID: number | null },
): Promise<string> {
  const { operatorID, ...facts } = user;
  const id = randomBytes(ID_BYTES).toString('base64url');
  await tx.consoleUser.create({ data: { id, ...facts, operatorId: operatorID } });
  return id;
}

/** A trigger records what changes. */
export async function updateConsoleUser(
  tx: UsersTransaction,
  userID: string,
  user: { name: string; role: Role; operatorID: number | null; disabled: boolean },
): Promise<void> {
  const { operatorID, ...facts } = user;
  await tx.consoleUser.update({
    where: { id: userID },
    data: { ...facts, operatorId: operatorID, updatedAt: new Date() },
  });
}

/** Counts the users of the server who are administrators and may sign in, except for this one. */
export async function countOtherAdministrators(tx: UsersTransaction, userID: string): Promise<number> {
  return tx.consoleUser.count({
    where: { role: 'administrator', operatorId: null, disabled: false, id: { not: userID } },
  });
}

export async function hasSignedInAdministrator(db: Pick<Database, 'consoleUser'>): Promise<boolean> {
  const where = { role: 'administrator', operatorId: null, disabled: false, lastSignedInAt: { not: null } };
  return (await db.consoleUser.findFirst({ where, select: { id: true } })) !== null;
}

/**
 * Stores a one-time token to set a password, and makes earlier ones useless. The database has its
 * hash only. Returns the token.
 */
export async function storeLinkToken(
  tx: UsersTransaction,
  { userID, email }: { userID: string; email: string },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await tx.consoleVerification.deleteMany({ where: { value: userID } });
  await tx.consoleVerification.create({
    data: {
      id: randomBytes(ID_BYTES).toString('base64url'),
      identifier: createHash('sha256').update(`${LINK_NAME}${token}`).digest('base64url'),
      value: userID,
      expiresAt: new Date(Date.now() + LINK_MS),
    },
  });
  await recordEvent(tx, { kind: 'user_link_made', subject: `user ${email}` });
  return token;
}

/** Removes the authenticator app, its recovery codes, and every passkey. */
export async function removeSecondFactors(
  tx: UsersTransaction,
  { userID, email }: { userID: string; email: string },
): Promise<void> {
  const { count: authenticators } = await tx.consoleTwoFactor.deleteMany({ where: { userId: userID } });
  const { count: passkeys } = await tx.consolePasskey.deleteMany({ where: { userId: userID } });
  await tx.consoleUser.updateMany({ where: { id: userID, twoFactorEnabled: true }, data: { twoFactorEnabled: false } });
  if (authenticators + passkeys === 0) return;
  await recordEvent(tx, {
    kind: 'second_factor_changed',
    subject: `user ${email}`,
    before: { authenticator: authenticators > 0, passkeys },
    after: { authenticator: false, passkeys: 0 },
  });
}

/** Lists the sessions of a user that have not ended, the newest first. */
export async function listConsoleSessions(
  db: Pick<Database, 'consoleSession'>,
  userID: string,
): Promise<ConsoleSessionRecord[]> {
  const rows = await db.consoleSession.findMany({
    where: { userId: userID, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
    take: MOST_SESSIONS,
  });
  return rows.map(({ id, createdAt, expiresAt, ipAddress, userAgent }) => ({
    sessionID: id,
    createdAt,
    expiresAt,
    userAgent,
    address: ipAddress,
  }));
}

const MOST_SESSIONS = 200;

/** Ends one session of a user, or all of them. Returns how many there were. */
export async function endConsoleSessions(
  db: Pick<Database, 'consoleSession' | '$executeRaw'>,
  { userID, email, sessionID }: { userID: string; email: string; sessionID?: string },
): Promise<number> {
  const { count } = await db.consoleSession.deleteMany({
    where: { userId: userID, ...(sessionID !== undefined && { id: sessionID }) },
  });
  if (count > 0) {
    await recordEvent(db, { kind: 'session_ended', subject: `user ${email}`, after: { sessions: count } });
  }
  return count;
}

import { createHash } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';

/** A password and a second factor are counted apart: who knows one still has to guess the other. */
type TryKind = 'password' | 'second_factor';

/**
 * Tries with the same subject are counted together. The first part names the account, a further one
 * the client: the tries of an account can be forgotten, whoever made them.
 */
type TrySubject = readonly [account: string, client?: string];

export type Tries = { subject: TrySubject; kind: TryKind };

export type TryRules = {
  /** The number of wrong tries in a row that begins a pause, in which no further one is checked. */
  most: number;
  /** The first pause. Each further wrong try doubles it. */
  pauseMs: number;
  longestMs: number;
  /** The next try after a pause counts on; else it is the first of a new row. */
  countsOn: boolean;
};

/** A row that nobody has touched for this time says nothing about an attack any more. */
const KEPT_MS = 24 * 3_600_000;
/**
 * The number of times that a pause doubles at most: the power of a larger number would be an error.
 */
const MOST_DOUBLINGS = 20;

/**
 * Counts a try before it is checked, in one statement: tries at the same time cannot exceed the
 * limit together. Returns how many there were in a row, or undefined during a pause.
 */
export async function chargeTry(
  db: Pick<Database, '$queryRaw'>,
  { subject, kind }: Tries,
  { most, pauseMs, longestMs, countsOn }: TryRules,
): Promise<number | undefined> {
  const pauseAfter = (tries: Prisma.Sql) => Prisma.sql`
    CASE WHEN ${tries} >= ${most}::int THEN
      now() + interval '1 ms' * least(
        ${longestMs}::float8,
        ${pauseMs}::float8 * 2 ^ least(${tries} - ${most}::int, ${MOST_DOUBLINGS}::int)
      )
    END`;
  const next = Prisma.sql`(CASE WHEN f.locked_until IS NULL OR ${countsOn}::boolean THEN f.tries + 1 ELSE 1 END)`;
  const [row] = await db.$queryRaw<{ tries: number }[]>`
    INSERT INTO console_sign_in_failures AS f (subject, kind, tries, locked_until)
    VALUES (${nameOf(subject)}, ${kind}, 1, ${pauseAfter(Prisma.sql`1`)})
    ON CONFLICT (subject, kind) DO UPDATE SET
      tries = ${next}, last_try_at = now(), locked_until = ${pauseAfter(next)}
    WHERE f.locked_until IS NULL OR f.locked_until <= now()
    RETURNING tries`;
  return row?.tries;
}

/** Takes a charged try back that was not checked. */
export async function refundTry(db: Pick<Database, '$executeRaw'>, { subject, kind }: Tries): Promise<void> {
  await db.$executeRaw`
    UPDATE console_sign_in_failures
    SET tries = tries - 1, locked_until = NULL
    WHERE subject = ${nameOf(subject)} AND kind = ${kind} AND tries > 0`;
}

/** Forgets the tries after a success. */
export async function forgetTries(db: Pick<Database, '$executeRaw'>, { subject, kind }: Tries): Promise<void> {
  await db.$executeRaw`DELETE FROM console_sign_in_failures WHERE subject = ${nameOf(subject)} AND kind = ${kind}`;
}

/**
 * Forgets all tries of an account, of every client: an administrator or a new password lets the
 * user in.
 */
export async function forgetAllTries(db: Pick<Database, '$executeRaw'>, accounts: readonly string[]): Promise<void> {
  const names = accounts.map((account) => nameOf([account]));
  await db.$executeRaw`
    DELETE FROM console_sign_in_failures
    WHERE split_part(subject, ':', 1) = ANY (${names}::text[])`;
}

/**
 * Returns the secret of the user's authenticator app, as the library for accounts has sealed it.
 */
export async function findSealedAuthenticator(
  db: Pick<Database, 'consoleTwoFactor'>,
  userID: string,
): Promise<string | undefined> {
  return (await db.consoleTwoFactor.findUnique({ where: { userId: userID }, select: { secret: true } }))?.secret;
}

/**
 * Takes a time step of one-time codes for a user. Returns false when a code of this step or of a
 * later one was accepted before.
 */
export async function takeCodeStep(db: Pick<Database, '$executeRaw'>, userID: string, step: number): Promise<boolean> {
  const taken = await db.$executeRaw`
    UPDATE console_two_factors
    SET last_used_step = ${step}::bigint
    WHERE user_id = ${userID} AND (last_used_step IS NULL OR last_used_step < ${step}::bigint)`;
  return taken === 1;
}

/** Moves the end of a session on. It never passes the fixed age of the session. */
export async function prolongSession(
  db: Pick<Database, '$executeRaw'>,
  sessionID: string,
  { idleTimeoutMs, lifetimeMs }: { idleTimeoutMs: number; lifetimeMs: number },
): Promise<void> {
  await db.$executeRaw`
    UPDATE console_sessions SET updated_at = now(), expires_at = least(
      now() + ${idleTimeoutMs}::float8 * interval '1 ms', created_at + ${lifetimeMs}::float8 * interval '1 ms')
    WHERE id = ${sessionID} AND expires_at > now()`;
}

/** Wrong tries to sign in as a user, between the last two sign-ins. */
export type WrongTries = { count: number; lastAt: Date; addresses: string[] };

const MOST_ADDRESSES_SHOWN = 5;

/**
 * Reads the events of the user's own sign-ins, by the index of their subject: undefined when nobody
 * has tried in vain between the last sign-in and the one before. `subjects` are those of the user's
 * events.
 */
export async function findWrongTries(
  db: Pick<Database, '$queryRaw'>,
  subjects: readonly string[],
): Promise<WrongTries | undefined> {
  const [row] = await db.$queryRaw<(WrongTries & { lastAt: Date | null })[]>`
    WITH own AS MATERIALIZED (
      SELECT seq, at, kind, value_after::jsonb->>'address' AS address
      FROM significant_events
      WHERE subject = ANY (${[...subjects]}::text[]) AND kind IN ('signed_in', 'sign_in_failed')
    ), signed_in AS (
      SELECT seq
      FROM own
      WHERE kind = 'signed_in'
      ORDER BY seq DESC LIMIT 2
    )
    SELECT count(*)::int AS count, max(at) AS "lastAt",
      (array_agg(DISTINCT address) FILTER (WHERE address IS NOT NULL))[1:${MOST_ADDRESSES_SHOWN}::int] AS addresses
    FROM own
    WHERE kind = 'sign_in_failed' AND seq < (SELECT max(seq) FROM signed_in)
      AND seq > (SELECT CASE WHEN count(*) = 2 THEN min(seq) ELSE 0 END FROM signed_in)`;
  if (row === undefined || row.count === 0) return undefined;
  return { ...row, addresses: row.addresses ?? [] };
}

/** The user of a session, as the table has it now. */
export type SessionUser = { sessionID: string; userID: string; role: string; operatorID: number | null };

/** Returns the users of those of these sessions that have not ended, in one statement. */
export function findSessionUsers(
  db: Pick<Database, '$queryRaw'>,
  sessionIDs: readonly string[],
): Promise<SessionUser[]> {
  return db.$queryRaw<SessionUser[]>`
    SELECT s.id AS "sessionID", u.id AS "userID", u.role, u.operator_id AS "operatorID"
    FROM console_sessions s
    JOIN console_users u ON u.id = s.user_id
    WHERE s.id = ANY (${[...sessionIDs]}::text[]) AND s.expires_at > now() AND NOT u.disabled`;
}

/** Removes sessions and one-time values that have ended, and tries that nobody repeats. */
export async function purgeSignIns(db: Pick<Database, '$executeRaw'>): Promise<void> {
  await db.$executeRaw`DELETE FROM console_sessions WHERE expires_at < now()`;
  await db.$executeRaw`DELETE FROM console_verifications WHERE expires_at < now()`;
  await db.$executeRaw`
    DELETE FROM console_sign_in_failures
    WHERE last_try_at < now() - ${KEPT_MS}::float8 * interval '1 ms'
      AND (locked_until IS NULL OR locked_until < now())`;
}

/** A reader of the table learns no address that somebody has typed. */
function nameOf(subject: TrySubject): string {
  return subject
    .map((part) =>
      createHash('sha256')
        .update(part ?? '')
        .digest('hex'),
    )
    .join(':');
}

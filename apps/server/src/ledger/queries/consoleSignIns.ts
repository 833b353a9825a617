import { createHash } from 'node:crypto';
import type { Database } from '../database.ts';

/** A password and a second factor are counted apart: who knows one still has to guess the other. */
export type TryKind = 'password' | 'second_factor';

export type TryRules = {
  /** So many wrong tries in a row lock the account. */
  most: number;
  lockMs: number;
};

/** A row that nobody has touched for so long says nothing about an attack any more. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Counts a try before it is checked, in one statement: tries at the same time cannot exceed the
 * limit together. Returns how many there were in a row, or undefined while the account is locked.
 */
export async function chargeTry(
  db: Pick<Database, '$queryRaw'>,
  { subject, kind }: { subject: string; kind: TryKind },
  { most, lockMs }: TryRules,
): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ tries: number }[]>`
    INSERT INTO console_sign_in_failures AS f (subject, kind, tries, locked_until)
    VALUES (${hashOf(subject)}, ${kind}, 1, CASE WHEN ${most}::int <= 1 THEN now() + ${lockMs}::float8 * interval '1 ms' END)
    ON CONFLICT (subject, kind) DO UPDATE SET
      tries = CASE WHEN f.locked_until IS NULL THEN f.tries + 1 ELSE 1 END,
      last_try_at = now(),
      locked_until = CASE WHEN (CASE WHEN f.locked_until IS NULL THEN f.tries + 1 ELSE 1 END) >= ${most}::int
        THEN now() + ${lockMs}::float8 * interval '1 ms' END
    WHERE f.locked_until IS NULL OR f.locked_until <= now()
    RETURNING tries`;
  return row?.tries;
}

/** Forgets the tries after a success, or when an administrator lets the user in again. */
export async function forgetTries(
  db: Pick<Database, '$executeRaw'>,
  { subject, kind }: { subject: string; kind: TryKind },
): Promise<void> {
  await db.$executeRaw`DELETE FROM console_sign_in_failures WHERE subject = ${hashOf(subject)} AND kind = ${kind}`;
}

/**
 * Takes a time step of one-time codes for a user. Returns false when a code of this step or of a
 * later one was accepted before.
 */
export async function takeCodeStep(db: Pick<Database, '$executeRaw'>, userID: string, step: number): Promise<boolean> {
  const taken = await db.$executeRaw`
    UPDATE console_two_factors SET last_used_step = ${step}::bigint
    WHERE user_id = ${userID} AND (last_used_step IS NULL OR last_used_step < ${step}::bigint)`;
  return taken === 1;
}

/** Moves the end of a session on. It never passes the fixed age of the session. */
export async function prolongSession(
  db: Pick<Database, '$executeRaw'>,
  sessionID: string,
  { inactivityMs, lifetimeMs }: { inactivityMs: number; lifetimeMs: number },
): Promise<void> {
  await db.$executeRaw`
    UPDATE console_sessions SET updated_at = now(), expires_at = least(
      now() + ${inactivityMs}::float8 * interval '1 ms', created_at + ${lifetimeMs}::float8 * interval '1 ms')
    WHERE id = ${sessionID} AND expires_at > now()`;
}

/** Removes sessions and one-time values that have ended, and tries that nobody repeats. */
export async function purgeSignIns(db: Pick<Database, '$executeRaw'>): Promise<void> {
  await db.$executeRaw`DELETE FROM console_sessions WHERE expires_at < now()`;
  await db.$executeRaw`DELETE FROM console_verifications WHERE expires_at < now()`;
  await db.$executeRaw`
    DELETE FROM console_sign_in_failures WHERE last_try_at < now() - ${KEPT_MS}::float8 * interval '1 ms'
      AND (locked_until IS NULL OR locked_until < now())`;
}

/** Whoever reads the table learns no address that somebody has typed. */
function hashOf(subject: string): string {
  return createHash('sha256').update(subject).digest('hex');
}

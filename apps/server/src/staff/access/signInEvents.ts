import type { createAuthMiddleware } from 'better-auth/api';
import { type APIError, isAPIError } from 'better-auth/api';
import type { Database } from '../../store/database/database.ts';
import { forgetTries } from '../../store/staff/consoleSignIns.ts';
import { isEmailOfUser, storeSignIn } from '../../store/staff/consoleUsers.ts';
import type { EventKind } from '../../store/watch/eventKinds.ts';
import { recordEvent } from '../../store/watch/significantEvents.ts';
import { type Attempt, currentAttempt } from './attempt.ts';
import { actorOf } from './caller.ts';
import { rememberDevice } from './devices.ts';
import { typedSubjectOf } from './tries.ts';

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** These paths begin a session when they succeed; the event names the method. */
const SIGN_INS: Readonly<Record<string, string>> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'password and code',
  '/two-factor/verify-backup-code': 'password and recovery code',
  '/passkey/verify-authentication': 'passkey',
  '/callback/:id': 'single sign-on',
};

/** What users change in their account, with what the event says. */
const CHANGES: Readonly<Record<string, { kind: EventKind; before?: object; after?: object }>> = {
  '/change-password': { kind: 'password_changed', after: { by: 'the user' } },
  '/two-factor/verify-totp': { kind: 'second_factor_changed', after: { authenticator: true } },
  '/two-factor/disable': {
    kind: 'second_factor_changed',
    before: { authenticator: true },
    after: { authenticator: false },
  },
  '/two-factor/generate-backup-codes': { kind: 'second_factor_changed', after: { recovery_codes: 'new' } },
  '/passkey/verify-registration': { kind: 'second_factor_changed', after: { passkey: 'added' } },
  '/passkey/delete-passkey': { kind: 'second_factor_changed', after: { passkey: 'removed' } },
  '/sign-out': { kind: 'signed_out' },
};

/**
 * Runs after each request to the library: records what happened, and forgets tries after a success.
 */
export async function recordOutcome(db: Database, ctx: Context): Promise<void> {
  const { path = '' } = ctx;
  const attempt = currentAttempt();
  const { returned, newSession } = ctx.context;
  const hasFailed = isAPIError(returned) && (returned as APIError).status !== 'FOUND';
  if (!hasFailed) for (const tries of attempt.charged ?? []) await forgetTries(db, tries);
  const method = attempt.hasSession ? undefined : SIGN_INS[path];
  if (method !== undefined) {
    if (newSession) {
      await rememberDevice(ctx, newSession.user.email);
      return signedIn(db, { user: newSession.user, method, address: attempt.address });
    }
    const isWaiting = !hasFailed && path === '/sign-in/email';
    if (!isWaiting) await signInFailed(db, ctx, { attempt, method });
    return;
  }
  const change = CHANGES[path];
  if (change === undefined || attempt.user === undefined) return;
  // With a second factor the path only repeats the check.
  if (path === '/two-factor/verify-totp' && attempt.user.hasSecondFactor && !hasFailed) return;
  if (hasFailed) {
    if (attempt.charged !== undefined) await signInFailed(db, ctx, { attempt, method: 'check in a session' });
    return;
  }
  await recordEvent(db, { ...change, subject: `user ${attempt.user.email}`, actor: actorOf(attempt.user) });
}

async function signedIn(
  db: Database,
  { user, method, address }: { user: { id: string; email: string }; method: string; address: string },
): Promise<void> {
  await storeSignIn(db, user.id);
  await recordEvent(db, {
    kind: 'signed_in',
    subject: `user ${user.email}`,
    after: { method, address },
    actor: actorOf(user),
  });
}

/** The actor of a failed try is the user whose account it is, and `unknown` when there is none. */
async function signInFailed(
  db: Database,
  ctx: Context,
  { attempt, method }: { attempt: Attempt; method: string },
): Promise<void> {
  const typed: unknown = attempt.user?.email ?? ctx.body?.email;
  const email = typeof typed === 'string' ? typed.toLowerCase() : undefined;
  const isLocked = (ctx.context.returned as APIError | undefined)?.body?.code === 'LOCKED';
  // The event of the lock covers all tries until it is over.
  if (isLocked) return;
  const subject = email === undefined ? 'console' : typedSubjectOf(email);
  const actor = email !== undefined && (await isEmailOfUser(db, email)) ? actorOf({ email }) : 'unknown';
  const after = { method, address: attempt.address };
  await recordEvent(db, { kind: 'sign_in_failed', subject, after, actor });
  if (attempt.locks === undefined) return;
  await recordEvent(db, { kind: 'sign_in_locked', subject, after: { ...after, locks: attempt.locks }, actor });
}

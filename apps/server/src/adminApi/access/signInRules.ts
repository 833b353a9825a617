import { createOTP } from '@better-auth/utils/otp';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Database } from '../../ledger/database.ts';
import { chargeTry, type TryKind, takeCodeStep } from '../../ledger/queries/consoleSignIns.ts';
import { type AccessOptions, MOST_TRIES } from './accessOptions.ts';
import { currentAttempt } from './attempt.ts';
import { recordOutcome } from './signInEvents.ts';

/** Each of these checks a password. */
const PASSWORD_PATHS = new Set([
  '/sign-in/email',
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
]);
/** Names of users and passkeys are the only texts that a user stores. */
const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{C}*$/u);
const NAMING_PATHS = new Set(['/update-user', '/passkey/verify-registration', '/passkey/update-passkey']);
const CODE_PATHS = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);
/** Authenticator apps count steps of so many seconds. */
const STEP_SECONDS = 30;
/** A code of the step before or after is accepted, too: clocks differ. */
const NEAR_STEPS = [0, -1, 1];

type Deps = { db: Database; log: Logger; options: AccessOptions };
type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Adds our rules to the library, as its last plugin: wrong tries in a row lock an account, a code
 * is accepted once, and every outcome is a significant event.
 */
export function signInRules(deps: Deps): BetterAuthPlugin {
  return {
    id: 'roundhouse-sign-in-rules',
    hooks: {
      before: [{ matcher: () => true, handler: createAuthMiddleware((ctx) => beforeRequest(deps, ctx)) }],
      after: [{ matcher: () => true, handler: createAuthMiddleware((ctx) => recordOutcome(deps.db, ctx)) }],
    },
  };
}

async function beforeRequest(deps: Deps, ctx: Context) {
  const { path = '' } = ctx;
  const attempt = currentAttempt();
  if (PASSWORD_PATHS.has(path) || CODE_PATHS.has(path)) refuseOptions(ctx);
  if (path === '/sign-in/social') refuseIdToken(ctx);
  if (NAMING_PATHS.has(path)) refuseNames(ctx);
  if (path === '/sign-in/email') {
    const email = z.email().max(254).safeParse(ctx.body?.email).data?.toLowerCase();
    // The library refuses it as malformed.
    if (email === undefined) return;
    await charge(deps, { subject: `email:${email}`, kind: 'password' });
    return;
  }
  const session = await getSessionFromCtx(ctx);
  attempt.hasSession = session !== null;
  const user = session?.user ?? (CODE_PATHS.has(path) ? await challengedUser(ctx) : null);
  if (user == null) return;
  const hasSecondFactor = Boolean((user as { twoFactorEnabled?: boolean }).twoFactorEnabled);
  attempt.user = { id: user.id, email: user.email, hasSecondFactor };
  if (PASSWORD_PATHS.has(path)) await charge(deps, { subject: `email:${user.email}`, kind: 'password' });
  // Nobody has to guess the codes of a second factor that is being added.
  if (CODE_PATHS.has(path) && hasSecondFactor) await charge(deps, { subject: user.id, kind: 'second_factor' });
  if (path === '/two-factor/verify-totp') await refuseUsedCode(deps.db, ctx, user.id);
  // Whoever knew the old password is out.
  if (path === '/change-password') return { context: { body: { ...ctx.body, revokeOtherSessions: true } } };
  return;
}

/** A trusted device would need no second factor, and other members change nothing that we want. */
function refuseOptions({ body }: Context): void {
  const { trustDevice, disableSession } = (body ?? {}) as Record<string, unknown>;
  if (trustDevice || disableSession) {
    throw new APIError('BAD_REQUEST', {
      code: 'NOT_OFFERED',
      message: 'trustDevice and disableSession are not offered',
    });
  }
}

function refuseNames({ path, body }: Context): void {
  const { name, ...others } = (body ?? {}) as Record<string, unknown>;
  if (path === '/update-user' && Object.keys(others).length > 0) {
    throw new APIError('BAD_REQUEST', { code: 'NOT_OFFERED', message: 'users change their name, and nothing else' });
  }
  if (name !== undefined && !nameSchema.safeParse(name).success) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_NAME', message: 'a name has 1 to 100 visible characters' });
  }
}

/** A sign-in begins here, with state and nonce. An ID token from elsewhere has neither. */
function refuseIdToken({ body }: Context): void {
  const { provider, callbackURL, errorCallbackURL, disableRedirect, ...others } = (body ?? {}) as object as Record<
    string,
    unknown
  >;
  if (Object.keys(others).length > 0) {
    throw new APIError('BAD_REQUEST', { code: 'NOT_OFFERED', message: `${Object.keys(others)[0]} is not offered` });
  }
}

async function charge({ db, options }: Deps, tried: { subject: string; kind: TryKind }): Promise<void> {
  const count = await chargeTry(db, tried, { most: MOST_TRIES, lockMs: options.lockMs });
  if (count === undefined) {
    throw new APIError('TOO_MANY_REQUESTS', {
      code: 'LOCKED',
      message: 'Too many wrong tries in a row. Try again later, or ask an administrator for a new link.',
    });
  }
  currentAttempt().tries = { ...tried, count };
}

/** Finds who has given the password, and not yet the second factor. */
async function challengedUser(ctx: Context) {
  const cookie = ctx.context.createAuthCookie('two_factor');
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  if (!identifier) return null;
  const challenge = await ctx.context.internalAdapter.findVerificationValue(identifier);
  return challenge && ctx.context.internalAdapter.findUserById(challenge.value);
}

/** Whoever looks over a shoulder must not use the same code within its minute. */
async function refuseUsedCode(db: Database, ctx: Context, userID: string): Promise<void> {
  const code = z.string().safeParse(ctx.body?.code).data;
  const row = await db.consoleTwoFactor.findUnique({ where: { userId: userID } });
  if (code === undefined || row === null) return;
  const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: row.secret });
  const otp = createOTP(secret, { period: STEP_SECONDS, digits: 6 });
  const now = Math.floor(Date.now() / 1000 / STEP_SECONDS);
  for (const step of NEAR_STEPS.map((near) => now + near)) {
    if ((await otp.hotp(step)) !== code) continue;
    if (await takeCodeStep(db, userID, step)) return;
    throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
  }
}

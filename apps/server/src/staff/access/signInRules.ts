import { createOTP } from '@better-auth/utils/otp';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Logger } from 'pino';
import * as z from 'zod';
import { networkOf } from '../../base/networkOf.ts';
import type { Database } from '../../store/database/database.ts';
import {
  chargeTry,
  findSealedAuthenticator,
  refundTry,
  type Tries,
  type TryRules,
  takeCodeStep,
} from '../../store/staff/consoleSignIns.ts';
import { type AccessOptions, FIRST_PAUSE_MS, MOST_TRIES, MOST_TRIES_OF_ALL } from './accessOptions.ts';
import { type Attempt, currentAttempt } from './attempt.ts';
import { knownDevice } from './devices.ts';
import { recordOutcome } from './signInEvents.ts';
import { sessionsOf, signInsOf } from './tries.ts';

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
/** Authenticator apps make a new code in each step. */
const STEP_SECONDS = 30;
/** A code of the step before or after is also accepted: clocks differ. */
const NEAR_STEPS = [0, -1, 1];

type Deps = { db: Database; log: Logger; options: AccessOptions };
type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Adds our rules to the library, as its last plugin: wrong tries in a row keep their client out, a
 * code is accepted once, and every outcome is a significant event.
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
    await chargeSignIn(deps, ctx, email);
    return;
  }
  const session = await getSessionFromCtx(ctx);
  attempt.hasSession = session !== null;
  const user = session?.user ?? (CODE_PATHS.has(path) ? await challengedUser(ctx) : null);
  if (user == null) return;
  const hasSecondFactor = Boolean((user as { twoFactorEnabled?: boolean }).twoFactorEnabled);
  attempt.user = { id: user.id, email: user.email, hasSecondFactor };
  // Nobody without a session can lock the password of one.
  if (PASSWORD_PATHS.has(path)) await charge(deps, { subject: [sessionsOf(user.id)], kind: 'password' }, 'session');
  // Nobody has to guess the codes of a second factor that is being added.
  if (CODE_PATHS.has(path) && hasSecondFactor) {
    const device = await knownDevice(ctx, user.email);
    const subject = device === undefined ? ([user.id] as const) : ([user.id, device] as const);
    await charge(deps, { subject, kind: 'second_factor' }, 'second factor');
  }
  if (path === '/two-factor/verify-totp') await refuseUsedCode(deps.db, ctx, user.id);
  // A person who knew the old password is signed out.
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

/**
 * Charges a try to sign in. A browser that the user has signed in with before has three separate
 * tries, whatever others do. All others are counted by their address and by the account; tries from
 * many addresses only slow each other down (decision 028).
 */
async function chargeSignIn(deps: Deps, ctx: Context, email: string): Promise<void> {
  const account = signInsOf(email);
  const device = await knownDevice(ctx, email);
  // After its own three tries it is like any other browser.
  if (device !== undefined && (await isCharged(deps, { subject: [account, device], kind: 'password' }, 'device')))
    return;
  const ofClient: Tries = { subject: [account, networkOf(currentAttempt().address)], kind: 'password' };
  await charge(deps, ofClient, 'address');
  const ofAccount: Tries = { subject: [account], kind: 'password' };
  if (await isCharged(deps, ofAccount, 'account')) return;
  await refundTry(deps.db, ofClient);
  throw locked();
}

async function charge(deps: Deps, tried: Tries, whom: Locked): Promise<void> {
  if (!(await isCharged(deps, tried, whom))) throw locked();
}

type Locked = NonNullable<Attempt['locks']>;

/** Returns false during a pause. */
async function isCharged({ db, options: { lockMs } }: Deps, tried: Tries, whom: Locked): Promise<boolean> {
  const rules: TryRules =
    whom === 'account'
      ? { most: MOST_TRIES_OF_ALL, pauseMs: FIRST_PAUSE_MS, longestMs: lockMs, countsOn: true }
      : { most: MOST_TRIES, pauseMs: lockMs, longestMs: lockMs, countsOn: false };
  const count = await chargeTry(db, tried, rules);
  if (count === undefined) return false;
  const attempt = currentAttempt();
  attempt.charged = [...(attempt.charged ?? []), tried];
  if (count >= rules.most) attempt.locks = whom;
  return true;
}

function locked(): APIError {
  return new APIError('TOO_MANY_REQUESTS', {
    code: 'LOCKED',
    message:
      'Too many wrong tries in a row. Try again later, use a browser in which you have signed in before, or ask an administrator for a new link.',
  });
}

/** Finds who has given the password, and not yet the second factor. */
async function challengedUser(ctx: Context) {
  const cookie = ctx.context.createAuthCookie('two_factor');
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  if (!identifier) return null;
  const challenge = await ctx.context.internalAdapter.findVerificationValue(identifier);
  return challenge && ctx.context.internalAdapter.findUserById(challenge.value);
}

/** Somebody who looks over a shoulder must not use the same code within its minute. */
async function refuseUsedCode(db: Database, ctx: Context, userID: string): Promise<void> {
  const code = z.string().safeParse(ctx.body?.code).data;
  const sealed = await findSealedAuthenticator(db, userID);
  if (code === undefined || sealed === undefined) return;
  const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: sealed });
  const otp = createOTP(secret, { period: STEP_SECONDS, digits: 6 });
  const now = Math.floor(Date.now() / 1000 / STEP_SECONDS);
  for (const step of NEAR_STEPS.map((near) => now + near)) {
    if ((await otp.hotp(step)) !== code) continue;
    if (await takeCodeStep(db, userID, step)) return;
    throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
  }
}

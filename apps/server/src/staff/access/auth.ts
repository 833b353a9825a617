import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Logger } from 'pino';
import { loopbackOrigins } from '../../base/address.ts';
import type { Database } from '../../store/database/database.ts';
import { forgetAllTries } from '../../store/staff/consoleSignIns.ts';
import { maySignIn } from '../../store/staff/consoleUsers.ts';
import { consoleUserStore } from '../../store/staff/signInTables.ts';
import { recordEvent } from '../../store/watch/significantEvents.ts';
import { type AccessOptions, MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from './accessOptions.ts';
import { currentAttempt } from './attempt.ts';
import type { AuthSecret } from './authSecrets.ts';
import { actorOf } from './caller.ts';
import { oidcPlugin } from './oidc.ts';
import { signInRules } from './signInRules.ts';
import { accountsOfTries } from './tries.ts';

const MS_PER_SECOND = 1000;
const LINK_HOURS = 24;
const SECONDS_PER_HOUR = 3_600;
/** A passkey is added soon after a sign-in, so a stolen session cannot add one later. */
const FRESH_SECONDS = 15 * 60;
const COOKIE_PREFIX = 'roundhouse-console';
/** createAccess sets it: what a client sends under this name is dropped. */
export const ADDRESS_HEADER = 'x-roundhouse-address';

export type AuthDeps = { db: Database; log: Logger; secrets: AuthSecret[]; options: AccessOptions };
/** What the rest of this folder uses of the library. */
export type Auth = {
  handler(request: Request): Promise<Response>;
  $context: Promise<{ socialProviders: readonly { id: string }[] }>;
  api: {
    getSession(input: { headers: Headers }): Promise<{
      session: { id: string; createdAt: Date; expiresAt: Date };
      user: { id: string };
    } | null>;
  };
};

/**
 * Sets the library for accounts up. Where its default is weaker than our rule, the rule is here.
 */
export function makeAuth({ db, log, secrets, options, hasProvider }: AuthDeps & { hasProvider: boolean }): Auth {
  const { consoleUrl, lifetimeMs, idleTimeoutMs, oidc, passwordHashing } = options;
  const { origin, hostname } = new URL(consoleUrl);
  const hasPasswords = oidc?.isOnly !== true;
  return betterAuth({
    appName: 'Roundhouse console',
    baseURL: origin,
    basePath: '/api/auth',
    trustedOrigins: loopbackOrigins(origin),
    secrets,
    database: consoleUserStore(db),
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (level, message) => log[level === 'error' ? 'error' : 'warn']({ room: 'access' }, message),
    },
    onAPIError: {
      errorURL: `${origin}/sign-in`,
      onError: (error) => {
        currentAttempt().error = error;
      },
    },
    emailAndPassword: {
      enabled: hasPasswords,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_CHARACTERS,
      maxPasswordLength: MAX_PASSWORD_CHARACTERS,
      ...(passwordHashing && { password: passwordHashing }),
      resetPasswordTokenExpiresIn: LINK_HOURS * SECONDS_PER_HOUR,
      revokeSessionsOnPasswordReset: true,
      async onPasswordReset({ user }) {
        await forgetAllTries(db, accountsOfTries({ email: user.email, userID: user.id }));
        const [subject, actor] = [`user ${user.email}`, actorOf(user)];
        await recordEvent(db, { kind: 'password_changed', subject, after: { by: 'a link' }, actor });
      },
    },
    user: {
      modelName: 'consoleUser',
      additionalFields: {
        role: { type: 'string', required: true, input: false },
        operatorId: { type: 'number', required: false, input: false },
        disabled: { type: 'boolean', required: false, input: false, defaultValue: false },
      },
    },
    session: {
      modelName: 'consoleSession',
      // The cookie has the fixed age; the row has the end of the idle time-out, which createAccess
      // moves on.
      expiresIn: Math.floor(lifetimeMs / MS_PER_SECOND),
      disableSessionRefresh: true,
      freshAge: FRESH_SECONDS,
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'consoleAccount',
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
    },
    verification: { modelName: 'consoleVerification', storeIdentifier: 'hashed' },
    // createAccess counts tries by address, and only open paths reach the library.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: origin.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict' },
      // The browser comes back from the provider of the single sign-on with this cookie.
      cookies: { state: { attributes: { sameSite: 'lax' } } },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    databaseHooks: {
      session: {
        create: {
          async before(session) {
            if (!(await maySignIn(db, session.userId))) {
              throw new APIError('UNAUTHORIZED', {
                code: 'INVALID_EMAIL_OR_PASSWORD',
                message: 'Invalid email or password',
              });
            }
            return { data: { ...session, expiresAt: new Date(Date.now() + idleTimeoutMs) } };
          },
        },
      },
      account: {
        create: {
          // Nothing here acts for the user at the provider, so its tokens are not kept.
          before: async (account) => ({
            data: { ...account, accessToken: null, refreshToken: null, idToken: null, scope: null },
          }),
        },
      },
    },
    plugins: [
      twoFactor({
        issuer: 'Roundhouse console',
        schema: { twoFactor: { modelName: 'consoleTwoFactor' } },
        // It counts by account alone. Our rules count tries of a known device apart.
        accountLockout: { enabled: false },
      }),
      passkey({
        rpID: hostname,
        rpName: 'Roundhouse console',
        origin,
        schema: { passkey: { modelName: 'consolePasskey' } },
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        // A passkey replaces password and code, so the device must have verified who holds it.
        registration: { afterVerification: ({ verification }) => requireVerifiedUser(verification.registrationInfo) },
        authentication: {
          afterVerification: ({ verification }) => requireVerifiedUser(verification.authenticationInfo),
        },
      }),
      ...(oidc !== undefined && hasProvider ? [oidcPlugin(oidc)] : []),
      // It comes last: its rules see what the others have decided.
      signInRules({ db, log, options }),
    ],
  });
}

async function requireVerifiedUser(info: { userVerified: boolean } | undefined): Promise<void> {
  if (info?.userVerified) return;
  throw new APIError('UNAUTHORIZED', {
    code: 'USER_NOT_VERIFIED',
    message: 'The device must check a PIN, a finger or a face.',
  });
}

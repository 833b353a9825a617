import { passkeyClient } from '@better-auth/passkey/client';
import { twoFactorClient } from 'better-auth/client/plugins';
import { createAuthClient } from 'better-auth/react';
import { reportError } from '../api.ts';
import { AwayError, RefusedError, SignedOutError } from './errors.ts';

/** Signs you in and out, and manages your second factors. Its requests are below /api/auth. */
export const auth = createAuthClient({ plugins: [twoFactorClient(), passkeyClient()] });

type Failure = { message?: string | undefined; code?: string | undefined; status: number };
type Result<Data> = { data: Data | null; error: Failure | null };

const AWAY = [502, 503, 504];

/**
 * Sends a request of the client for accounts and returns its data.
 * @throws AwayError; SignedOutError when the session has ended, and the sign-in appears;
 * RefusedError with the server's message for everything else.
 */
export async function authCall<Data>(send: () => Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await send().catch(() => {
    throw reportError(new AwayError(false));
  });
  if (error === null) return data as Data;
  const { status, code, message } = error;
  if (AWAY.includes(status)) throw reportError(new AwayError(true));
  if (code === 'UNAUTHORIZED') throw reportError(new SignedOutError());
  const text = (code && TEXTS[code]) || message || `The server responded with ${status}.`;
  const field = code && FIELDS[code];
  throw new RefusedError(status, code ?? '', text, field ? { [field]: text } : {});
}

/** Signs you in. Returns whether a code is asked for next. */
export async function signInByPassword(given: { email: string; password: string }): Promise<boolean> {
  return 'twoFactorRedirect' in (await authCall(() => auth.signIn.email(given)));
}

/** The fields of the forms that these refusals are about. */
const FIELDS: Readonly<Record<string, string>> = {
  INVALID_CODE: 'code',
  INVALID_BACKUP_CODE: 'code',
  INVALID_PASSWORD: 'password',
  PASSWORD_TOO_SHORT: 'newPassword',
};

const TEXTS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'The email or password is wrong.',
  INVALID_CODE: 'The code is wrong or already used. Wait for the next one.',
  INVALID_BACKUP_CODE: 'The recovery code is wrong or already used.',
  INVALID_TWO_FACTOR_COOKIE: 'The sign-in took too long. Start again with your password.',
  INVALID_PASSWORD: 'The password is wrong.',
  INVALID_TOKEN: 'This link is no longer valid. Ask an administrator for a new one.',
  PASSWORD_TOO_SHORT: 'The password is too short.',
  SESSION_NOT_FRESH: 'This needs a sign-in within the last 15 minutes. Sign out, then sign in again.',
  AUTH_CANCELLED: 'No passkey was used.',
};

import { passkeyClient } from '@better-auth/passkey/client';
import { twoFactorClient } from 'better-auth/client/plugins';
import { createAuthClient } from 'better-auth/react';
import { reportError } from '../api.ts';
import { AwayError, RefusedError, SignedOutError } from './errors.ts';

/** Signs in and out, and manages the user's second factors. Its requests go below /api/auth. */
export const auth = createAuthClient({ plugins: [twoFactorClient(), passkeyClient()] });

type Failure = { message?: string | undefined; code?: string | undefined; status: number };
type Result<Data> = { data: Data | null; error: Failure | null };

const AWAY = [502, 503, 504];

/**
 * Sends a request of the client for accounts and returns its data.
 * @throws AwayError; SignedOutError when the session has ended, whose sign-in is then shown;
 * RefusedError with the server's message for the rest.
 */
export async function authCall<Data>(send: () => Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await send().catch(() => {
    throw reportError(new AwayError(false));
  });
  if (error === null) return data as Data;
  const { status, code, message } = error;
  if (AWAY.includes(status)) throw reportError(new AwayError(true));
  if (code === 'UNAUTHORIZED') throw reportError(new SignedOutError());
  throw new RefusedError(
    status,
    code ?? '',
    (code && TEXTS[code]) || message || `The server responded with ${status}.`,
  );
}

const TEXTS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'Email or password is wrong.',
  INVALID_CODE: 'The code is wrong, or it was used already. Wait for the next one.',
  INVALID_BACKUP_CODE: 'The recovery code is wrong, or it was used already.',
  INVALID_TWO_FACTOR_COOKIE: 'The sign-in took too long. Begin again with the password.',
  INVALID_PASSWORD: 'The password is wrong.',
  INVALID_TOKEN: 'This link does not hold any more. Ask an administrator for a new one.',
  PASSWORD_TOO_SHORT: 'The password is too short.',
  SESSION_NOT_FRESH: 'For this you must have signed in within the last 15 minutes. Sign out and in again.',
  AUTH_CANCELLED: 'No passkey was used.',
};

import { passkeyClient } from '@better-auth/passkey/client';
import { twoFactorClient } from 'better-auth/client/plugins';
import { createAuthClient } from 'better-auth/react';

/** Signs in and out, and manages the own second factors. Its requests go below /api/auth. */
export const auth = createAuthClient({
  plugins: [twoFactorClient(), passkeyClient()],
});

type Result<Data> =
  | { data: Data; error: null }
  | { data: unknown; error: { message?: string | undefined; status: number } };

/**
 * Returns what a request of the client gave.
 * @throws Error with the server's message when it was refused
 */
export function orThrow<Data>(result: Result<Data>): Data {
  if (result.error === null) return result.data as Data;
  throw new Error(result.error.message || `The server responded with status ${result.error.status}.`);
}

import { queryOptions } from '@tanstack/react-query';
import { reportError } from '../../api.ts';
import { AwayError, errorOf } from '../../lib/errors.ts';

/** The ways to sign in that the server offers. */
export type SignInMethods = { passwords: boolean; singleSignOn: { name: string } | null };

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<SignInMethods> => {
    const response = await fetch('/api/auth/methods', { signal, credentials: 'same-origin' }).catch(() => {
      throw reportError(new AwayError(false));
    });
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw reportError(errorOf(response.status, body));
    return body as SignInMethods;
  },
});

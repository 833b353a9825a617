import { queryClient } from '../queryClient.ts';

/** Ends the session and shows the sign-in. The page reloads, so none of its data stays. */
export async function signOut(): Promise<void> {
  // A panel that still loads would send its request without a session.
  const { queries, ...others } = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, enabled: false } });
  await fetch('/api/auth/sign-out', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }).catch(() => undefined);
  location.assign('/sign-in');
}

/** Ends the session and shows the sign-in. The page reloads, so none of its data stays. */
export async function signOut(): Promise<void> {
  await fetch('/api/auth/sign-out', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }).catch(() => undefined);
  location.assign('/sign-in');
}

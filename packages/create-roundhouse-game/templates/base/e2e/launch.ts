import { type APIRequestContext, expect } from '@playwright/test';

export type Launch = { url: string; sessionID: string };

/** Starts a new player's session, as an operator would open it. */
export async function startSession(request: APIRequestContext, wish: object = {}): Promise<Launch> {
  const response = await request.post('/session/start', { data: { balance: 100_000_000, ...wish } });
  return (await response.json()) as Launch;
}

/** Sets what the next play of the session will be; `big` is a win of at least ten bets. */
export async function force(request: APIRequestContext, { sessionID }: Launch, kind: 'big' | 'loss'): Promise<void> {
  const response = await request.post('/game/force', { data: { sessionID, mode: 'BASE', kind } });
  expect(response.ok()).toBe(true);
}

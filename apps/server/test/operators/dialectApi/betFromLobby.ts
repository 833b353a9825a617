import { expect } from 'vitest';
import { call } from '../../support/rgsCalls.ts';
import { BET, UNIT } from '../../support/testServer.ts';

/**
 * Launches a game from the lobby of a simulator and bets in it: the aggregator's wallet has the
 * debit.
 */
export async function betFromLobby(lobby: string, { gameID, title }: { gameID: string; title: string }): Promise<void> {
  expect(await (await fetch(lobby)).text()).toContain(title);
  const body = new URLSearchParams({ player: 'ann', currency: 'USD', gameID });
  const launched = await fetch(`${lobby}/lobby/launch`, { method: 'POST', body, redirect: 'manual' });
  const { origin, searchParams } = new URL(launched.headers.get('location') ?? '');
  const sessionID = searchParams.get('sessionID');
  await call(origin, '/wallet/authenticate', { sessionID });
  await call(origin, '/wallet/play', { ...BET, sessionID });
  const [debit] = (await (await fetch(`${lobby}/control/transactions`)).json()) as unknown[];
  expect(debit).toMatchObject({ kind: 'debit', currency: 'USD', amount: UNIT });
}

import { afterAll, beforeAll, expect } from 'vitest';
import { wholeState } from './snapshot.ts';
import { sessionInRound, type TestServer, UNIT } from './testServer.ts';

export const ENDPOINT_NAMES = ['authenticate', 'balance', 'play', 'endRound', 'event', 'history'] as const;

type EndpointName = (typeof ENDPOINT_NAMES)[number];
type GoodCall = {
  path: string;
  body: { sessionID: string; amount?: number; mode?: string; event?: string; limit?: number };
};
type GoodCalls = Record<EndpointName, GoodCall>;

/**
 * Makes for each endpoint a call that would succeed and, unless it only reads, change something.
 * Tests break these calls. At the end the calls are sent unbroken: so each was refused only for
 * what was broken.
 */
export function useGoodCalls(server: TestServer): GoodCalls {
  const calls = {} as GoodCalls;
  beforeAll(async () => {
    Object.assign(calls, {
      authenticate: { path: '/wallet/authenticate', body: { sessionID: await server.newSession() } },
      balance: { path: '/wallet/balance', body: { sessionID: await server.liveSession() } },
      play: { path: '/wallet/play', body: { sessionID: await server.liveSession(), amount: UNIT, mode: 'BASE' } },
      endRound: { path: '/wallet/end-round', body: { sessionID: await sessionInRound(server) } },
      event: { path: '/bet/event', body: { sessionID: await sessionInRound(server), event: 'picked:1' } },
      history: { path: '/bet/history', body: { sessionID: await sessionInRound(server), limit: 5 } },
    } satisfies GoodCalls);
  });
  afterAll(async () => {
    for (const name of ENDPOINT_NAMES) await expectStillGood(server, { name, call: calls[name] });
  });
  return calls;
}

async function expectStillGood(server: TestServer, { name, call }: { name: EndpointName; call: GoodCall }) {
  const before = await wholeState(server);
  const { status, text } = await server.post(call.path, call.body);
  expect({ name, status }, text).toEqual({ name, status: 200 });
  const hasChanged = JSON.stringify(await wholeState(server)) !== JSON.stringify(before);
  expect({ name, hasChanged }).toEqual({ name, hasChanged: name !== 'balance' && name !== 'history' });
}

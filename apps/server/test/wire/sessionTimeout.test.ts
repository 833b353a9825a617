import { afterEach, describe, expect, test } from 'vitest';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { ENDPOINTS, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { endLifetime, HOUR_MS, idleFor, MINUTE_MS } from '../support/moveTime.ts';
import { expectRefused } from '../support/snapshot.ts';
import { OPERATOR } from '../support/testServer.ts';

const server = useCheckedServer();
const DEFAULTS = { sessionTimeoutMs: 30 * MINUTE_MS, sessionLifetimeMs: 24 * HOUR_MS };
afterEach(() => setOperator(server.db, OPERATOR, DEFAULTS));

/** Good in any state of the session's rounds, and changes nothing. */
const isAlive = async (sessionID: string) => (await server.post('/wallet/balance', { sessionID })).status === 200;

describe('Session: inactivity time-out', () => {
  test('is 30 minutes by default', async () => {
    const sessionID = await server.liveSession();
    await idleFor(server, sessionID, 29.5 * MINUTE_MS);
    expect(await isAlive(sessionID)).toBe(true);
    await idleFor(server, sessionID, 0.5 * MINUTE_MS);
    await expectRefused(server, { path: '/wallet/balance', body: { sessionID } }, 'ERR_IS');
  });

  test('is set per operator, and holds for sessions that are there already', async () => {
    const sessionID = await server.liveSession();
    await idleFor(server, sessionID, MINUTE_MS);
    await setOperator(server.db, OPERATOR, { sessionTimeoutMs: MINUTE_MS });
    await expectRefused(server, { path: '/wallet/balance', body: { sessionID } }, 'ERR_IS');
    await setOperator(server.db, OPERATOR, { sessionTimeoutMs: 2 * MINUTE_MS });
    expect(await isAlive(sessionID)).toBe(true);
  });

  test.each([
    { path: '/wallet/authenticate', extends: true },
    { path: '/wallet/play', extends: true },
    { path: '/wallet/end-round', extends: true },
    { path: '/bet/event', extends: true },
    { path: '/wallet/balance', extends: false },
  ])('counts from the last $path: $extends', async (call) => {
    const sessionID = await server.liveSession();
    if (call.path !== '/wallet/play') await server.playBook(sessionID, BOOK.pays150);
    const { more } = ENDPOINTS.find(({ path }) => path === call.path) ?? { more: {} };
    await idleFor(server, sessionID, 20 * MINUTE_MS);
    expect((await server.post(call.path, { sessionID, ...more })).status).toBe(200);
    await idleFor(server, sessionID, 20 * MINUTE_MS);
    expect(await isAlive(sessionID)).toBe(call.extends);
  });

  test('is not extended by a request that is refused', async () => {
    const sessionID = await server.liveSession();
    await idleFor(server, sessionID, 20 * MINUTE_MS);
    const body = { sessionID, amount: UNIT, mode: 'NONE', event: 'early' };
    for (const path of ['/wallet/play', '/wallet/end-round', '/bet/event']) {
      await expectRefused(server, { path, body }, 'ERR_VAL');
    }
    await idleFor(server, sessionID, 20 * MINUTE_MS);
    expect(await isAlive(sessionID)).toBe(false);
  });

  test.each(ENDPOINTS.slice(1))(
    'an expired session is ERR_IS, and authenticate revives it: $path',
    async (endpoint) => {
      const sessionID = await server.liveSession();
      const { round } = (await server.playBook(sessionID, BOOK.pays150)).body;
      await idleFor(server, sessionID, HOUR_MS);
      const call = { path: endpoint.path, body: { sessionID, ...endpoint.more } };
      await expectRefused(server, call, 'ERR_IS');

      const revived = await server.post('/wallet/authenticate', { sessionID });
      expect(revived.body.balance.amount).toBe(OPENING - UNIT);
      expect(revived.body.round).toEqual(round);
      expect(await isAlive(sessionID)).toBe(true);
      const ended = await server.post('/wallet/end-round', { sessionID });
      expect(ended.body.balance.amount).toBe(OPENING + 500_000);
    },
  );
});

describe('Session: lifetime', () => {
  test.each(ENDPOINTS)('after its end the session is ERR_IS, also for authenticate: $path', async ({ path, more }) => {
    const sessionID = await server.liveSession();
    await endLifetime(server, sessionID);
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
    await expectRefused(server, { path: '/wallet/authenticate', body: { sessionID } }, 'ERR_IS');
  });

  test('is set per operator, when the session is issued', async () => {
    const lifetimeOf = async () => {
      const sessionID = await server.newSession();
      const [row] = await server.db.$queryRaw<{ ms: number }[]>`
        SELECT (extract(epoch FROM expires_at - created_at) * 1000)::float AS ms FROM sessions ORDER BY id DESC LIMIT 1`;
      expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
      return Math.round((row?.ms ?? 0) / MINUTE_MS) * MINUTE_MS;
    };
    expect(await lifetimeOf()).toBe(24 * HOUR_MS);
    await setOperator(server.db, OPERATOR, { sessionLifetimeMs: HOUR_MS });
    expect(await lifetimeOf()).toBe(HOUR_MS);
  });
});

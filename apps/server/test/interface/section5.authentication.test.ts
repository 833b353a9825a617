import { parseLaunchUrl } from '@roundhouse/contract';
import { describe, expect, test } from 'vitest';
import { setLoginExpiry } from '../../src/ledger/queries/players.ts';
import { AFTER_AUTHENTICATE, checkedClient, ENDPOINTS, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { HOUR_MS, idleFor } from '../support/moveTime.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';
import { OPERATOR } from '../support/testServer.ts';

const server = useCheckedServer();

describe('5. Authentication', () => {
  test('rules 1 to 3: sessionID and server address come from the launch URL, and authenticate takes them', async () => {
    const launch = parseLaunchUrl((await server.post('/session/start', {})).body.url);
    if (launch.kind !== 'play') throw new Error('not a launch URL for play');
    const game = checkedClient(launch.rgsUrl);
    expect((await game.post('/wallet/authenticate', { sessionID: launch.sessionID })).status).toBe(200);
  });

  test('rule 4: the sessionID in the body is the only credential: every later request needs it and nothing else', async () => {
    const sessionID = await server.liveSession();
    const [, balance, play, endRound, event] = ENDPOINTS;
    for (const { path, more } of [balance, play, event, endRound]) {
      // Bytes go out with no Content-Type at all.
      const bytes = new TextEncoder().encode(JSON.stringify({ sessionID, ...more }));
      expect((await server.post(path, bytes)).status).toBe(200);
    }
  });

  test('rule 4: no header or query stands in for the sessionID of the body', async () => {
    const sessionID = await server.liveSession();
    const before = await snapshot(server, sessionID);
    const elsewhere = { Authorization: `Bearer ${sessionID}`, Cookie: `sessionID=${sessionID}`, sessionID };
    for (const { path, more } of ENDPOINTS) {
      const answer = await server.post(path, { ...more }, elsewhere);
      expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VAL']);
    }
    const { status } = await server.send(`/wallet/balance?sessionID=${sessionID}`, { method: 'POST', body: '{}' });
    expect(status).toBe(400);
    expect(await snapshot(server, sessionID)).toEqual(before);
  });

  test.each(AFTER_AUTHENTICATE)('rule 5: $path without prior authentication returns ERR_IS', async ({ path, more }) => {
    const sessionID = await server.newSession();
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
  });

  test('rule 5: authenticating one session does not authenticate another of the same player', async () => {
    await server.liveSession({ token: 'two-sessions' });
    const sessionID = await server.newSession({ token: 'two-sessions' });
    await expectRefused(server, { path: '/wallet/balance', body: { sessionID } }, 'ERR_IS');
  });

  test('rule 6: an invalid session gives ERR_IS', async () => {
    for (const { path, more } of ENDPOINTS) {
      await expectRefused(server, { path, body: { sessionID: 'never-issued', ...more } }, 'ERR_IS');
    }
  });

  test.each(AFTER_AUTHENTICATE)('rule 6: a timed-out session gives ERR_IS: $path', async ({ path, more }) => {
    const sessionID = await server.liveSession();
    await idleFor(server, sessionID, HOUR_MS);
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
  });

  test.each(ENDPOINTS)('rule 6: an expired login of the player gives ERR_ATE: $path', async ({ path, more }) => {
    const externalID = `login-ended-${path}`;
    const sessionID = await server.liveSession({ token: externalID });
    const player = { operatorCode: OPERATOR, externalID };
    expect(await setLoginExpiry(server.db, player, new Date(Date.now() - 1000))).toBe(true);
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_ATE');
    await setLoginExpiry(server.db, player, new Date(Date.now() + HOUR_MS));
    expect((await server.post('/wallet/balance', { sessionID })).body.balance.amount).toBe(1000 * UNIT);
  });
});

import { describe, expect, test } from 'vitest';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import {
  AFTER_AUTHENTICATE,
  checkedClient,
  ENDPOINTS,
  OPENING,
  UNIT,
  useCheckedServer,
} from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { revoke } from '../support/moveTime.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';
import { withRenamed } from '../support/withRenamed.ts';

const server = useCheckedServer();

/** The session under another sessionID, as an operator may have issued it. */
async function rename(sessionID: string, to: string): Promise<void> {
  await server.db
    .$executeRaw`UPDATE sessions SET token_sha256 = ${sha256Of(to)} WHERE token_sha256 = ${sha256Of(sessionID)}`;
}

describe('Session: sessionID', () => {
  test.each([
    ['one character', 'x'],
    ['256 characters', 'y'.repeat(256)],
    ['256 characters of two units each', '🎰'.repeat(256)],
    ['spaces, quotes, line breaks, NUL', ` "\\'\n\0;--`],
  ])('is an opaque string: %s', async (_what, sessionID) => {
    await expectRefused(server, { path: '/wallet/authenticate', body: { sessionID } }, 'ERR_IS');
    await rename(await server.newSession(), sessionID);
    // That it was unknown is remembered for a second.
    const balance = async () => (await server.post('/wallet/authenticate', { sessionID })).body.balance?.amount;
    await expect.poll(balance, { timeout: 20_000 }).toBe(OPENING);
  });

  test.each(ENDPOINTS)('of 0 and of 257 characters is ERR_VAL: $path', async ({ path, more }) => {
    await expectRefused(server, { path, body: { sessionID: '', ...more } }, 'ERR_VAL');
    await expectRefused(server, { path, body: { sessionID: 'y'.repeat(257), ...more } }, 'ERR_VAL');
  });

  test('is matched exactly', async () => {
    const sessionID = await server.liveSession();
    for (const near of [` ${sessionID}`, `${sessionID} `, `${sessionID}\0`, sessionID.slice(0, -1)]) {
      await expectRefused(server, { path: '/wallet/balance', body: { sessionID: near } }, 'ERR_IS');
    }
  });

  test('is a credential: the database keeps only its SHA-256', async () => {
    const sessionID = await server.liveSession();
    await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }, { 'Idempotency-Key': 'key' });
    await server.post('/bet/event', { sessionID, event: 'picked:1' });
    const tables = await server.db.$queryRaw<{ name: string }[]>`
      SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['sessions', 'rounds', 'round_events']));
    const needles = [sessionID, Buffer.from(sessionID).toString('hex')];
    for (const { name } of tables) {
      const rows = await server.db.$queryRawUnsafe<{ text: string }[]>(`SELECT t::text AS text FROM "${name}" t`);
      const found = rows.filter(({ text }) => needles.some((needle) => text.includes(needle)));
      expect(found, name).toEqual([]);
    }
    expect((await snapshot(server, sessionID)).session).not.toBeNull();
  });

  test('the logs never hold it, whatever goes wrong', async () => {
    const sessionID = await server.liveSession();
    const asQuery = `?sessionID=${sessionID}`;
    for (const { path, more } of ENDPOINTS) {
      await server.post(path, { sessionID, ...more });
      await server.post(path, { sessionID, ...more, amount: 'x', event: '' });
      await server.post(path, `{"sessionID":"${sessionID}",`);
      await server.post(path + asQuery, { sessionID, ...more });
    }
    await server.send(`/fixture/1.0.0/index.html${asQuery}`);
    await server.send(`/nowhere${asQuery}`, { headers: { Referer: `${server.url}/${asQuery}`, Cookie: sessionID } });
    await withRenamed(server, { kind: 'TABLE', name: 'sessions' }, async () => {
      for (const { path, more } of ENDPOINTS) {
        await server.post(path, { sessionID, ...more });
        const { body } = await server.post(path, { sessionID: `${sessionID}-unknown`, ...more });
        expect(body.error).toBe('ERR_GEN');
      }
    });
    const { headers } = await server.post('/wallet/balance', { sessionID });
    await expect.poll(() => server.logLines.join('')).toContain(headers.get('x-request-id'));
    expect(server.logLines.join('')).toContain('request failed');
    expect(server.logLines.filter((line) => line.includes(sessionID))).toEqual([]);
  });
});

describe('Session: states', () => {
  const stateOf = async (sessionID: string) => (await snapshot(server, sessionID)).session?.state;

  test('issued → authenticated → revoked, which is the end', async () => {
    const sessionID = await server.newSession();
    expect(await stateOf(sessionID)).toBe('issued');
    await server.post('/wallet/authenticate', { sessionID });
    expect(await stateOf(sessionID)).toBe('authenticated');
    await revoke(server, sessionID);
    for (const { path, more } of ENDPOINTS) {
      await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
    }
    expect(await stateOf(sessionID)).toBe('revoked');
  });

  test.each(AFTER_AUTHENTICATE)('until the first successful authenticate $path is ERR_IS', async ({ path, more }) => {
    const token = `not-yet-${path}`;
    const sessionID = await server.newSession({ token });
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
    // An authenticate that fails does not count: neither the session's own nor that of another.
    await revoke(server, sessionID);
    await expectRefused(server, { path: '/wallet/authenticate', body: { sessionID } }, 'ERR_IS');
    await server.db.$executeRaw`UPDATE sessions SET state = 'issued' WHERE token_sha256 = ${sha256Of(sessionID)}`;
    await server.liveSession({ token });
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
  });

  test('the state lives in the database: any node answers alike, also one that has seen the session before', async () => {
    const node = await server.startNode();
    const nodes = [server, { ...checkedClient(node.url), db: server.db }];
    const sessionID = await server.newSession();
    const call = { path: '/wallet/balance', body: { sessionID } };
    for (const each of nodes) await expectRefused(each, call, 'ERR_IS');
    await nodes[1]?.post('/wallet/authenticate', { sessionID });
    for (const each of nodes) expect((await each.post(call.path, call.body)).status).toBe(200);

    await server.playBook(sessionID, BOOK.pays150);
    const ended = await nodes[1]?.post('/wallet/end-round', { sessionID });
    expect(ended?.body.balance.amount).toBe(OPENING + 500_000);
    for (const each of nodes) {
      expect((await each.post(call.path, call.body)).body.balance.amount).toBe(OPENING + 500_000);
    }
    await revoke(server, sessionID);
    for (const each of nodes) await expectRefused(each, call, 'ERR_IS');
    await node.close();
  });
});

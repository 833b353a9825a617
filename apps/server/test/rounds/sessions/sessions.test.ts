import { afterEach, describe, expect, it } from 'vitest';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { setLoginExpiry } from '../../../src/store/rounds/players.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { ENDPOINT_NAMES, useGoodCalls } from '../../support/goodCalls.ts';
import { endLifetime, HOUR_MS, idleFor, MINUTE_MS, revoke } from '../../support/moveTime.ts';
import { expectAllRefused, expectRefused, snapshot, withRenamed } from '../../support/snapshot.ts';
import { ENDPOINTS, OPERATOR, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const calls = useGoodCalls(server);

const DEFAULTS = { sessionTimeoutMs: 30 * MINUTE_MS, sessionLifetimeMs: 24 * HOUR_MS };
afterEach(() => setOperator(server.db, OPERATOR, { ...DEFAULTS, allowedCountries: [], blockedCountries: [] }));

const [, ...AFTER_AUTHENTICATE] = ENDPOINTS;

describe('a sessionID', () => {
  it.each(ENDPOINT_NAMES)('is ERR_IS unless it is exactly one that was issued, at %s', async (name) => {
    const { path, body } = calls[name];
    const issued = body.sessionID;
    const swapped = issued.replace(/[a-z]/i, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    );
    const close = [`${issued} `, ` ${issued}`, `${issued}\u0000`, issued.slice(0, -1), swapped];
    const others = ['s', '🎰'.repeat(256), '\u0000', '\u0000:', 'house\u0000:x', '%', "' OR '1'='1", '__proto__'];
    for (const sessionID of [...close, ...others])
      await expectRefused(server, { path, body: { ...body, sessionID } }, 'ERR_IS', 'session');
  });

  it('that names what no database can hold leaves the look-ups beside it alone', async () => {
    const sessionIDs = await Promise.all(Array.from({ length: 20 }, () => server.liveSession()));
    // The node looks each of them up, and several in one batch.
    const node = await server.startNode();
    const both = sessionIDs.flatMap((sessionID, index) => [node.balance(`\u0000:${index}`), node.balance(sessionID)]);
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses).toEqual(sessionIDs.flatMap(() => [400, 200]));
  });

  it('is a credential: the database keeps only its SHA-256', async () => {
    const sessionID = await server.liveSession();
    await server.play(sessionID, {}, 'key');
    await server.record(sessionID, 'picked:1');
    const tables = await server.db.$queryRaw<{ name: string }[]>`
      SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['sessions', 'rounds', 'round_events']));
    const needles = [sessionID, Buffer.from(sessionID).toString('hex')];
    for (const { name } of tables) {
      const rows = await server.db.$queryRawUnsafe<{ text: string }[]>(`SELECT t::text AS text FROM "${name}" t`);
      const found = rows.filter(({ text }) => needles.some((needle) => text.includes(needle)));
      expect(found, name).toEqual([]);
    }
    expect((await snapshot(server, sessionID)).session).toBeDefined();
  });

  it('is never in the log, also when requests fail', async () => {
    const sessionID = await server.liveSession();
    await withRenamed(server, { kind: 'TABLE', name: 'sessions' }, async () => {
      for (const { path, more } of ENDPOINTS) {
        await server.post(`${path}?sessionID=${sessionID}`, { sessionID, ...more });
        const { body } = await server.post(path, { sessionID: `${sessionID}-unknown`, ...more });
        expect(body.error).toBe('ERR_GEN');
      }
    });
    const { headers } = await server.post('/wallet/balance', `{"sessionID":"${sessionID}",`);
    await expect.poll(() => server.logLines.join('')).toContain(headers.get('x-request-id'));
    expect(server.logLines.join('')).toContain('request failed');
    expect(server.logLines.filter((line) => line.includes(sessionID))).toEqual([]);
  });
});

describe('a session', () => {
  const stateOf = async (sessionID: string) => (await snapshot(server, sessionID)).session?.state;

  it('is issued, then authenticated, then revoked, which is the end', async () => {
    const sessionID = await server.newSession();
    await expectAllRefused(server, sessionID, 'ERR_IS', AFTER_AUTHENTICATE);
    expect(await stateOf(sessionID)).toBe('issued');
    await server.authenticate(sessionID);
    expect(await stateOf(sessionID)).toBe('authenticated');
    await revoke(server, sessionID);
    await expectAllRefused(server, sessionID, 'ERR_IS');
    expect(await stateOf(sessionID)).toBe('revoked');
  });

  it('is not authenticated by an authenticate that fails, nor by another session of the player', async () => {
    const token = 'not-yet';
    const sessionID = await server.newSession({ token });
    await revoke(server, sessionID);
    await expectRefused(server, { path: '/wallet/authenticate', body: { sessionID } }, 'ERR_IS');
    await server.db.$executeRaw`UPDATE sessions SET state = 'issued' WHERE token_sha256 = ${sha256Of(sessionID)}`;
    await server.playBook(await server.liveSession({ token }), BOOK.pays150);
    await expectAllRefused(server, sessionID, 'ERR_IS', AFTER_AUTHENTICATE);
  });

  it('is ERR_ATE when the login of the player has expired', async () => {
    const externalID = 'expired';
    const sessionID = await server.liveSession({ token: externalID });
    const player = { operatorCode: OPERATOR, externalID };
    expect(await setLoginExpiry(server.db, player, new Date(Date.now() - 1))).toBe(true);
    await expectAllRefused(server, sessionID, 'ERR_ATE');
    const inEuro = await server.newSession({ token: externalID, currency: 'EUR' });
    await expectRefused(server, { path: '/wallet/authenticate', body: { sessionID: inEuro } }, 'ERR_ATE');
    for (const expiry of [new Date(Date.now() + HOUR_MS), null]) {
      await setLoginExpiry(server.db, player, expiry);
      expect(await server.isAlive(sessionID)).toBe(true);
    }
  });

  it('is ERR_LOC from a blocked country, and from one that is not allowed', async () => {
    const swede = await server.liveSession({ country: 'SE' });
    const finn = await server.liveSession({ country: 'fi' });
    const nowhere = await server.liveSession();
    const expectRefusedIn = async (lists: object, refused: string[]) => {
      await setOperator(server.db, OPERATOR, { allowedCountries: [], blockedCountries: [], ...lists });
      for (const sessionID of [swede, finn, nowhere]) {
        if (refused.includes(sessionID)) await expectAllRefused(server, sessionID, 'ERR_LOC');
        else expect(await server.isAlive(sessionID)).toBe(true);
      }
    };
    await expectRefusedIn({ blockedCountries: ['SE'] }, [swede]);
    await expectRefusedIn({ allowedCountries: ['FI', 'NO'] }, [swede, nowhere]);
    await expectRefusedIn({ allowedCountries: ['FI', 'NO'], blockedCountries: ['FI'] }, [swede, finn, nowhere]);
  });
});

describe('the session time-out', () => {
  it('is 30 minutes by default', async () => {
    const sessionID = await server.liveSession();
    await idleFor(server, sessionID, 29.5 * MINUTE_MS);
    expect(await server.isAlive(sessionID)).toBe(true);
    await idleFor(server, sessionID, 0.5 * MINUTE_MS);
    await expectRefused(server, { path: '/wallet/balance', body: { sessionID } }, 'ERR_IS');
  });

  it('is set per operator, and holds for sessions that are there already', async () => {
    const sessionID = await server.liveSession();
    await idleFor(server, sessionID, MINUTE_MS);
    for (const minutes of [1, 2]) {
      await setOperator(server.db, OPERATOR, { sessionTimeoutMs: minutes * MINUTE_MS });
      expect(await server.isAlive(sessionID)).toBe(minutes === 2);
    }
  });

  const READS = ['/wallet/balance', '/bet/history', '/bet/grants'];
  it.each(ENDPOINTS)('counts from the last request, unless it only reads: $path', async ({ path, more }) => {
    const sessionID = await server.liveSession();
    if (path !== '/wallet/play') await server.playBook(sessionID, BOOK.pays150);
    await idleFor(server, sessionID, 20 * MINUTE_MS);
    expect((await server.post(path, { sessionID, ...more })).status).toBe(200);
    await idleFor(server, sessionID, 20 * MINUTE_MS);
    expect(await server.isAlive(sessionID)).toBe(!READS.includes(path));
  });

  it.each(ENDPOINTS)('is that of each session, when two of a player take turns: $path', async ({ path, more }) => {
    const token = `two at ${path}`;
    const [first, second] = [await server.liveSession({ token }), await server.liveSession({ token })];
    if (path !== '/wallet/play') await server.playBook(second, BOOK.pays150);
    for (const sessionID of [first, second]) await idleFor(server, sessionID, 20 * MINUTE_MS);
    await server.authenticate(first);
    expect((await server.post(path, { sessionID: second, ...more })).status).toBe(200);
    await idleFor(server, first, 20 * MINUTE_MS);
    expect(await server.isAlive(first)).toBe(true);
    await idleFor(server, first, 10 * MINUTE_MS);
    expect([await server.isAlive(first), await server.isAlive(second)]).toEqual([false, true]);
  });

  it('is not extended by a request that is refused', async () => {
    const sessionID = await server.liveSession();
    await idleFor(server, sessionID, 20 * MINUTE_MS);
    const body = { sessionID, amount: UNIT, mode: 'NONE', event: 'early' };
    for (const path of ['/wallet/play', '/wallet/end-round', '/bet/event'])
      await expectRefused(server, { path, body }, 'ERR_VAL');
    await idleFor(server, sessionID, 20 * MINUTE_MS);
    expect(await server.isAlive(sessionID)).toBe(false);
  });
});

describe('the lifetime of a session', () => {
  it('ends it finally, also for authenticate', async () => {
    const sessionID = await server.liveSession();
    await endLifetime(server, sessionID);
    await expectAllRefused(server, sessionID, 'ERR_IS');
  });

  it('is set per operator, when the session is issued', async () => {
    const lifetimeOf = async () => {
      const sessionID = await server.newSession();
      const [row] = await server.db.$queryRaw<{ ms: number }[]>`
        SELECT (extract(epoch FROM expires_at - created_at) * 1000)::float AS ms FROM sessions ORDER BY id DESC LIMIT 1`;
      expect((await server.authenticate(sessionID)).status).toBe(200);
      return Math.round((row?.ms ?? 0) / MINUTE_MS) * MINUTE_MS;
    };
    expect(await lifetimeOf()).toBe(24 * HOUR_MS);
    await setOperator(server.db, OPERATOR, { sessionLifetimeMs: HOUR_MS });
    expect(await lifetimeOf()).toBe(HOUR_MS);
  });
});

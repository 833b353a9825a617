import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { expectBooksBalance, startTestServer, type TestServer } from '../support/testServer.ts';

const LIMITS = { connectMs: 3_000, statementMs: 3_000, silenceMs: 1_500 };
/** It is far above the sum of the limits, and far below the time-outs of the system. */
const BOUND_MS = 10_000;

let proxy: TestServer['proxy'];
let server: TestServer;
let direct: Database;

beforeAll(async () => {
  server = await startTestServer({ limits: LIMITS, proxied: true });
  proxy = server.proxy;
  direct = openDatabase({ url: server.databaseUrl });
});
afterEach(() => proxy.speak());
afterAll(async () => {
  await expectBooksBalance(direct);
  await direct.$disconnect();
  await server.close();
});

async function timed<Value>(work: Promise<Value>): Promise<{ value: Value; ms: number }> {
  const startedMs = performance.now();
  return { value: await work, ms: performance.now() - startedMs };
}

const readyz = () => fetch(`${server.url}/readyz`);
const ready = async () => (await readyz()).status;
const play = (sessionID: string, key?: string) => server.play(sessionID, { mode: 'AUTO' }, key);
const playAll = async (sessions: string[]) => Promise.all(sessions.map((sessionID) => play(sessionID)));
/** Opens a session whose next play loses and closes itself, and counts the rounds. */
async function losingSession() {
  const sessionID = await server.liveSession();
  await server.post('/game/force', { sessionID, mode: 'AUTO', bookID: BOOK.pays0 });
  return { sessionID, rounds: await direct.round.count() };
}
/** Opens a pool of one connection; `pid` is the process of PostgreSQL at its other end. */
function oneConnection() {
  const one = openDatabase({ url: proxy.url, connections: 1, limits: LIMITS });
  onTestFinished(() => one.$disconnect());
  const pid = () => one.pool.query('SELECT pg_backend_pid() AS pid').then(({ rows }) => rows[0].pid);
  return { one, pid };
}

it('a database that goes silent under plays: each is ERR_GEN in time, and the next ones find new connections', async () => {
  const sessions: string[] = [];
  while (sessions.length < 12) sessions.push(await server.liveSession());
  expect((await playAll(sessions)).map(({ status }) => status)).toEqual(sessions.map(() => 200));
  for (const sessionID of sessions) await server.endRound(sessionID);

  proxy.silence();
  const [plays, probe, unknownSession] = await Promise.all([
    timed(playAll(sessions)),
    timed(ready()),
    timed(server.authenticate('never seen')),
  ]);
  expect(plays.value.map(({ status, body }) => [status, body.error])).toEqual(sessions.map(() => [500, 'ERR_GEN']));
  expect(plays.value.map(({ headers }) => headers.get('retry-after'))).toEqual(sessions.map(() => '2'));
  expect(plays.ms).toBeLessThan(BOUND_MS);
  expect(probe.value).toBe(503);
  expect(probe.ms).toBeLessThan(2_000);
  expect(unknownSession.value.body.error).toBe('ERR_GEN');
  expect(unknownSession.ms).toBeLessThan(BOUND_MS);

  proxy.speak();
  await expect.poll(ready, { timeout: BOUND_MS }).toBe(200);
  expect((await playAll(sessions)).map(({ status }) => status)).toEqual(sessions.map(() => 200));
});

it('while no database takes writes the node is not ready, and a play waits for one', async () => {
  const sessionID = await server.liveSession();
  proxy.silence();
  await expect
    .poll(async () => (await readyz()).json(), { timeout: BOUND_MS })
    .toEqual({ status: 'no database takes writes' });
  const waiting = play(sessionID);
  proxy.speak();
  expect((await waiting).status).toBe(200);
});

it.each([undefined, 'lost on the way'])(
  'a response of the database that is lost on the way: the player gets the round that was opened, with key %s',
  async (key) => {
    const { sessionID, rounds } = await losingSession();
    proxy.loseResponses();
    const { status, body } = await play(sessionID, key);
    expect([status, await direct.round.count()]).toEqual([200, rounds + 1]);
    const last = await direct.round.findFirst({ orderBy: { id: 'desc' } });
    expect(body.round.betID).toBe(Number(last?.id));
  },
);

it('a play whose statement arrives late, after it was sent again, is one round', async () => {
  const { sessionID, rounds } = await losingSession();
  const arrive = proxy.holdRequests();
  expect((await play(sessionID)).status).toBe(200);
  await arrive();
  expect(await direct.round.count()).toBe(rounds + 1);
});

it('a transaction that meets silence leaves no connection behind that still owes a response', async () => {
  const { one } = oneConnection();
  await one.$queryRaw`SELECT 1`;
  proxy.silence();
  const { ms } = await timed(expect(one.$transaction([one.operator.count(), one.game.count()])).rejects.toThrow());
  expect(ms).toBeLessThan(BOUND_MS);
  proxy.speak();
  expect(await one.operator.count()).toBe(1);
});

it('a connection that is idle for longer than the time-out is used as ever, and watched as ever', async () => {
  const { pid } = oneConnection();
  const first = await pid();
  await wait(2 * LIMITS.silenceMs);
  expect(await pid()).toBe(first);
  proxy.silence();
  await expect(pid()).rejects.toThrow('the database has not answered for 1500 ms');
});

it('a connection that works is kept when the database has no time for new ones', async () => {
  const { one, pid } = oneConnection();
  const first = await pid();
  proxy.silenceNew();
  one.writer.suspect();
  // The look that this causes takes 2 s at most.
  for (const since = performance.now(); performance.now() - since < 3_000; ) expect(await pid()).toBe(first);
  expect(one.writer.isKnown).toBe(true);
});

it.each([
  ['takes too long', 'SELECT pg_sleep(30)', 'statement timeout'],
  ['waits too long for a lock', 'LOCK TABLE operators', 'lock timeout'],
])('a statement that %s is ended by PostgreSQL itself', async (_, statement, why) => {
  const impatient = openDatabase({ url: server.databaseUrl, limits: { ...LIMITS, statementMs: 200 } });
  await direct.$transaction(async (holder) => {
    await holder.$executeRaw`LOCK TABLE operators`;
    const waiting = impatient.$transaction((own) => own.$executeRawUnsafe(statement));
    await expect(waiting).rejects.toThrow(`canceling statement due to ${why}`);
  });
  await impatient.$disconnect();
});

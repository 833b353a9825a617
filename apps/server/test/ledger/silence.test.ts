import { setTimeout as wait } from 'node:timers/promises';
import { NO_LIMITS, retryConflicts, type WriterChange } from '@roundhouse/service';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { startSilentProxy } from '../support/silentProxy.ts';
import { expectBooksBalance, startTestServer, type TestServer } from '../support/testServer.ts';

const LIMITS = { connectMs: 10_000, statementMs: 60_000, silenceMs: 1_500, awayMs: 30_000 };
/** The watch looks at the connections this often. */
const TICK_MS = 250;

let proxy: TestServer['proxy'];
let server: TestServer;
let direct: Database;

beforeAll(async () => {
  // The time for which a connection is silent passes when a test says so, not because others use
  // the machine.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server = await startTestServer({ limits: LIMITS, proxied: true });
  proxy = server.proxy;
  direct = openDatabase({ url: server.databaseUrl });
});
afterEach(() => proxy.speak());
afterAll(async () => {
  await expectBooksBalance(direct);
  await direct.$disconnect();
  await server.close();
  vi.useRealTimers();
});

/** The first tick only sees what has arrived before. */
const endSilent = () => vi.advanceTimersByTime(TICK_MS + LIMITS.silenceMs);

/** Lets time pass for the connections, none of which responds, until the work has ended. */
async function whileSilent<Value>(work: Promise<Value>): Promise<Value> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  for (; !isOver; await wait(10)) vi.advanceTimersByTime(TICK_MS);
  return work;
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

it('a database that goes silent under plays: each is ERR_GEN, and the next ones find new connections', async () => {
  const sessions: string[] = [];
  while (sessions.length < 12) sessions.push(await server.liveSession());
  expect((await playAll(sessions)).map(({ status }) => status)).toEqual(sessions.map(() => 200));
  for (const sessionID of sessions) await server.endRound(sessionID);

  proxy.silence();
  // The probe waits for none of the limits: no time passes for the connections yet.
  expect(await ready()).toBe(503);
  const [plays, unknownSession] = await whileSilent(
    Promise.all([playAll(sessions), server.authenticate('never seen')]),
  );
  expect(plays.map(({ status, body }) => [status, body.error])).toEqual(sessions.map(() => [500, 'ERR_GEN']));
  expect(plays.map(({ headers }) => headers.get('retry-after'))).toEqual(sessions.map(() => '2'));
  expect(unknownSession.body.error).toBe('ERR_GEN');

  proxy.speak();
  await expect.poll(ready).toBe(200);
  expect((await playAll(sessions)).map(({ status }) => status)).toEqual(sessions.map(() => 200));
});

it('while no database takes writes the node is not ready, and a play waits for one', async () => {
  const sessionID = await server.liveSession();
  proxy.silence();
  const states = async () => {
    vi.advanceTimersByTime(TICK_MS);
    return (await readyz()).json();
  };
  await expect.poll(states).toEqual({ status: 'no database takes writes' });
  const waiting = play(sessionID);
  proxy.speak();
  expect((await waiting).status).toBe(200);
});

it.each([undefined, 'lost on the way'])(
  'a response of the database that is lost on the way: the player gets the round that was opened, with key %s',
  async (key) => {
    const { sessionID, rounds } = await losingSession();
    proxy.loseResponses();
    const playing = play(sessionID, key);
    await expect.poll(() => direct.round.count()).toBe(rounds + 1);
    endSilent();
    const { status, body } = await playing;
    expect([status, await direct.round.count()]).toEqual([200, rounds + 1]);
    const last = await direct.round.findFirst({ orderBy: { id: 'desc' } });
    expect(body.round.betID).toBe(Number(last?.id));
  },
);

it('a play whose statement arrives late, after it was sent again, is one round', async () => {
  const { sessionID, rounds } = await losingSession();
  const arrive = proxy.holdRequests();
  const playing = play(sessionID);
  await expect.poll(() => server.db.pool.totalCount - server.db.pool.idleCount).toBe(1);
  endSilent();
  expect((await playing).status).toBe(200);
  await arrive();
  expect(await direct.round.count()).toBe(rounds + 1);
});

it('a transaction that meets silence leaves no connection behind that still owes a response', async () => {
  const { one } = oneConnection();
  await one.$queryRaw`SELECT 1`;
  proxy.silence();
  await whileSilent(expect(one.$transaction([one.operator.count(), one.game.count()])).rejects.toThrow());
  proxy.speak();
  expect(await one.operator.count()).toBe(1);
});

it('a connection that is idle for longer than the time-out is used as ever, and watched as ever', async () => {
  const { pid } = oneConnection();
  const first = await pid();
  vi.advanceTimersByTime(2 * LIMITS.silenceMs);
  expect(await pid()).toBe(first);
  proxy.silence();
  await whileSilent(expect(pid()).rejects.toThrow('the database has not answered for 1500 ms'));
});

it('a connection that works is kept when the database has no time for new ones', async () => {
  const { one, pid } = oneConnection();
  const first = await pid();
  proxy.silenceNew();
  one.writer.suspect();
  let hasLooked = false;
  // It waits for the look.
  const looking = one.writer.ready(performance.now() + 60_000).finally(() => {
    hasLooked = true;
  });
  while (!hasLooked) expect(await pid()).toBe(first);
  await looking;
  expect(one.writer.isKnown).toBe(true);
});

it('once no database has taken writes for its time, nobody waits for one, however long a caller might', async () => {
  const own = await startSilentProxy(server.databaseUrl);
  const limits = { ...LIMITS, connectMs: 3_600_000, awayMs: 100 };
  const db = openDatabase({ url: own.url, connections: 1, limits });
  onTestFinished(() => db.$disconnect());
  const changes: WriterChange[] = [];
  db.writer.onChange = (change) => void changes.push(change);
  const read = () => retryConflicts(() => db.pool.query('SELECT 1'), db.pool);
  await read();
  expect(db.writer.known.aborted).toBe(false);
  await own.close();
  await expect(read()).rejects.toThrow();
  await expect(read()).rejects.toThrow('no database takes writes');
  await expect(db.$queryRaw`SELECT 1`).rejects.toThrow();
  expect(db.writer.known.aborted).toBe(true);
  expect(changes).toMatchObject([{ host: undefined, why: expect.stringContaining('ECONNREFUSED') }]);
});

it('the same database is recognised when it is back after its network was cut', async () => {
  const { one } = oneConnection();
  const changes: WriterChange[] = [];
  one.writer.onChange = (change) => void changes.push(change);
  await one.$queryRaw`SELECT 1`;
  proxy.silence();
  one.writer.suspect();
  await expect.poll(() => changes.length).toBe(1);
  proxy.speak();
  await expect.poll(() => changes).toMatchObject([{ host: undefined }, { kind: 'returned' }]);
});

it.each([
  ['ends a statement that takes or waits too long', { ...LIMITS, statementMs: 8_000 }, '8s 7s 8s'],
  ['ends nothing that has no limits', NO_LIMITS, '0 0 0'],
])('PostgreSQL itself %s', async (_, limits, expected) => {
  const limited = openDatabase({ url: server.databaseUrl, limits });
  onTestFinished(() => limited.$disconnect());
  const { rows } = await limited.pool.query(`
    SELECT concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
      current_setting('idle_in_transaction_session_timeout')) AS settings`);
  expect(rows).toEqual([{ settings: expected }]);
});

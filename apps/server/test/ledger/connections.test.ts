import { startTemporaryPostgres } from '@roundhouse/dev-postgres';
import { openClient } from '@roundhouse/service';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { migrate } from '../../src/ledger/migrate.ts';
import { lockAccount } from '../support/accountLock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { BET, type LedgerPlayer, openPlayers } from '../support/ledgerPlayers.ts';
import { expectBooksBalance, startTestServer } from '../support/testServer.ts';

let database: TestDatabase;
let db: Database;
let ledger: Ledger;
let players: LedgerPlayer[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, connections: 2 });
  players = await openPlayers(db, 3);
});
beforeEach(() => {
  ledger = createLedger(db);
});
afterAll(async () => {
  await expectBooksBalance(db);
  await db.$disconnect();
  await database.drop();
});

const play = (player: LedgerPlayer) => ledger.openRound({ ...BET, ...player });

test('a connection prepares each command once, whatever the size of its batch', async () => {
  const one = openDatabase({ url: database.url, connections: 1 });
  const itsLedger = createLedger(one);
  for (const count of [1, 3, 2])
    await Promise.all(players.slice(0, count).map((player) => itsLedger.readBalance(player)));
  const { rows } = await one.pool.query(
    'SELECT name, generic_plans + custom_plans AS runs FROM pg_prepared_statements WHERE NOT from_sql',
  );
  expect(rows).toEqual([{ name: 'read_balances', runs: '3' }]);
  await one.$disconnect();
});

test('texts reach the database as they are', async () => {
  const [player] = players as [LedgerPlayer];
  const opened = await ledger.openRound({ ...BET, ...player, autoClose: false });
  expect(opened.ok).toBe(true);
  const awkward = fc.oneof(
    fc.constantFrom('NULL', 'null', '', ' ', '{}', '{a,b}', '"', '\\', '\\"', "'", ',', '\n', 'ä€😀'),
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
  );
  await fc.assert(
    fc.asyncProperty(awkward, async (event) => {
      expect(await ledger.recordEvent({ ...player, event })).toEqual({ ok: true });
      const last = await db.roundEvent.findFirst({ orderBy: { seq: 'desc' } });
      expect(last?.event).toBe(event);
    }),
    { numRuns: 50 },
  );
  await ledger.closeRound(player);
});

describe('a connection that breaks', () => {
  test('fails its batch whole, and the next batch gets another one', async () => {
    const [first, second] = players as [LedgerPlayer, LedgerPlayer];
    const rounds = await db.round.count();
    const account = await lockAccount(database.url, 'player-0');
    const batch = Promise.allSettled([play(first), play(second)]);
    await account.untilWaiting(1);
    await terminate("wait_event_type = 'Lock'");
    expect((await batch).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await account.release();
    expect(await db.round.count()).toBe(rounds);
    expect(await Promise.all([play(first), play(second)])).toMatchObject([{ ok: true }, { ok: true }]);
  });

  test('while nobody uses it is replaced without anybody noticing', async () => {
    await Promise.all(players.map(play));
    const gone = new Promise((resolve) => db.pool.once('remove', resolve));
    await terminate("application_name = 'roundhouse'");
    await gone;
    expect(await Promise.all(players.map(play))).toMatchObject(players.map(() => ({ ok: true })));
  });

  test('for the function itself has changed under it is not used again', async () => {
    const [player] = players as [LedgerPlayer];
    const one = openDatabase({ url: database.url, connections: 1 });
    const itsLedger = createLedger(one);
    const { balance } = (await itsLedger.readBalance(player)) as { balance: number };
    await db.$executeRawUnsafe('ALTER FUNCTION read_balances RENAME TO read_balances_before');
    await db.$executeRawUnsafe(`CREATE FUNCTION read_balances(_session_row_id bigint[]) RETURNS TABLE (ordinal bigint, outcome text, balance_micros bigint, extra text)
      LANGUAGE sql AS $$ SELECT *, 'extra' FROM read_balances_before(_session_row_id) $$`);
    await expect(itsLedger.readBalance(player)).rejects.toThrow('cached plan must not change result type');
    expect(await itsLedger.readBalance(player)).toEqual({ ok: true, balance });
    await one.$disconnect();
    await db.$executeRawUnsafe('DROP FUNCTION read_balances');
    await db.$executeRawUnsafe('ALTER FUNCTION read_balances_before RENAME TO read_balances');
  });
});

test('$disconnect closes every connection, also where only commands have used the pool', async () => {
  const name = `only commands ${process.pid}`;
  const url = `${database.url}?application_name=${encodeURIComponent(name)}`;
  const other = openDatabase({ url });
  await createLedger(other).readBalance(players[0] as LedgerPlayer);
  await other.$disconnect();
  await other.$disconnect();
  expect(other.pool.totalCount).toBe(0);
});

test('a database that restarts while the server runs is used again as soon as it is back', async () => {
  const postgres = await startTemporaryPostgres();
  await migrate({ url: postgres.url });
  const restarted = openDatabase({ url: postgres.url });
  try {
    const itsPlayers = await openPlayers(restarted, 8);
    const itsLedger = createLedger(restarted);
    const playAll = () => Promise.all(itsPlayers.map((player) => itsLedger.openRound({ ...BET, ...player })));
    await playAll();
    // Commits of a test's PostgreSQL may still be in its memory.
    await restarted.pool.query('CHECKPOINT');
    // PostgreSQL ends all its processes and recovers from the log when one of them dies in this way.
    const { rows } = await restarted.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    process.kill(rows[0]?.pid as number, 'SIGKILL');
    const isBack = () =>
      playAll().then(
        () => true,
        () => false,
      );
    await expect.poll(isBack).toBe(true);
    expect(await playAll()).toMatchObject(itsPlayers.map(() => ({ ok: true })));
    await expectBooksBalance(restarted);
  } finally {
    await restarted.$disconnect();
    await postgres.stop();
  }
});

test('every connection is ended again and again while plays run: the server goes on, and no round is lost or doubled', async () => {
  const server = await startTestServer({ recovery: true });
  const sessions: string[] = [];
  while (sessions.length < 8) sessions.push(await server.liveSession());
  let answered = 0;
  let isOver = false;
  const playing = sessions.map(async (sessionID) => {
    while (!isOver) {
      const { status } = await server.post('/wallet/play', { sessionID, amount: 1_000_000, mode: 'BASE' });
      if (status === 200) answered += 1;
      await server.post('/wallet/end-round', { sessionID });
    }
  });
  const untilAnswered = (count: number) => expect.poll(() => answered).toBeGreaterThan(count);
  for (let time = 0; time < 5; time += 1) {
    await untilAnswered(answered + 10);
    await terminate('true', server.databaseUrl);
  }
  await untilAnswered(answered + 10);
  isOver = true;
  await Promise.all(playing);
  await expectBooksBalance(server.db);
  await server.close();
});

/** Ends the connections to a database of which this holds. */
async function terminate(condition: string, url = database.url): Promise<void> {
  const client = await openClient(url);
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`,
  );
  await client.end();
}

import { once } from 'node:events';
import { startTemporaryPostgres } from '@roundhouse/dev-postgres';
import { isConnectionLost, limitsOf, NO_LIMITS, openClient } from '@roundhouse/service';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { openDatabase, transactionLimitsOf } from '../../src/store/database/database.ts';
import { lockAccount } from '../support/accountLock.ts';
import { BET, type LedgerPlayer, openPlayers, useLedger } from '../support/ledgerPlay.ts';
import { expectBooksBalance } from '../support/testServer.ts';

const database = useLedger({ connections: 2, house: 3 });
afterAll(() => expectBooksBalance(database.db));

const first = () => database.players[0] as LedgerPlayer;
const playAll = (by: Ledger, all: LedgerPlayer[]) =>
  Promise.all(all.map(async (player) => (await by.openRound({ ...BET, ...player })).ok));
const allTrue = (count: number) => Array(count).fill(true);
/** Opens another pool, of one connection, until the end of the test. */
function oneConnection() {
  const one = openDatabase({ url: database.url, connections: 1 });
  onTestFinished(() => one.$disconnect());
  return { one, itsLedger: createLedger(one) };
}

/** Ends the connections to a database for which this holds. */
async function terminate(condition: string): Promise<void> {
  const client = await openClient(database.url);
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`,
  );
  await client.end();
}

it('a connection that has broken before its statement is sent counts as lost', async () => {
  const client = await database.db.pool.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const broken = once(client, 'error');
  await terminate(`pid = ${rows[0].pid}`);
  await broken;
  const error = await client.query('SELECT 1').catch((reason: unknown) => reason);
  client.release(true);
  expect(isConnectionLost(error), String(error)).toBe(true);
});

it('a connection prepares each command once, whatever the size of its batch', async () => {
  const { one, itsLedger } = oneConnection();
  for (const count of [1, 3, 2])
    await Promise.all(database.players.slice(0, count).map((player) => itsLedger.readBalance(player)));
  const { rows } = await one.pool.query(
    'SELECT name, generic_plans + custom_plans AS runs FROM pg_prepared_statements WHERE NOT from_sql',
  );
  expect(rows).toEqual([{ name: 'read_balances', runs: '3' }]);
});

it('a transaction may take as long as its connection may be silent, and that of a command an hour', () => {
  expect(transactionLimitsOf(limitsOf(8_000))).toEqual({ maxWait: 10_000, timeout: 10_000 });
  expect(transactionLimitsOf(NO_LIMITS)).toEqual({ maxWait: 10_000, timeout: 3_600_000 });
});

describe('a connection that breaks', () => {
  it('has its batch run again on another one, and each command is done once', async () => {
    const two = database.players.slice(0, 2);
    const rounds = await database.db.round.count();
    const account = await lockAccount(database.url, 'player-0');
    const batch = Promise.all(two.map((player) => database.ledger.openRound({ ...BET, ...player })));
    await account.untilWaiting(1);
    await terminate("wait_event_type = 'Lock'");
    await account.release();
    expect((await batch).map(({ ok }) => ok)).toEqual(allTrue(2));
    expect(await database.db.round.count()).toBe(rounds + 2);
  });

  it('is replaced while nobody uses it, and no play fails', async () => {
    const { pool, anonymous, leases } = database.db;
    const queryAll = () => Promise.all([pool, anonymous, leases].map((each) => each.query('SELECT 1')));
    await queryAll();
    const gone = [pool, anonymous, leases].map((each) => new Promise((resolve) => each.once('remove', resolve)));
    await terminate("application_name LIKE 'roundhouse%'");
    await Promise.all(gone);
    await queryAll();
    expect(await playAll(database.ledger, database.players)).toEqual(allTrue(3));
  });

  it('is not used again when its function has changed', async () => {
    const { itsLedger } = oneConnection();
    const before = await itsLedger.readBalance(first());
    await database.db.$executeRawUnsafe('ALTER FUNCTION read_balances RENAME TO read_balances_before');
    await database.db.$executeRawUnsafe(`CREATE FUNCTION read_balances(_session_row_id bigint[]) RETURNS TABLE (ordinal bigint, outcome text, balance_micros bigint, extra text)
      LANGUAGE sql AS $$ SELECT *, 'extra' FROM read_balances_before(_session_row_id) $$`);
    await expect(itsLedger.readBalance(first())).rejects.toThrow('cached plan must not change result type');
    expect(await itsLedger.readBalance(first())).toEqual(before);
    await database.db.$executeRawUnsafe('DROP FUNCTION read_balances');
    await database.db.$executeRawUnsafe('ALTER FUNCTION read_balances_before RENAME TO read_balances');
  });
});

it('$disconnect closes every connection, also where only commands have used the pool', async () => {
  const other = openDatabase({ url: database.url });
  await createLedger(other).readBalance(first());
  await other.$disconnect();
  await other.$disconnect();
  expect([other.pool, other.anonymous, other.leases].map(({ ended }) => ended)).toEqual(allTrue(3));
  expect(other.pool.totalCount).toBe(0);
});

it('a database that restarts while the server runs is used again as soon as it is back', async () => {
  const postgres = await startTemporaryPostgres({ copyOf: inject('templateFolder') });
  const restarted = openDatabase({ url: postgres.url });
  try {
    const itsPlayers = await openPlayers(restarted, 8);
    const itsLedger = createLedger(restarted);
    await playAll(itsLedger, itsPlayers);
    // Commits of a test's PostgreSQL may still be in its memory.
    await restarted.pool.query('CHECKPOINT');
    // When one of its processes is killed PostgreSQL ends all, and recovers from the log.
    const { rows } = await restarted.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    process.kill(rows[0]?.pid as number, 'SIGKILL');
    await expect.poll(() => playAll(itsLedger, itsPlayers).catch(() => [])).toEqual(allTrue(8));
    await expectBooksBalance(restarted);
  } finally {
    await restarted.$disconnect();
    await postgres.stop();
  }
});

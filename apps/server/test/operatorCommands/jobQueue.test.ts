import { openClient } from '@roundhouse/service';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { migrateJobQueue, startJobQueue } from '../../src/ledger/jobQueue.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { succeed } from '../support/roundhouse.ts';

const CALL_ID = '6f1d1a0e-93a1-4f0e-8c3d-0d6f2b1c7a55';
const PASSWORD = 'only for this test';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function run(url: string, sql: string): Promise<void> {
  const client = await openClient(url);
  await client.query(sql).finally(() => client.end());
}

/** A role that may do everything in this database, until `restrict`: then it may create nothing any more. */
async function roleIn(database: TestDatabase) {
  const name = new URL(database.url).pathname.slice(1);
  const role = `${name}_role`;
  await run(inject('databaseAdminUrl'), `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
  undo.push(() => run(inject('databaseAdminUrl'), `DROP ROLE ${role}`), database.drop);
  await run(database.url, `GRANT CREATE ON DATABASE ${name} TO ${role}; GRANT CREATE ON SCHEMA public TO ${role}`);
  const url = new URL(database.url);
  url.username = role;
  url.password = PASSWORD;
  return {
    url: url.href,
    restrict: () =>
      run(database.url, `REVOKE CREATE ON DATABASE ${name} FROM ${role}; REVOKE CREATE ON SCHEMA public FROM ${role}`),
  };
}

const start = (databaseUrl: string, handle: (transactionID: string) => Promise<void> = async () => {}) =>
  startJobQueue({ databaseUrl, concurrency: 4, handle, complain: () => {} });

describe('the job queue', () => {
  test('needs no right to create anything once `migrate` has run', async () => {
    const role = await roleIn(await createEmptyDatabase());
    await succeed(['migrate'], { env: { DATABASE_URL: role.url } });
    await role.restrict();
    await expect(run(role.url, 'CREATE SCHEMA another')).rejects.toThrow('permission denied');
    const handled: string[] = [];
    const queue = await start(role.url, async (transactionID) => void handled.push(transactionID));
    await queue.add([CALL_ID]);
    await expect.poll(() => handled).toEqual([CALL_ID]);
    await queue.stop();
  });

  test('needs it before', async () => {
    const role = await roleIn(await createEmptyDatabase());
    await role.restrict();
    await expect(start(role.url)).rejects.toThrow('permission denied for database');
  });

  test('is brought up to date once, however many do it at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      const database = await createEmptyDatabase();
      undo.push(database.drop);
      await Promise.all(Array.from({ length: 4 }, () => migrateJobQueue(database.url)));
    }
  });

  test('that is brought up to date survives that its connections are ended from outside', async () => {
    const database = await createEmptyDatabase();
    undo.push(database.drop);
    const other = await openClient(database.url);
    undo.push(() => other.end());
    for (let time = 0; time < 30; time += 1) {
      await migrateJobQueue(database.url);
      await other.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    }
  });
});

import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/store/database/database.ts';
import type { Prisma } from '../../src/store/generated/client.ts';
import { urlOfDatabase, withAdmin } from './globalSetup.ts';

/** Is a database of one test file. Other databases go with the run. */
export type TestDatabase = {
  url: string;
  drop(): Promise<unknown>;
};

/** Makes a migrated, empty database: a clone of the run's template takes tens of milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase({ template: inject('templateDatabase') });
}

/** Opens the one database of a test file, from before its first test until after its last. */
export function useDatabase(options: Partial<DatabaseOptions> = {}): { url: string; db: Database } {
  return useBetween({ begin: beforeAll, end: afterAll }, options);
}

/** Opens a new database for each test of a file. */
export function useDatabaseOfEachTest(): { url: string; db: Database } {
  return useBetween({ begin: beforeEach, end: afterEach });
}

type Hooks = { begin: typeof beforeAll | typeof beforeEach; end: typeof afterAll | typeof afterEach };

function useBetween({ begin, end }: Hooks, options: Partial<DatabaseOptions> = {}): { url: string; db: Database } {
  const used = {} as TestDatabase & { db: Database };
  begin(async () => {
    Object.assign(used, await createTestDatabase());
    used.db = openDatabase({ url: used.url, ...options });
  });
  end(async () => {
    await used.db?.$disconnect();
    await used.drop?.();
  });
  return used;
}

/** Wraps a transaction that has begun, for code that begins its own. */
export function databaseIn(tx: Prisma.TransactionClient): Database {
  return { $transaction: (work: (inner: Prisma.TransactionClient) => unknown) => work(tx) } as unknown as Database;
}

/** Makes a copy like a restored backup. The original may have no connections. */
export async function createCopy({ url }: Pick<TestDatabase, 'url'>): Promise<TestDatabase> {
  return createDatabase({ template: new URL(url).pathname.slice(1) });
}

/** Makes a database without any table, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase({ template: 'template0' });
}

async function createDatabase(options: { template: string }): Promise<TestDatabase> {
  const adminUrl = inject('databaseAdminUrl');
  const name = `${inject('templateDatabase')}_${randomBytes(4).toString('hex')}`;
  await withAdmin(adminUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${options.template}`));
  return {
    url: urlOfDatabase(adminUrl, name),
    drop: () => withAdmin(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

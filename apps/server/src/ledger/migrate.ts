import { randomUUID } from 'node:crypto';
import type { Client, DatabaseError } from 'pg';
import { openClient } from './connections.ts';
import { type MigrationFile, readMigrationFiles } from './migrationFiles.ts';

// Prisma's own key: so neither two of our servers nor `prisma migrate deploy` and a server migrate at the same time.
const PRISMA_ADVISORY_LOCK = 72_707_369;

// Word for word what Prisma's schema engine makes, so that `prisma migrate deploy` can go on from here.
const CREATE_PRISMA_MIGRATIONS = `
CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`;

/** The database and the migrations of this version do not fit together; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

export interface MigrateOptions {
  url: string;
  /** Another folder than prisma/migrations, for tests. */
  folder?: string;
  log?: (line: string) => void;
}

/** Brings the database up to this version: every pending migration, in order, each in one transaction of its own. */
export async function migrate({ url, folder, log = () => {} }: MigrateOptions): Promise<{ applied: string[] }> {
  const files = await readMigrationFiles(folder);
  return withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_ADVISORY_LOCK]);
    await client.query(CREATE_PRISMA_MIGRATIONS);
    const applied: string[] = [];
    for (const file of pendingOf(files, await readRecords(client))) {
      log(`applying migration ${file.name}`);
      await apply(client, file);
      applied.push(file.name);
    }
    return { applied };
  });
}

/** Names of the migrations that this database lacks, in order. Changes nothing. Throws MigrationError as `migrate` would. */
export async function pendingMigrations(url: string, folder?: string): Promise<string[]> {
  const files = await readMigrationFiles(folder);
  return withClient(url, async (client) => pendingOf(files, await readRecords(client)).map((file) => file.name));
}

interface MigrationRecord {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

/** What Prisma or we have written down, without what `prisma migrate resolve` has marked as rolled back. */
async function readRecords(client: Client): Promise<MigrationRecord[]> {
  const table = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there");
  if (!table.rows[0].there) return [];
  const { rows } = await client.query<MigrationRecord>(
    'SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  return rows;
}

function pendingOf(files: MigrationFile[], records: MigrationRecord[]): MigrationFile[] {
  const unfinished = records.find((record) => !record.finished);
  if (unfinished) {
    throw new MigrationError(
      `Migration ${unfinished.migration_name} was begun by another tool and failed: repair the database, then mark it with "prisma migrate resolve"`,
    );
  }
  const checksums = new Map(records.map((record) => [record.migration_name, record.checksum]));
  for (const file of files) {
    const checksum = checksums.get(file.name);
    if (checksum !== undefined && checksum !== file.checksum) {
      throw new MigrationError(
        `Migration ${file.name} was changed after this database applied it: restore the file, and put the change into a new migration`,
      );
    }
  }
  return files.filter((file) => !checksums.has(file.name));
}

async function apply(client: Client, file: MigrationFile): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(file.sql);
    // clock_timestamp for the end, since now() is the moment at which the transaction began.
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), file.checksum, file.name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw new MigrationError(
      `Migration ${file.name} failed and was rolled back: ${describe(error as DatabaseError, file.sql)}`,
      { cause: error },
    );
  }
}

function describe(error: DatabaseError, sql: string): string {
  if (error.position === undefined) return error.message;
  const line = sql.slice(0, Number(error.position)).split('\n').length;
  return `${error.message} (line ${line})`;
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = await openClient(url);
  try {
    return await work(client);
  } finally {
    // Ends the session, and with it the advisory lock.
    await client.end();
  }
}

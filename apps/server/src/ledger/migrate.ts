import { randomUUID } from 'node:crypto';
import { openClient } from '@roundhouse/service';
import type { Client, DatabaseError } from 'pg';
import { applyDefinitions, pendingDefinitions } from './definitions.ts';
import { MigrationError, sqlErrorText } from './migrationError.ts';
import { type MigrationFile, readSqlFiles } from './sqlFiles.ts';

// Prisma's own key: neither two of our servers nor `prisma migrate deploy` and a server migrate at
// once.
const PRISMA_ADVISORY_LOCK = 72_707_369;

// Word for word what Prisma's schema engine makes, so that `prisma migrate deploy` can go on from
// here.
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

export type MigrateOptions = {
  url: string;
  /** Another folder than prisma, for tests. */
  folder?: string;
};

/** Names of migrations, and paths of functions and views below prisma. */
export type MigrateResult = { applied: string[]; dropped: string[] };

/**
 * Brings the database up to this version: applies every pending migration, in order, each in one
 * transaction, then every changed function and view, all in one transaction. A migration that
 * changes what a view shows begins with DROP VIEW IF EXISTS; the view is created again afterwards.
 */
export async function migrate({ url, folder }: MigrateOptions): Promise<MigrateResult> {
  const { migrations, definitions } = await readSqlFiles(folder);
  return withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_ADVISORY_LOCK]);
    await client.query(CREATE_PRISMA_MIGRATIONS);
    const pending = pendingOf(migrations, await readRecords(client));
    for (const file of pending) await apply(client, file);
    const { applied, dropped } = await applyDefinitions(client, definitions);
    return { applied: [...pending.map((file) => file.name), ...applied], dropped };
  });
}

/** What `migrate` would apply. Changes nothing. Throws MigrationError as `migrate` does. */
export async function pendingMigrations(url: string, folder?: string): Promise<string[]> {
  const { migrations, definitions } = await readSqlFiles(folder);
  return withClient(url, async (client) => [
    ...pendingOf(migrations, await readRecords(client)).map((file) => file.name),
    ...(await pendingDefinitions(client, definitions)).map((file) => file.path),
  ]);
}

type MigrationRecord = { migration_name: string; checksum: string; finished: boolean };

/**
 * The migrations of the database, without those that `prisma migrate resolve` marked as rolled
 * back.
 */
async function readRecords(client: Client): Promise<MigrationRecord[]> {
  const table = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists");
  if (!table.rows[0].exists) return [];
  const { rows } = await client.query<MigrationRecord>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
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
  const [first] = files;
  const [oldest] = records;
  if (first !== undefined && oldest !== undefined && !checksums.has(first.name)) {
    throw new MigrationError(
      `This database has migration ${oldest.migration_name} of a pre-release of Roundhouse, which this version cannot upgrade: create a new database`,
    );
  }
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
      `Migration ${file.name} failed and was rolled back: ${sqlErrorText(error as DatabaseError, file.sql)}`,
      { cause: error },
    );
  }
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

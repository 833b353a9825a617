import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client, ClientBase, DatabaseError } from 'pg';

// This is the exact text of Prisma's schema engine, so that `prisma migrate deploy` can continue
// from here.
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

/** The database and the SQL files of this version do not match; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** A migration is one folder of prisma/migrations, in Prisma's own layout. */
export type MigrationFile = {
  /**
   * It is the folder's name, `<timestamp>_<what it does>`. Migrations are applied in the order of
   * their names.
   */
  name: string;
  sql: string;
  /** The SHA-256 of the file in hex, as Prisma stores it. */
  checksum: string;
};

export async function readSqlFile(file: string): Promise<{ sql: string; checksum: string }> {
  const sql = await readFile(file, 'utf8');
  return { sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

/** Reads the migrations of a folder, in the order of their names. */
export async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => ({ name, ...(await readSqlFile(path.join(folder, name, 'migration.sql'))) })),
  );
}

/**
 * Applies the migrations that the database lacks, in order, each in one transaction. Returns their
 * names. The caller holds a lock, and the first schema of the search path is where the tables
 * belong. Throws MigrationError.
 */
export async function applyMigrations(client: Client, files: readonly MigrationFile[]): Promise<string[]> {
  await client.query(CREATE_PRISMA_MIGRATIONS);
  const pending = await pendingMigrations(client, files);
  for (const file of pending) await apply(client, file);
  return pending.map((file) => file.name);
}

type MigrationRecord = { migration_name: string; checksum: string; finished: boolean };

/**
 * Returns the migrations that the database lacks, and changes nothing. Throws MigrationError when
 * they cannot be applied.
 */
export async function pendingMigrations(client: ClientBase, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  const records = await readRecords(client);
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
  for (const { name, checksum } of files) {
    const known = checksums.get(name);
    if (known !== undefined && known !== checksum) {
      throw new MigrationError(
        `Migration ${name} was changed after this database applied it: restore the file, and put the change into a new migration`,
      );
    }
  }
  return files.filter((file) => !checksums.has(file.name));
}

/**
 * Reads the migrations of the database, without those that `prisma migrate resolve` marked as
 * rolled back.
 */
async function readRecords(client: ClientBase): Promise<MigrationRecord[]> {
  const table = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists");
  if (!table.rows[0].exists) return [];
  const { rows } = await client.query<MigrationRecord>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations
     WHERE rolled_back_at IS NULL
     ORDER BY migration_name`,
  );
  return rows;
}

async function apply(client: Client, { name, sql, checksum }: MigrationFile): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    // The end takes clock_timestamp, since now() is the moment at which the transaction began.
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw new MigrationError(
      `Migration ${name} failed and was rolled back: ${sqlErrorText(error as DatabaseError, sql)}`,
      { cause: error },
    );
  }
}

/** Returns PostgreSQL's message, with the line of the SQL text where it names one. */
export function sqlErrorText(error: DatabaseError, sql: string): string {
  if (error.position === undefined) return error.message;
  const line = sql.slice(0, Number(error.position)).split('\n').length;
  return `${error.message} (line ${line})`;
}

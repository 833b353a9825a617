import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openClient } from '@roundhouse/service';
import type { Client } from 'pg';
import { SCHEMA } from './database.ts';

// So that two operators that start at once do not migrate at once. Not Prisma's own key: on a shared database that one belongs to
// the neighbour.
const ADVISORY_LOCK = 72_707_370;

// Word for word what Prisma's schema engine makes, so that `prisma migrate deploy` with ?schema=reference_operator can go on from here.
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

// The same distance from src/ledger, where tests run, and from dist/ledger.
const FOLDER = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url));

type Migration = { name: string; sql: string; checksum: string };

/** Makes the schema when it is not there, and applies what it lacks, in order, each migration in one transaction. */
export async function migrate(url: string): Promise<{ applied: string[] }> {
  const migrations = await readMigrations();
  const client = await openClient(url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await client.query(`SET search_path = ${SCHEMA}`);
    await client.query(CREATE_PRISMA_MIGRATIONS);
    const applied: string[] = [];
    for (const migration of await pendingOf(client, migrations)) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    // Ends the session, and with it the advisory lock.
    await client.end();
  }
}

async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(FOLDER, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function pendingOf(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const checksums = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  for (const { name, checksum } of migrations) {
    const known = checksums.get(name);
    if (known !== undefined && known !== checksum) {
      throw new Error(`Migration ${name} was changed after this database applied it: put the change into a new one`);
    }
  }
  return migrations.filter(({ name }) => !checksums.has(name));
}

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw new Error(`Migration ${name} failed and was rolled back: ${(error as Error).message}`, { cause: error });
  }
}

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  applyDefinitions,
  applyMigrations,
  openClient,
  pendingDefinitions,
  pendingMigrations as pendingOf,
  readSqlFiles,
} from '@roundhouse/service';
import type { Client, ClientBase } from 'pg';
import type { Database } from './database.ts';

// Prisma uses this key too, so no two of our servers migrate at once, and none beside `prisma
// migrate deploy`.
export const MIGRATE_LOCK = 72_707_369;

export type MigrateOptions = {
  url: string;
  /** Tests use another folder than prisma. */
  folder?: string;
};

/** Migrations have names; functions and views have paths below prisma. */
export type MigrateResult = { applied: string[]; dropped: string[] };

/**
 * Brings the database up to this version: applies every pending migration, in order, each in one
 * transaction, then every changed function and view, all in one transaction. A migration that
 * changes what a view shows begins with DROP VIEW IF EXISTS; the view is created again afterwards.
 */
export async function migrate({ url, folder = prismaFolder() }: MigrateOptions): Promise<MigrateResult> {
  const { migrations, definitions } = await readSqlFiles(folder);
  return withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATE_LOCK]);
    const names = await applyMigrations(client, migrations);
    const { applied, dropped } = await applyDefinitions(client, definitions);
    return { applied: [...names, ...applied], dropped };
  });
}

/** Returns what `migrate` would apply. Changes nothing. Throws MigrationError as `migrate` does. */
export async function pendingMigrations(url: string, folder = prismaFolder()): Promise<string[]> {
  return withClient(url, (client) => pendingIn(client, folder));
}

/** Returns the same of an open database, within its limits of time. */
export async function findPendingMigrations({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  const client = await pool.connect();
  try {
    return await pendingIn(client, prismaFolder());
  } finally {
    client.release();
  }
}

async function pendingIn(client: ClientBase, folder: string): Promise<string[]> {
  const { migrations, definitions } = await readSqlFiles(folder);
  return [
    ...(await pendingOf(client, migrations)).map((file) => file.name),
    ...(await pendingDefinitions(client, definitions)).map((file) => file.path),
  ];
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = await openClient(url);
  try {
    return await work(client);
  } finally {
    // This ends the session, and with it the advisory lock.
    await client.end();
  }
}

// The search goes upwards, because this file runs from src/ledger in tests and from dist/ledger
// when built.
export function prismaFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'prisma', 'migrations'))) {
    const above = path.dirname(folder);
    if (above === folder) throw new Error('The folder prisma/migrations is missing from this installation');
    folder = above;
  }
  return path.join(folder, 'prisma');
}

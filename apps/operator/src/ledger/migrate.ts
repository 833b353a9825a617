import { fileURLToPath } from 'node:url';
import { applyMigrations, openClient, readMigrations } from '@roundhouse/service';
import { SCHEMA } from './database.ts';

// So that two operators that start at once do not migrate at once. Not Prisma's own key: on a shared database the game
// server holds that one.
const ADVISORY_LOCK = 72_707_370;

// The same distance from src/ledger, where tests run, and from dist/ledger.
const FOLDER = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url));

/** Creates the schema when it is missing, and applies the migrations that it lacks. Returns their names. */
export async function migrate(url: string): Promise<string[]> {
  const migrations = await readMigrations(FOLDER);
  const client = await openClient(url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await client.query(`SET search_path = ${SCHEMA}`);
    return await applyMigrations(client, migrations);
  } finally {
    // Ends the session, and with it the advisory lock.
    await client.end();
  }
}

import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startTemporaryPostgres } from '../../src/dev/embeddedPostgres.ts';
import { migrate } from '../../src/ledger/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which this run makes its databases. */
    databaseAdminUrl: string;
    /** A migrated, empty database, and the beginning of the names of all databases of this run. */
    templateDatabase: string;
  }
}

/** One PostgreSQL per run: that of TEST_DATABASE_URL or DATABASE_URL, else a temporary one of our own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await testServer();
  const template = `roundhouse_test_${randomBytes(6).toString('hex')}`;
  await withAdmin(server.adminUrl, (client) => client.query(`CREATE DATABASE ${template}`));
  await migrate({ url: urlOfDatabase(server.adminUrl, template) });
  project.provide('databaseAdminUrl', server.adminUrl);
  project.provide('templateDatabase', template);
  return async () => {
    if (!server.temporary) await withAdmin(server.adminUrl, (client) => dropAll(client, template));
    await server.stop();
  };
}

async function testServer(): Promise<{ adminUrl: string; temporary: boolean; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  if (given) return { adminUrl: given, temporary: false, stop: async () => {} };
  const { adminUrl, stop } = await startTemporaryPostgres();
  return { adminUrl, temporary: true, stop };
}

async function dropAll(client: Client, prefix: string): Promise<void> {
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix]);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}

async function withAdmin(adminUrl: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export function urlOfDatabase(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedPostgres, startEmbeddedPostgres, startTemporaryPostgres } from '@roundhouse/dev-postgres';
import { openClient } from '@roundhouse/service';
import type { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/store/database/migrate.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
  interface ProvidedContext {
    /** This run makes its databases on this server. */
    databaseAdminUrl: string;
    /** Names a migrated, empty database; the names of all databases of this run begin with it. */
    templateDatabase: string;
    /** This data folder has a migrated, empty database, which is not running. */
    templateFolder: string;
  }
}

/** Uses the PostgreSQL of TEST_DATABASE_URL or DATABASE_URL, else starts one for the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = `roundhouse_test_${randomBytes(6).toString('hex')}`;
  const templateFolder = await makeTemplateFolder();
  const server = await testServer(template, templateFolder);
  await withAdmin(server.adminUrl, (client) => client.query(`CREATE DATABASE ${template}`));
  await migrate({ url: urlOfDatabase(server.adminUrl, template) });
  project.provide('databaseAdminUrl', server.adminUrl);
  project.provide('templateDatabase', template);
  project.provide('templateFolder', templateFolder);
  return async () => {
    await server.cleanUp();
    await removeEmbeddedPostgres(templateFolder);
  };
}

async function makeTemplateFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-template-'));
  // A Ctrl-C ends vitest without a tear-down.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ dataFolder: folder, fast: true });
  await migrate({ url: postgres.url });
  await postgres.stop();
  return folder;
}

async function testServer(prefix: string, copyOf: string): Promise<{ adminUrl: string; cleanUp: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  if (given) return { adminUrl: given, cleanUp: dropAtTheEnd(given, prefix) };
  const { adminUrl, stop } = await startTemporaryPostgres({ copyOf });
  return { adminUrl, cleanUp: stop };
}

// It runs in a separate process: a Ctrl-C ends vitest without a tear-down.
function dropAtTheEnd(adminUrl: string, prefix: string): () => Promise<void> {
  const script = fileURLToPath(new URL('dropDatabases.mjs', import.meta.url));
  const env = { ...process.env, ADMIN_URL: adminUrl, PREFIX: prefix };
  const dropper = spawn(process.execPath, [script], { env, detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  return async () => {
    dropper.stdin.end();
    await once(dropper, 'exit');
  };
}

export async function withAdmin(adminUrl: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = await openClient(adminUrl);
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

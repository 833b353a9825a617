import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which this run makes its databases. */
    databaseAdminUrl: string;
  }
}

type TemporaryPostgres = { adminUrl: string; stop(): Promise<void> };

// The operator knows nothing of the game server. Its tests borrow the PostgreSQL that the server's own tests run on, built, as one borrows a
// program: it is there after `npm run build`, it solves what root and private folders make hard, and it ends with this process.
const EMBEDDED_POSTGRES = new URL('../../../server/dist/local/embeddedPostgres.js', import.meta.url);

/** One PostgreSQL per run: that of TEST_DATABASE_URL or DATABASE_URL, else a temporary one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  const { adminUrl, stop } = given ? { adminUrl: given, stop: async () => {} } : await startPostgres();
  project.provide('databaseAdminUrl', adminUrl);
  return stop;
}

async function startPostgres(): Promise<TemporaryPostgres> {
  const { startTemporaryPostgres } = (await import(EMBEDDED_POSTGRES.href)) as {
    startTemporaryPostgres(): Promise<TemporaryPostgres>;
  };
  return startTemporaryPostgres();
}

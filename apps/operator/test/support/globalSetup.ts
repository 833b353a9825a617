import { startTemporaryPostgres } from '@roundhouse/dev-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
  interface ProvidedContext {
    /** This run makes its databases on this server. */
    databaseAdminUrl: string;
  }
}

/**
 * Returns one PostgreSQL per run: that of TEST_DATABASE_URL or DATABASE_URL, else a temporary one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  const { adminUrl, stop } = given ? { adminUrl: given, stop: async () => {} } : await startTemporaryPostgres();
  project.provide('databaseAdminUrl', adminUrl);
  return stop;
}

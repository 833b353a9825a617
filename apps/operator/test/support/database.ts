import { randomBytes } from 'node:crypto';
import { openClient } from '@roundhouse/service';
import { inject } from 'vitest';

/** The database of one test file. */
export type TestDatabase = {
  url: string;
  /** Runs SQL on the operator's tables. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
};

export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('databaseAdminUrl');
  const name = `operator_test_${randomBytes(6).toString('hex')}`;
  await run(adminUrl, `CREATE DATABASE ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (sql, values) => run(url.href, sql, values),
    drop: async () => void (await run(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

async function run<Row>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = await openClient(url);
  try {
    await client.query('SET search_path = reference_operator');
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { openClient } from './connections.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { readMigrationFiles } from './migrationFiles.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-migrations-'));
  await writeMigration('20260101000000_first', 'CREATE TABLE first (id int);');
  await writeMigration('20260102000000_second', 'CREATE TABLE second (id int); INSERT INTO second VALUES (1);');
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

test('applies what is pending, in order, once', async () => {
  expect(await pendingMigrations(database.url, folder)).toEqual(['20260101000000_first', '20260102000000_second']);
  expect(await migrate({ url: database.url, folder })).toEqual({
    applied: ['20260101000000_first', '20260102000000_second'],
  });
  expect(await pendingMigrations(database.url, folder)).toEqual([]);
  await writeMigration('20260103000000_third', 'CREATE TABLE third (id int);');
  expect(await migrate({ url: database.url, folder })).toEqual({ applied: ['20260103000000_third'] });
  expect(await query('SELECT * FROM second')).toEqual([{ id: 1 }]);
});

test('keeps the table of Prisma as Prisma does', async () => {
  await migrate({ url: database.url, folder });
  const columns = await query(`
    SELECT column_name || ' ' || data_type || coalesce('(' || character_maximum_length || ')', '') || ' ' || is_nullable
           || coalesce(' ' || column_default, '') AS column
    FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`);
  expect(columns.map((row) => row.column)).toEqual([
    'id character varying(36) NO',
    'checksum character varying(64) NO',
    'finished_at timestamp with time zone YES',
    'migration_name character varying(255) NO',
    'logs text YES',
    'rolled_back_at timestamp with time zone YES',
    'started_at timestamp with time zone NO now()',
    'applied_steps_count integer NO 0',
  ]);
  const [record] = await query(
    'SELECT *, finished_at >= started_at AS ordered FROM _prisma_migrations ORDER BY migration_name',
  );
  expect(record).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    checksum: createHash('sha256').update('CREATE TABLE first (id int);').digest('hex'),
    migration_name: '20260101000000_first',
    logs: null,
    rolled_back_at: null,
    applied_steps_count: 1,
    ordered: true,
  });
});

test('a migration that fails leaves nothing, names its line, and the ones before it stay', async () => {
  await writeMigration('20260103000000_broken', 'CREATE TABLE third (id int);\nSELECT nonsense;');
  await expect(migrate({ url: database.url, folder })).rejects.toThrow(
    'Migration 20260103000000_broken failed and was rolled back: column "nonsense" does not exist (line 2)',
  );
  expect(await pendingMigrations(database.url, folder)).toEqual(['20260103000000_broken']);
  expect(await query("SELECT to_regclass('third') AS third, to_regclass('second')::text AS second")).toEqual([
    { third: null, second: 'second' },
  ]);
});

test('an applied migration whose file has changed is refused', async () => {
  await migrate({ url: database.url, folder });
  await writeMigration('20260101000000_first', 'CREATE TABLE first (id bigint);');
  await expect(migrate({ url: database.url, folder })).rejects.toThrow(
    'Migration 20260101000000_first was changed after this database applied it',
  );
  await expect(pendingMigrations(database.url, folder)).rejects.toThrow('20260101000000_first was changed');
});

test("another tool's failed migration is refused until it is resolved", async () => {
  await migrate({ url: database.url, folder });
  await query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '20260103000000_third')`,
  );
  await expect(migrate({ url: database.url, folder })).rejects.toThrow(
    'Migration 20260103000000_third was begun by another tool and failed',
  );
  await query('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL');
  expect(await migrate({ url: database.url, folder })).toEqual({ applied: [] });
});

test('servers that start at the same moment do not collide', async () => {
  await writeMigration('20260103000000_slow', 'SELECT pg_sleep(0.2); CREATE TABLE slow (id int);');
  const results = await Promise.all(Array.from({ length: 5 }, () => migrate({ url: database.url, folder })));
  expect(results.map((result) => result.applied.length).sort()).toEqual([0, 0, 0, 0, 3]);
});

test("the project's own migrations are found and applied", async () => {
  const names = (await readMigrationFiles()).map((file) => file.name);
  expect(await migrate({ url: database.url })).toEqual({ applied: names });
  const clone = await createTestDatabase();
  expect(await pendingMigrations(clone.url)).toEqual([]);
  await clone.drop();
});

async function writeMigration(name: string, sql: string): Promise<void> {
  await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, name, 'migration.sql'), sql);
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = await openClient(database.url);
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

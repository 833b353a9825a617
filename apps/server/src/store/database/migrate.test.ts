import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openClient } from '@roundhouse/service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { temporaryFolder } from '../../../test/support/roundhouse.ts';
import { migrate, pendingMigrations } from './migrate.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  folder = await temporaryFolder('migrations');
  for (const part of ['migrations', 'functions', 'views']) await mkdir(path.join(folder, part));
  await writeMigration('20260101000000_first', 'CREATE TABLE first (id int);');
  await writeMigration('20260102000000_second', 'CREATE TABLE second (id int); INSERT INTO second VALUES (1);');
});

afterEach(() => database.drop());

const apply = () => migrate({ url: database.url, folder });
const pending = () => pendingMigrations(database.url, folder);
const NOTHING = { applied: [], dropped: [] };

it('applies what is pending, in order, once', async () => {
  expect(await pending()).toEqual(['20260101000000_first', '20260102000000_second']);
  expect(await apply()).toEqual({ applied: ['20260101000000_first', '20260102000000_second'], dropped: [] });
  expect(await pending()).toEqual([]);
  await writeMigration('20260103000000_third', 'CREATE TABLE third (id int);');
  expect(await apply()).toEqual({ applied: ['20260103000000_third'], dropped: [] });
  expect(await query('SELECT * FROM second')).toEqual([{ id: 1 }]);
});

it('keeps the table of Prisma as Prisma does', async () => {
  await apply();
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
  const ordered = 'SELECT *, finished_at >= started_at AS ordered FROM _prisma_migrations ORDER BY migration_name';
  const [record] = await query(ordered);
  const checksum = createHash('sha256').update('CREATE TABLE first (id int);').digest('hex');
  const applied = { checksum, migration_name: '20260101000000_first', applied_steps_count: 1, ordered: true };
  expect(record).toMatchObject({ ...applied, logs: null, rolled_back_at: null });
  expect(record?.id).toMatch(/^[0-9a-f-]{36}$/);
});

it('a migration that fails leaves nothing, names its line, and the ones before it stay', async () => {
  await writeMigration('20260103000000_broken', 'CREATE TABLE third (id int);\nSELECT nonsense;');
  await expect(apply()).rejects.toThrow(
    'Migration 20260103000000_broken failed and was rolled back: column "nonsense" does not exist (line 2)',
  );
  expect(await pending()).toEqual(['20260103000000_broken']);
  const [tables] = await query("SELECT to_regclass('third') AS third, to_regclass('second')::text AS second");
  expect(tables).toEqual({ third: null, second: 'second' });
});

it('an applied migration whose file has changed is refused', async () => {
  await apply();
  await writeMigration('20260101000000_first', 'CREATE TABLE first (id bigint);');
  await expect(apply()).rejects.toThrow('Migration 20260101000000_first was changed after this database applied it');
  await expect(pending()).rejects.toThrow('20260101000000_first was changed');
});

it("another tool's failed migration is refused until it is resolved", async () => {
  await apply();
  await query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '20260103000000_third')`,
  );
  await expect(apply()).rejects.toThrow('Migration 20260103000000_third was begun by another tool and failed');
  await query('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL');
  expect(await apply()).toEqual(NOTHING);
});

it('nodes that migrate at the same moment apply each file once', async () => {
  await writeMigration('20260103000000_slow', 'SELECT pg_sleep(0.2); CREATE TABLE slow (id int);');
  await writeSql('functions/one.sql', functionSql('one', 'SELECT pg_sleep(0.2); SELECT 1'));
  const migrateFiveTimes = () => Promise.all(Array.from({ length: 5 }, async () => (await apply()).applied.length));
  expect((await migrateFiveTimes()).sort()).toEqual([0, 0, 0, 0, 4]);
  await writeSql('functions/one.sql', functionSql('one', 'SELECT 2'));
  expect((await migrateFiveTimes()).sort()).toEqual([0, 0, 0, 0, 1]);
});

it('a database of a pre-release is refused in one line, and nothing changes', async () => {
  await apply();
  await query("UPDATE _prisma_migrations SET migration_name = '20251121000000_' || split_part(migration_name, '_', 2)");
  await writeSql('functions/one.sql', functionSql('one', 'SELECT 1'));
  const refusal =
    'This database has migration 20251121000000_first of a pre-release of Roundhouse, which this version cannot upgrade: create a new database';
  await expect(apply()).rejects.toThrow(refusal);
  await expect(pending()).rejects.toThrow(refusal);
  expect(await query("SELECT FROM pg_proc WHERE proname = 'one'")).toEqual([]);
});

describe('functions and views', () => {
  it('are created after those that their text names, and again when one of these changes', async () => {
    await writeSql('functions/above.sql', functionSql('above', 'SELECT (SELECT n FROM middle) + 1 -- not top'));
    await writeSql('views/middle.sql', 'CREATE VIEW middle AS SELECT below() AS n;');
    await writeSql('functions/below.sql', functionSql('below', 'SELECT 1'));
    await writeSql('functions/top.sql', functionSql('top', 'SELECT above()'));
    const all = ['functions/below.sql', 'views/middle.sql', 'functions/above.sql', 'functions/top.sql'];
    expect((await apply()).applied.slice(2)).toEqual(all);
    expect(await query('SELECT top()')).toEqual([{ top: 2 }]);

    await writeSql('functions/below.sql', functionSql('below', 'SELECT 11'));
    expect(await pending()).toEqual(all);
    expect(await apply()).toEqual({ applied: all, dropped: [] });
    expect(await query('SELECT top()')).toEqual([{ top: 12 }]);
    expect(await apply()).toEqual(NOTHING);
  });

  it('a changed signature leaves no second function of the name', async () => {
    await writeSql('functions/one.sql', 'CREATE FUNCTION one(a int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;');
    await apply();
    await writeSql('functions/one.sql', 'CREATE FUNCTION one(a text) RETURNS text LANGUAGE sql AS $$ SELECT a $$;');
    expect(await apply()).toEqual({ applied: ['functions/one.sql'], dropped: [] });
    const found = await query("SELECT oid::regprocedure::text AS one FROM pg_proc WHERE proname = 'one'");
    expect(found).toEqual([{ one: 'one(text)' }]);
  });

  it('are dropped when their file is gone; those of other owners stay', async () => {
    await writeSql('functions/one.sql', functionSql('one', 'SELECT 1'));
    await writeSql('views/two.sql', 'CREATE VIEW two AS SELECT one() AS n;');
    await apply();
    await query('CREATE VIEW report AS SELECT * FROM second');
    await query(functionSql('helper', 'SELECT 1'));
    await rm(path.join(folder, 'functions/one.sql'));
    await rm(path.join(folder, 'views/two.sql'));
    expect(await apply()).toEqual({ applied: [], dropped: ['views/two.sql', 'functions/one.sql'] });
    const [gone] = await query("SELECT to_regclass('two') AS two, to_regproc('one') AS one");
    expect(gone).toEqual({ two: null, one: null });
    expect(await query('SELECT helper() AS n UNION ALL SELECT id FROM report')).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it('one that fails leaves all as they were, and names its line', async () => {
    await writeSql('functions/one.sql', functionSql('one', 'SELECT 1'));
    await apply();
    await writeSql('functions/one.sql', functionSql('one', 'SELECT 2'));
    await writeSql('functions/two.sql', functionSql('two', '\nSELECT nonsense + one()'));
    await expect(apply()).rejects.toThrow(
      'functions/two.sql failed, and no function or view was changed: column "nonsense" does not exist (line 2)',
    );
    expect(await query('SELECT one()')).toEqual([{ one: 1 }]);
  });

  it('a file creates the one function of its name', async () => {
    await writeSql('functions/one.sql', functionSql('two', 'SELECT 1'));
    await expect(apply()).rejects.toThrow('functions/one.sql must create one function one: the database has 0 of them');
    expect(await query("SELECT FROM pg_proc WHERE proname = 'two'")).toEqual([]);
  });

  it('a view that a migration drops is created again', async () => {
    await writeSql('views/seconds.sql', 'CREATE VIEW seconds AS SELECT * FROM second;');
    await apply();
    const wider = 'DROP VIEW IF EXISTS seconds; ALTER TABLE second ALTER id TYPE bigint;';
    await writeMigration('20260103000000_wider', wider);
    expect((await apply()).applied).toEqual(['20260103000000_wider', 'views/seconds.sql']);
    expect(await query('SELECT * FROM seconds')).toEqual([{ id: '1' }]);
  });
});

async function writeMigration(name: string, sql: string): Promise<void> {
  await mkdir(path.join(folder, 'migrations', name), { recursive: true });
  await writeSql(`migrations/${name}/migration.sql`, sql);
}

async function writeSql(file: string, sql: string): Promise<void> {
  await writeFile(path.join(folder, file), sql);
}

function functionSql(name: string, body: string): string {
  return `CREATE FUNCTION ${name}() RETURNS int LANGUAGE sql AS $$ ${body} $$;`;
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = await openClient(database.url);
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openClient } from '@roundhouse/service';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { describeModel, readDataModel } from './dataModel.ts';

// The query writes what Prisma knows as lines. It leaves out what Prisma cannot say: checks,
// indexes with a condition or on an expression, functions, a table without a key.
const DESCRIBE = `
SELECT 'column ' || c.relname || '.' || a.attname || ' ' || replace(format_type(a.atttypid, a.atttypmod), 'timestamp(6)', 'timestamp')
       || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
       || coalesce(' default ' || replace(pg_get_expr(d.adbin, d.adrelid), 'CURRENT_TIMESTAMP', 'now()'), '') AS line
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND c.relname NOT IN ('_prisma_migrations', 'completed_rounds')
UNION ALL
SELECT 'enum ' || t.typname || ' ' || string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder)
FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid GROUP BY t.typname
UNION ALL
SELECT CASE WHEN i.indisprimary THEN 'primary key ' WHEN i.indisunique THEN 'unique index ' ELSE 'index ' END || c.relname || ' ('
       || (SELECT string_agg(pg_get_indexdef(i.indexrelid, n, true), ', ' ORDER BY n) FROM generate_series(1, i.indnkeyatts) n) || ')'
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT IN ('_prisma_migrations', 'completed_rounds') AND i.indpred IS NULL AND i.indexprs IS NULL
UNION ALL
SELECT 'foreign key ' || c.relname || ' ' || pg_get_constraintdef(k.oid)
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f'`;

const schemaFile = fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url));

it('schema.prisma and the migrated database agree', async () => {
  const described = describeModel(await readDataModel(await readFile(schemaFile, 'utf8')));
  const kinds = ['column', 'enum', 'foreign key', 'index', 'primary key', 'unique index'];
  for (const kind of kinds) expect(described).toContainEqual(expect.stringMatching(`^${kind} `));
  const migrated = await createTestDatabase();
  const client = await openClient(migrated.url);
  const { rows } = await client.query<{ line: string }>(DESCRIBE);
  await client.end();
  await migrated.drop();
  expect(rows.map(({ line }) => line).sort()).toEqual(described);
});

it('each table of the archive has the columns of the table that it archives, in the same order', async () => {
  const migrated = await createTestDatabase();
  const client = await openClient(migrated.url);
  const { rows } = await client.query<{ name: string; columns: string }>(`
    SELECT c.relname AS name, string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY c.relname`);
  await client.end();
  await migrated.drop();
  const columnsOf = new Map(rows.map(({ name, columns }) => [name, columns]));
  const archived = [...columnsOf].filter(([name]) => name.startsWith('archived_'));
  expect(archived).toHaveLength(4);
  for (const [name, columns] of archived) expect(columns, name).toBe(columnsOf.get(name.replace('archived_', '')));
});

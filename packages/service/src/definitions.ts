import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Client, ClientBase } from 'pg';
import { MigrationError, type MigrationFile, readMigrations, readSqlFile, sqlErrorText } from './migrations.ts';

// The comment of a function or view holds the checksum of the file that created it. A function or
// view that is gone has no comment either, so the database never claims what it lacks
// (decision 012). The newest comes first, because a definition is younger than those that it
// depends on. The file of a trigger function also creates its triggers, so they go with it.
const APPLIED = `
SELECT kind, name, drop_sql AS "dropSql", substring(comment FROM '^roundhouse sha256 ([0-9a-f]{64})$') AS checksum
FROM (
  SELECT oid, 'function' AS kind, proname AS name, obj_description(oid, 'pg_proc') AS comment,
    format(
      'DROP FUNCTION %s%s',
      oid::regprocedure,
      CASE WHEN prorettype = 'trigger'::regtype THEN ' CASCADE' ELSE '' END
    ) AS drop_sql
  FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'
  UNION ALL
  SELECT oid, 'view', relname, obj_description(oid, 'pg_class'), format('DROP VIEW %s', oid::regclass)
  FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'v'
) d
WHERE comment ~ '^roundhouse sha256 [0-9a-f]{64}$'
ORDER BY oid::bigint DESC`;

type AppliedDefinition = { kind: DefinitionFile['kind']; name: string; dropSql: string; checksum: string };

/**
 * Returns the files that the database lacks or has another text of, and the files that need one of
 * these, in order.
 */
export async function pendingDefinitions(
  client: ClientBase,
  files: readonly DefinitionFile[],
): Promise<DefinitionFile[]> {
  return pendingOf(files, await readApplied(client));
}

/** Creates pending definitions, and drops those whose file is gone, in one transaction. */
export async function applyDefinitions(
  client: Client,
  files: readonly DefinitionFile[],
): Promise<{ applied: string[]; dropped: string[] }> {
  const current = await readApplied(client);
  const pending = pendingOf(files, current);
  const gone = current.filter((each) => !files.some((file) => isOf(each, file)));
  if (pending.length === 0 && gone.length === 0) return { applied: [], dropped: [] };
  const replaced = current.filter((each) => gone.includes(each) || pending.some((file) => isOf(each, file)));
  await client.query('BEGIN');
  try {
    for (const { dropSql } of replaced) await client.query(dropSql);
    for (const file of pending) await create(client, file);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
  return {
    applied: pending.map((file) => file.path),
    dropped: gone.map(({ kind, name }) => `${kind}s/${name}.sql`),
  };
}

async function readApplied(client: ClientBase): Promise<AppliedDefinition[]> {
  return (await client.query<AppliedDefinition>(APPLIED)).rows;
}

function isOf({ kind, name }: AppliedDefinition, file: DefinitionFile): boolean {
  return kind === file.kind && name === file.name;
}

function pendingOf(files: readonly DefinitionFile[], current: readonly AppliedDefinition[]): DefinitionFile[] {
  const pending = new Set<DefinitionFile>();
  for (const file of files) {
    const isApplied = current.some((each) => isOf(each, file) && each.checksum === file.checksum);
    if (!isApplied || neededBy(file, files).some((needed) => pending.has(needed))) pending.add(file);
  }
  return [...pending];
}

const COMMENT_SQL = {
  function: `
    SELECT format('COMMENT ON FUNCTION %s IS %L', oid::regprocedure, 'roundhouse sha256 ' || $2) AS sql
    FROM pg_proc
    WHERE proname = $1 AND pronamespace = current_schema()::regnamespace`,
  view: `
    SELECT format('COMMENT ON VIEW %s IS %L', oid::regclass, 'roundhouse sha256 ' || $2) AS sql
    FROM pg_class
    WHERE relname = $1 AND relnamespace = current_schema()::regnamespace AND relkind = 'v'`,
};

async function create(client: Client, { kind, name, path, sql, checksum }: DefinitionFile): Promise<void> {
  await client.query(sql).catch((error) => {
    throw new MigrationError(`${path} failed, and no function or view was changed: ${sqlErrorText(error, sql)}`, {
      cause: error,
    });
  });
  const { rows } = await client.query<{ sql: string }>(COMMENT_SQL[kind], [name, checksum]);
  const [comment] = rows;
  if (comment === undefined || rows.length > 1) {
    throw new MigrationError(`${path} must create one ${kind} ${name}: the database has ${rows.length} of them`);
  }
  await client.query(comment.sql);
}

/** A file of prisma/functions or prisma/views, which creates what its name says. */
type DefinitionFile = {
  kind: 'function' | 'view';
  name: string;
  /** The path below prisma, for example functions/open_rounds.sql. */
  path: string;
  sql: string;
  checksum: string;
};

type SqlFiles = {
  migrations: MigrationFile[];
  /**
   * They are in the order in which they can be created: each file after those that its text names.
   */
  definitions: DefinitionFile[];
};

/** Reads the migrations, functions and views of a prisma folder. */
export async function readSqlFiles(folder: string): Promise<SqlFiles> {
  const [migrations, functions, views] = await Promise.all([
    readMigrations(path.join(folder, 'migrations')),
    readDefinitions(folder, 'function'),
    readDefinitions(folder, 'view'),
  ]);
  return { migrations, definitions: inOrder([...functions, ...views]) };
}

async function readDefinitions(folder: string, kind: DefinitionFile['kind']): Promise<DefinitionFile[]> {
  const files = (await readdir(path.join(folder, `${kind}s`))).filter((file) => file.endsWith('.sql'));
  return Promise.all(
    files.sort().map(async (file) => ({
      kind,
      name: path.basename(file, '.sql'),
      path: `${kind}s/${file}`,
      ...(await readSqlFile(path.join(folder, `${kind}s`, file))),
    })),
  );
}

function inOrder(files: readonly DefinitionFile[]): DefinitionFile[] {
  const ordered = new Set<DefinitionFile>();
  const visit = (file: DefinitionFile, waiting: readonly DefinitionFile[]): void => {
    if (ordered.has(file)) return;
    if (waiting.includes(file)) throw new Error(`${[...waiting, file].map((each) => each.path).join(' needs ')}`);
    for (const needed of neededBy(file, files)) visit(needed, [...waiting, file]);
    ordered.add(file);
  };
  for (const file of files) visit(file, []);
  return [...ordered];
}

/** Returns the other files whose names are in the text. Comments do not count. */
function neededBy(file: DefinitionFile, files: readonly DefinitionFile[]): DefinitionFile[] {
  const words = new Set(file.sql.replace(/--.*$/gm, '').match(/\w+/g));
  return files.filter((other) => other !== file && words.has(other.name));
}

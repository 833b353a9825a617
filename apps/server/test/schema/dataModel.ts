import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What Prisma reads in a schema: the part of its data model that a database can agree with. */
export type DataModel = {
  enums: { name: string; dbName: string | null; values: { name: string; dbName: string | null }[] }[];
  models: Model[];
  indexes: { model: string; type: 'id' | 'unique' | 'normal' | 'fulltext'; fields: { name: string }[] }[];
};
type Model = { name: string; dbName: string | null; fields: Field[] };
type Field = {
  name: string;
  dbName?: string;
  kind: 'scalar' | 'enum' | 'object' | 'unsupported';
  type: string;
  nativeType?: [string, string[]] | null;
  isList: boolean;
  isRequired: boolean;
  default?: unknown;
  relationFromFields?: string[];
  relationToFields?: string[];
  relationOnDelete?: string;
  relationOnUpdate?: string;
};

const GENERATOR = fileURLToPath(new URL('dmmfGenerator.mjs', import.meta.url));
const CLI = createRequire(import.meta.url).resolve('prisma/build/index.js');

/** Parses a schema with Prisma's own parser. */
export async function readDataModel(schema: string): Promise<DataModel> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-schema-'));
  try {
    const file = path.join(folder, 'schema.prisma');
    const command = JSON.stringify(`"${process.execPath}" "${GENERATOR}"`);
    const generator = `generator model {\n  provider = ${command}\n  output = "./model.json"\n}`;
    await writeFile(
      file,
      schema.replace(/^generator \w+ \{[^}]*\}/m, () => generator),
    );
    await promisify(execFile)(process.execPath, [CLI, 'generate', '--schema', file], {
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    });
    return JSON.parse(await readFile(path.join(folder, 'model.json'), 'utf8')) as DataModel;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The SQL that makes an empty database look as the data model says. */
export function toSql(model: DataModel): string {
  const enums = model.enums.map(
    (each) => `CREATE TYPE ${nameOf(each)} AS ENUM (${each.values.map(({ name, dbName }) => `'${dbName ?? name}'`)})`,
  );
  const tables = model.models.map((table) => {
    const columns = table.fields.filter(({ kind }) => kind !== 'object').map((field) => columnSql(model, field));
    return `CREATE TABLE ${nameOf(table)} (${columns})`;
  });
  const indexes = model.indexes.map(({ model: name, type, fields }) => {
    const table = find(model.models, name);
    const columns = columnList(
      table,
      fields.map((field) => field.name),
    );
    if (type === 'id') return `ALTER TABLE ${nameOf(table)} ADD PRIMARY KEY ${columns}`;
    return `CREATE ${type === 'unique' ? 'UNIQUE ' : ''}INDEX ON ${nameOf(table)} ${columns}`;
  });
  const foreignKeys = model.models.flatMap((table) =>
    table.fields
      .filter((field) => field.relationFromFields?.length)
      .map((field) => foreignKeySql(model, { table, field })),
  );
  return [...enums, ...tables, ...indexes, ...foreignKeys].join(';\n');
}

function columnSql(model: DataModel, field: Field): string {
  const isSerial = callOf(field.default) === 'autoincrement';
  const type = isSerial ? (field.type === 'BigInt' ? 'bigserial' : 'serial') : typeSql(model, field);
  // Prisma reads null as an empty list; here a list is never null.
  const nullability = field.isRequired || field.isList ? 'NOT NULL' : '';
  return `${nameOf(field)} ${type}${field.isList ? '[]' : ''} ${nullability} ${isSerial ? '' : defaultSql(field)}`;
}

const TYPES: Readonly<Record<string, string>> = {
  Int: 'integer',
  BigInt: 'bigint',
  String: 'text',
  Boolean: 'boolean',
  Json: 'jsonb',
  Bytes: 'bytea',
  DateTime: 'timestamp(3)',
};
const UNQUOTED = new Set(['Int', 'BigInt', 'Boolean']);

function typeSql(model: DataModel, { kind, type, nativeType }: Field): string {
  if (kind === 'enum') return nameOf(find(model.enums, type));
  if (nativeType) return nativeType[0] + (nativeType[1].length > 0 ? `(${nativeType[1]})` : '');
  return TYPES[type] ?? fail(`no SQL is known for the type ${type}`);
}

function defaultSql({ default: value, type }: Field): string {
  if (value === undefined) return '';
  if (callOf(value) === 'now') return 'DEFAULT now()';
  if (callOf(value) === 'dbgenerated') return `DEFAULT ${(value as { args: string[] }).args[0]}`;
  if (Array.isArray(value)) return `DEFAULT '{${value.map((item) => JSON.stringify(item))}}'`;
  if (typeof value === 'object') fail(`no SQL is known for the default ${JSON.stringify(value)}`);
  // PostgreSQL stores whether a number was written with quotes.
  return `DEFAULT ${UNQUOTED.has(type) ? value : `'${value}'`}`;
}

const ACTIONS: Readonly<Record<string, string>> = {
  NoAction: 'NO ACTION',
  SetNull: 'SET NULL',
  SetDefault: 'SET DEFAULT',
};

function foreignKeySql(model: DataModel, { table, field }: { table: Model; field: Field }): string {
  const target = find(model.models, field.type);
  const onDelete = field.relationOnDelete ?? (field.isRequired ? 'Restrict' : 'SetNull');
  const onUpdate = field.relationOnUpdate ?? 'Cascade';
  return `ALTER TABLE ${nameOf(table)} ADD FOREIGN KEY ${columnList(table, field.relationFromFields ?? [])}
    REFERENCES ${nameOf(target)} ${columnList(target, field.relationToFields ?? [])}
    ON DELETE ${ACTIONS[onDelete] ?? onDelete} ON UPDATE ${ACTIONS[onUpdate] ?? onUpdate}`;
}

const columnList = (table: Model, names: string[]) => `(${names.map((name) => nameOf(find(table.fields, name)))})`;
const nameOf = ({ name, dbName }: { name: string; dbName?: string | null }) => `"${dbName ?? name}"`;
const callOf = (value: unknown) => (value as { name?: string } | null | undefined)?.name;

function find<Item extends { name: string }>(items: Item[], name: string): Item {
  return items.find((item) => item.name === name) ?? fail(`${name} is missing in the data model`);
}

function fail(message: string): never {
  throw new Error(message);
}

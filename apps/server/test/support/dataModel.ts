import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * What Prisma reads in a schema: the part of its data model that a database can agree or disagree
 * with.
 */
export type DataModel = {
  enums: { name: string; dbName: string | null; values: { name: string; dbName: string | null }[] }[];
  models: Model[];
  indexes: { model: string; type: 'id' | 'unique' | 'normal' | 'fulltext'; fields: { name: string }[] }[];
};

type Model = {
  name: string;
  dbName: string | null;
  fields: Field[];
};

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
    const command = JSON.stringify(`"${process.execPath}" "${GENERATOR}"`);
    const generator = `generator model {\n  provider = ${command}\n  output = "./model.json"\n}`;
    await writeFile(
      path.join(folder, 'schema.prisma'),
      schema.replace(/^generator \w+ \{[^}]*\}/m, () => generator),
    );
    await promisify(execFile)(process.execPath, [CLI, 'generate', '--schema', path.join(folder, 'schema.prisma')], {
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
  return [
    ...model.enums.map(
      (type) =>
        `CREATE TYPE ${quote(type.dbName ?? type.name)} AS ENUM (${type.values.map((value) => `'${value.dbName ?? value.name}'`)})`,
    ),
    ...model.models.map(
      (table) => `CREATE TABLE ${tableOf(table)} (${columnsOf(table).map((field) => columnSql(model, field))})`,
    ),
    ...model.indexes.map((index) => indexSql(model, index)),
    ...model.models.flatMap((table) =>
      table.fields
        .filter((field) => field.relationFromFields?.length)
        .map((field) => foreignKeySql(model, table, field)),
    ),
  ].join(';\n');
}

function columnSql(model: DataModel, field: Field): string {
  const serial = isCall(field.default, 'autoincrement');
  const type = serial ? (field.type === 'BigInt' ? 'bigserial' : 'serial') : typeSql(model, field);
  // Prisma does not say whether a list may be null, and reads null as empty; here a list is never
  // null.
  const nullability = field.isRequired || field.isList ? 'NOT NULL' : '';
  return `${quote(columnOf(field))} ${type}${field.isList ? '[]' : ''} ${nullability} ${serial ? '' : defaultSql(field)}`;
}

const TYPES: Record<string, string> = {
  Int: 'integer',
  BigInt: 'bigint',
  String: 'text',
  Boolean: 'boolean',
  Float: 'double precision',
  Decimal: 'numeric(65,30)',
  Json: 'jsonb',
  Bytes: 'bytea',
  DateTime: 'timestamp(3)',
};

function typeSql(model: DataModel, field: Field): string {
  if (field.kind === 'enum') {
    const type = find(model.enums, field.type);
    return quote(type.dbName ?? type.name);
  }
  if (field.nativeType) {
    const [name, args] = field.nativeType;
    return `${name.toLowerCase()}${args.length > 0 ? `(${args})` : ''}`;
  }
  const type = TYPES[field.type];
  if (!type) throw new Error(`no type known for ${field.type}`);
  return type;
}

const NUMBERS = new Set(['Int', 'BigInt', 'Float', 'Decimal', 'Boolean']);

function defaultSql({ default: value, type }: Field): string {
  if (
    value === undefined ||
    isCall(value, 'uuid') ||
    isCall(value, 'cuid') ||
    isCall(value, 'ulid') ||
    isCall(value, 'nanoid')
  )
    return '';
  if (isCall(value, 'now')) return 'DEFAULT now()';
  if (isCall(value, 'dbgenerated')) return `DEFAULT ${(value as { args: string[] }).args[0]}`;
  if (Array.isArray(value)) return `DEFAULT '{${value.map((item) => JSON.stringify(item))}}'`;
  if (typeof value === 'object') throw new Error(`no SQL known for the default ${JSON.stringify(value)}`);
  // PostgreSQL remembers whether a number was written with quotes.
  return NUMBERS.has(type) ? `DEFAULT ${value}` : `DEFAULT '${value}'`;
}

function indexSql(model: DataModel, index: DataModel['indexes'][number]): string {
  const table = find(model.models, index.model);
  const columns = columnList(
    table,
    index.fields.map((field) => field.name),
  );
  if (index.type === 'id') return `ALTER TABLE ${tableOf(table)} ADD PRIMARY KEY ${columns}`;
  return `CREATE ${index.type === 'unique' ? 'UNIQUE ' : ''}INDEX ON ${tableOf(table)} ${columns}`;
}

const ACTIONS: Record<string, string> = {
  Cascade: 'CASCADE',
  Restrict: 'RESTRICT',
  NoAction: 'NO ACTION',
  SetNull: 'SET NULL',
  SetDefault: 'SET DEFAULT',
};

function foreignKeySql(model: DataModel, table: Model, field: Field): string {
  const target = find(model.models, field.type);
  const onDelete = field.relationOnDelete ?? (field.isRequired ? 'Restrict' : 'SetNull');
  const onUpdate = field.relationOnUpdate ?? 'Cascade';
  return `ALTER TABLE ${tableOf(table)} ADD FOREIGN KEY ${columnList(table, field.relationFromFields ?? [])}
    REFERENCES ${tableOf(target)} ${columnList(target, field.relationToFields ?? [])} ON DELETE ${ACTIONS[onDelete]} ON UPDATE ${ACTIONS[onUpdate]}`;
}

function columnsOf(table: Model): Field[] {
  return table.fields.filter((field) => field.kind !== 'object');
}

function columnList(table: Model, names: string[]): string {
  return `(${names.map((name) => quote(columnOf(find(table.fields, name))))})`;
}

function tableOf(table: Model): string {
  return quote(table.dbName ?? table.name);
}

function columnOf(field: Field): string {
  return field.dbName ?? field.name;
}

function isCall(value: unknown, name: string): boolean {
  const called = (value as { name?: string } | null)?.name;
  return called?.startsWith(name) === true;
}

function find<Item extends { name: string }>(items: Item[], name: string): Item {
  const item = items.find((candidate) => candidate.name === name);
  if (!item) throw new Error(`${name} is missing in the data model`);
  return item;
}

function quote(name: string): string {
  return `"${name}"`;
}

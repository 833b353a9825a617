import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Holds what Prisma reads in a schema: the part that a database can agree with. */
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

/** Describes a database that agrees with the data model, as lines. */
export function describeModel({ enums, models, indexes }: DataModel): string[] {
  const columnNames = (model: Model, names: readonly string[]) =>
    names.map((name) => nameOf(find(model.fields, name))).join(', ');
  const typeOf = ({ kind, type, nativeType, isList }: Field) => {
    const name = kind === 'enum' ? nameOf(find(enums, type)) : TYPES[nativeType?.[0] ?? type];
    return `${name ?? fail(`no SQL is known for the type ${nativeType?.[0] ?? type}`)}${isList ? '[]' : ''}`;
  };
  const columnOf = (model: Model, field: Field) => {
    // Prisma reads null as an empty list; here a list is never null.
    const nullability = field.isRequired || field.isList ? ' not null' : '';
    const value = field.default === undefined ? '' : ` default ${defaultOf(field, { model, type: typeOf(field) })}`;
    return `column ${nameOf(model)}.${nameOf(field)} ${typeOf(field)}${nullability}${value}`;
  };
  const foreignKeyOf = (model: Model, { type, relationFromFields = [], relationToFields = [], ...field }: Field) => {
    const target = find(models, type);
    const onUpdate = actionOf('UPDATE', field.relationOnUpdate ?? 'Cascade');
    const onDelete = actionOf('DELETE', field.relationOnDelete ?? (field.isRequired ? 'Restrict' : 'SetNull'));
    const references = `${nameOf(target)}(${columnNames(target, relationToFields)})${onUpdate}${onDelete}`;
    return `foreign key ${nameOf(model)} FOREIGN KEY (${columnNames(model, relationFromFields)}) REFERENCES ${references}`;
  };
  return [
    ...enums.map((each) => `enum ${nameOf(each)} ${each.values.map(nameOf).join(', ')}`),
    ...models.flatMap((model) => [
      ...model.fields.filter(({ kind }) => kind !== 'object').map((field) => columnOf(model, field)),
      ...model.fields.filter((field) => field.relationFromFields?.length).map((field) => foreignKeyOf(model, field)),
    ]),
    ...indexes.map(({ model: name, type, fields }) => {
      const model = find(models, name);
      const kind = { id: 'primary key', unique: 'unique index', normal: 'index', fulltext: 'full text index' }[type];
      return `${kind} ${nameOf(model)} (${columnNames(
        model,
        fields.map((field) => field.name),
      )})`;
    }),
  ].sort();
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ Int: 'integer', BigInt: 'bigint', String: 'text', Boolean: 'boolean', Json: 'jsonb', Bytes: 'bytea' },
  ...{
    Date: 'date',
    Decimal: 'numeric',
    Timestamptz: 'timestamp with time zone',
    Uuid: 'uuid',
    Float: 'double precision',
  },
};

function defaultOf({ default: value, ...field }: Field, { model, type }: { model: Model; type: string }): string {
  const { name: call, args = [] } = (value ?? {}) as { name?: string; args?: string[] };
  if (call === 'autoincrement') return `nextval('${nameOf(model)}_${nameOf(field)}_seq'::regclass)`;
  if (call === 'now') return 'now()';
  if (call === 'dbgenerated') return args[0] ?? '';
  if (typeof value === 'number' || typeof value === 'boolean' || field.type === 'BigInt') return String(value);
  return `'${Array.isArray(value) ? `{${value}}` : value}'::${type}`;
}

/** PostgreSQL does not say what is its own default. */
function actionOf(event: string, action: string): string {
  return action === 'NoAction' ? '' : ` ON ${event} ${action.replace(/(?<=[a-z])(?=[A-Z])/, ' ').toUpperCase()}`;
}

const nameOf = ({ name, dbName }: { name: string; dbName?: string | null }) => dbName ?? name;

function find<Item extends { name: string }>(items: Item[], name: string): Item {
  return items.find((item) => item.name === name) ?? fail(`${name} is missing in the data model`);
}

function fail(message: string): never {
  throw new Error(message);
}

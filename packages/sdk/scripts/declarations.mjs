import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as contract from '@roundhouse/contract';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import * as z from 'zod';
import { ENTRIES, packageFolder, source } from './bundle.mjs';

// Writes the declarations of the package. The types of the contract are inlined, so that the SDK
// has no dependencies.

const CONTRACT = '@roundhouse/contract/light';
const contractFolder = path.join(packageFolder, 'node_modules/@roundhouse/contract/dist');

/** The types of these entries are all in index.d.ts. */
const SMALL = ['duties', 'fairness', 'fun', 'grants', 'input'];

const declarations = dts({ tsconfig: path.join(packageFolder, 'tsconfig.build.json') });

export async function buildDeclarations({ outDir }) {
  // It is inside the package, so that TypeScript finds the packages that are imported.
  const folder = await mkdtemp(path.join(packageFolder, 'node_modules/.declarations-'));
  try {
    const wireFile = path.join(folder, 'wire.d.ts');
    await writeFile(wireFile, wireDeclarations());
    const main = ENTRIES.filter((name) => !SMALL.includes(name));
    await write(outDir, { input: main.map(source), plugins: [inlineContract(wireFile), declarations] });
    await write(outDir, { input: SMALL.map(source), plugins: [typesOfIndex, declarations] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function write(outDir, options) {
  const onwarn = ({ message }) => {
    throw new Error(message);
  };
  const bundle = await rollup({ ...options, onwarn });
  await bundle.write({ dir: outDir, format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: '[name].d.ts' });
}

/** Imports from index.d.ts what a file imports, so that no type is declared twice. */
const typesOfIndex = {
  name: 'types-of-index',
  resolveId: (_, importer) => (importer ? { id: './index.js', external: true, moduleSideEffects: false } : null),
};

/**
 * Finds the declarations of the contract, and takes the plain types in place of those that zod
 * infers.
 */
function inlineContract(wireFile) {
  return {
    name: 'inline-contract',
    resolveId(specifier, importer = '') {
      if (specifier === CONTRACT) return path.join(contractFolder, 'light.d.ts');
      if (!importer.startsWith(contractFolder)) return null;
      if (['./fairness.ts', './fields.ts', './game.ts', './grants.ts', './refusals.ts'].includes(specifier))
        return wireFile;
      return path.join(contractFolder, specifier.replace(/\.ts$/, '.d.ts'));
    },
  };
}

/** Lists of grants that have a named type, by its name. */
const GRANT_ENUMS = { GrantState: contract.GRANT_STATES, GrantDecision: contract.GRANT_DECISIONS };

/** Lists that have a named type. */
const ENUMS = new Map([
  [String(contract.ERROR_CODES), 'ErrorCode'],
  ...Object.entries(GRANT_ENUMS).map(([name, values]) => [String(values), name]),
]);

/**
 * Returns the types of the wire in plain TypeScript, because an installation has no zod: one
 * declaration for each schema of the contract that has a title.
 */
function wireDeclarations() {
  const registry = z.registry();
  for (const schema of Object.values(contract)) {
    const title = schema instanceof z.ZodType && schema.meta()?.title;
    if (title) registry.add(schema, { id: title });
  }
  // `input` makes a field with a default optional, as it may be sent. No response has one.
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => id, unrepresentable: 'any' });
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${docOf(schema).trimStart()}export type ${name} = ${typeOf(schema)};`,
  );
  const enums = Object.entries(GRANT_ENUMS).map(([name, values]) => `export type ${name} = ${unionOf(values)};`);
  return ["import type { ErrorCode } from '@roundhouse/contract/light';", ...enums, ...types].join('\n');
}

function typeOf(schema) {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum) return ENUMS.get(String(schema.enum)) ?? unionOf(schema.enum);
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`;
  if (schema.type === 'array') return `Array<${typeOf(schema.items)}>`;
  if (schema.type === 'object') return objectTypeOf(schema);
  if (schema.type === 'integer') return 'number';
  return schema.type ?? 'unknown';
}

function unionOf(values) {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function objectTypeOf({ properties = {}, required = [], additionalProperties }) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const field = required.includes(name) ? `${name}: ${typeOf(schema)}` : `${name}?: ${typeOf(schema)} | undefined`;
    return `${docOf(schema)}    ${field};`;
  });
  if (fields.length > 0) return `{\n${fields.join('\n')}\n}`;
  return `Record<string, ${additionalProperties ? typeOf(additionalProperties) : 'never'}>`;
}

function docOf({ description }) {
  return description ? `    /** ${description} */\n` : '';
}

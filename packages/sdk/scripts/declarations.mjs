import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as contract from '@roundhouse/contract';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import * as z from 'zod';
import { packageFolder } from './bundle.mjs';

// The declarations of the package, one file for each entry. The contract is not published, so its
// types are inlined.

const CONTRACT = '@roundhouse/contract/light';
const contractFolder = path.join(packageFolder, 'node_modules/@roundhouse/contract/dist');

export async function buildDeclarations({ outDir }) {
  // Inside the package, so that TypeScript finds the packages that are imported.
  const folder = await mkdtemp(path.join(packageFolder, 'node_modules/.declarations-'));
  try {
    const wireFile = path.join(folder, 'wire.d.ts');
    await writeFile(wireFile, wireDeclarations());
    const bundle = await rollup({
      input: ['index', 'events'].map((name) => path.join(packageFolder, `src/${name}.ts`)),
      plugins: [inlineContract(wireFile), dts({ tsconfig: path.join(packageFolder, 'tsconfig.build.json') })],
      onwarn: ({ message }) => {
        throw new Error(message);
      },
    });
    await bundle.write({ dir: outDir, format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: '[name].d.ts' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

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
      if (['./fields.ts', './game.ts'].includes(specifier)) return wireFile;
      return path.join(contractFolder, specifier.replace(/\.ts$/, '.d.ts'));
    },
  };
}

/** Lists that have a type of their own. */
const ENUMS = new Map([[String(contract.ERROR_CODES), 'ErrorCode']]);

/**
 * The types of the wire in plain TypeScript, because an installation has no zod: one declaration
 * for each schema of the contract that has a title.
 */
function wireDeclarations() {
  const registry = z.registry();
  for (const schema of Object.values(contract)) {
    const title = schema instanceof z.ZodType && schema.meta()?.title;
    if (title) registry.add(schema, { id: title });
  }
  // As they may be sent: a field with a default is optional. No response has one.
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => id, unrepresentable: 'any' });
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${docOf(schema).trimStart()}export type ${name} = ${typeOf(schema)};`,
  );
  return ["import type { ErrorCode } from '@roundhouse/contract/light';", ...types].join('\n');
}

function typeOf(schema) {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum)
    return ENUMS.get(String(schema.enum)) ?? schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  if (schema.type === 'array') return `Array<${typeOf(schema.items)}>`;
  if (schema.type === 'object') return objectTypeOf(schema);
  if (schema.type === 'integer') return 'number';
  return schema.type ?? 'unknown';
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

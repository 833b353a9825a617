// The types of the wire in plain TypeScript, made from the schemas of the contract: an installation
// has no zod.
import * as contract from '@roundhouse/contract';
import * as z from 'zod';

/** Lists that have a type of their own. */
const ENUMS = new Map([
  [String(contract.CURRENCY_CODES), 'CurrencyCode'],
  [String(contract.ERROR_CODES), 'ErrorCode'],
]);

/** One declaration for each schema of the contract that has a title. */
export function wireDeclarations() {
  const registry = z.registry();
  for (const schema of Object.values(contract)) {
    const title = schema instanceof z.ZodType && schema.meta()?.title;
    if (title) registry.add(schema, { id: title });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => id, unrepresentable: 'any' });
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${docOf(schema).trimStart()}export type ${name} = ${typeOf(schema)};`,
  );
  return ["import type { CurrencyCode, ErrorCode } from '@roundhouse/contract/light';", ...types].join('\n');
}

function typeOf(schema) {
  if (schema.$ref !== undefined) return schema.$ref;
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
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${docOf(schema)}    ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  if (fields.length > 0) return `{\n${fields.join('\n')}\n}`;
  return `Record<string, ${additionalProperties ? typeOf(additionalProperties) : 'never'}>`;
}

function docOf({ description }) {
  return description ? `    /** ${description} */\n` : '';
}

import fc from 'fast-check';
import * as z from 'zod';

type JsonSchema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  examples?: unknown[];
  pattern?: string;
  format?: string;
} & Partial<Record<'minLength' | 'maxLength' | 'minimum' | 'maximum', number>>;

const LONGEST = 2_000;
/** Samples of formats that a generator does not meet by chance. */
const FORMATS: Readonly<Record<string, string[]>> = {
  uri: ['https://casino.example/lobby?a=1', 'http://a', 'javascript:alert(1)', 'https://[::1'],
  // biome-ignore format: one list
  'date-time': ['2026-11-22T10:00:00Z', '1969-12-31T23:59:59.999999+14:00', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z'],
};

/**
 * Values of a schema of the contract: good ones, those at its limits, and those one step beyond.
 */
export function valuesOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  return arbitraryOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
}

function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { anyOf, examples = [], items = {} } = schema;
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(arbitraryOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum, 'unknown');
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.type === 'object') return objectOf(schema);
  if (schema.type === 'array') return fc.array(arbitraryOf(items), { maxLength: 3 });
  if (schema.type === 'boolean') return fc.constantFrom<unknown>(true, false, true, false, 'true', null);
  const named = examples.map((example) => fc.constant(example));
  if (schema.type === 'integer' || schema.type === 'number') return fc.oneof(numberOf(schema), ...named);
  if (schema.type === 'string') return fc.oneof(textOf(schema), ...named);
  return fc.jsonValue();
}

function objectOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, schema]) => {
    const isLikely = required.includes(name);
    // A required member that is missing hides the issues of the others.
    return fc.option(arbitraryOf(schema), { nil: undefined, freq: isLikely ? 40 : 2 }).map((value) => [name, value]);
  });
  return fc.tuple(...members).map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

function numberOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): fc.Arbitrary<number> {
  const limits = [minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1, -0, 0.5, 2 ** 53, 1e300];
  return fc.oneof(fc.constantFrom(...limits), fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }));
}

function textOf({ minLength = 1, maxLength = 64, pattern, format = '' }: JsonSchema): fc.Arbitrary<string> {
  const samples = FORMATS[format];
  if (samples !== undefined) return fc.constantFrom(...samples);
  if (pattern !== undefined) return fc.oneof(fc.stringMatching(new RegExp(pattern)), fc.string({ maxLength: 4 }));
  const lengths = [minLength - 1, minLength, maxLength - 1, maxLength, maxLength + 1];
  const atLimit = fc
    .tuple(fc.constantFrom('x', 'é', '漢', '😀', '"', '\u0000', '\ud800'), fc.constantFrom(...lengths))
    .map(([character, length]) => character.repeat(Math.max(0, Math.min(length, LONGEST))));
  return fc.oneof(atLimit, fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ minLength: 1, maxLength: 20 }));
}

import fc from 'fast-check';
import * as z from 'zod';

/** Returns one of the arbitraries, each as often as its weight says. */
export const weighted = <Value>(...choices: [weight: number, arbitrary: fc.Arbitrary<Value>][]): fc.Arbitrary<Value> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** These texts have broken parsers, columns or logs. */
const NASTY_TEXTS = [
  '',
  '\u0000',
  '\u0000:',
  '\ud800',
  '\udfb0\ud83c',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  '\\',
  '\u2028',
];
/** Lists JSON numbers, also those that no double holds. */
// biome-ignore format: one list
const NASTY_NUMBERS = [
  '-0', '-1', '0.5', '1e300', '1e400', '1e-400', '9007199254740991', '9007199254740992', '1000000.5', '1e6',
];

const text = fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string({ unit: 'binary', maxLength: 300 }));
/** Makes JSON text of one value. */
const jsonText = weighted<string>(
  [3, fc.json({ stringUnit: 'binary', depthSize: 'small' })],
  [2, text.map((value) => JSON.stringify(value))],
  [2, fc.constantFrom(...NASTY_NUMBERS)],
);

type JsonSchema = Record<string, any>;

/** Makes values of a schema of the contract: good ones, at its limits, and one step beyond. */
export const valuesOf = (schema: z.ZodType): fc.Arbitrary<unknown> =>
  arbitraryOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));

function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, anyOf, examples = [], items = {} } = schema;
  if (anyOf !== undefined) return fc.oneof(...(anyOf as JsonSchema[]).map(arbitraryOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum, 'unknown');
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (type === 'array') return fc.array(arbitraryOf(items), { maxLength: 3 });
  if (type === 'boolean') return fc.constantFrom<unknown>(true, false, true, false, 'true', null);
  const named = examples.map((example: unknown) => fc.constant(example));
  if (type === 'integer' || type === 'number') return fc.oneof(numberOf(schema), ...named);
  if (type === 'string') return fc.oneof(textOf(schema), ...named);
  if (type !== 'object') return fc.jsonValue();
  const { properties = {}, required = [] } = schema;
  const members = Object.entries<JsonSchema>(properties).map(([name, each]) =>
    // A required member that is missing hides the issues of the others.
    fc.option(
      arbitraryOf(each).map((value) => [name, value]),
      { freq: required.includes(name) ? 40 : 2 },
    ),
  );
  return fc.tuple(...members).map((entries) => Object.fromEntries(entries.filter((entry) => entry !== null)));
}

function numberOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): fc.Arbitrary<number> {
  const limits = [minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1, -0, 0.5, 2 ** 53, 1e300];
  return fc.oneof(fc.constantFrom(...limits), fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }));
}

function textOf({ minLength = 1, maxLength = 64, pattern, format }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uri') return fc.oneof(fc.webUrl(), fc.constantFrom('javascript:alert(1)', 'https://[::1'));
  if (pattern !== undefined) return fc.oneof(fc.stringMatching(new RegExp(pattern)), fc.string({ maxLength: 4 }));
  const lengths = [minLength - 1, minLength, maxLength - 1, maxLength, maxLength + 1].map((each) => Math.max(0, each));
  const atLimit = fc
    .tuple(fc.constantFrom('x', 'é', '漢', '😀', '"', '\u0000', '\ud800'), fc.constantFrom(...lengths))
    .map(([character, length]) => character.repeat(length));
  return fc.oneof(atLimit, fc.string({ unit: 'binary', maxLength: 20 }));
}

/** Makes a good body's JSON with members changed, left out, added or moved. */
function mutatedBody(good: object): fc.Arbitrary<string> {
  const members = Object.entries(good).map(([name, value]) => {
    const json = weighted([4, fc.constant(JSON.stringify(value))], [2, jsonText]);
    return fc.option(fc.tuple(fc.constant(name), json), { freq: 12 });
  });
  const added = fc.array(fc.tuple(fc.oneof(text, fc.constantFrom(...Object.keys(good))), jsonText), { maxLength: 1 });
  return fc.tuple(fc.tuple(...members), added).chain(([kept, more]) => {
    const all = [...kept.filter((member) => member !== null), ...more];
    const ordered = fc.shuffledSubarray(all, { minLength: all.length });
    return ordered.map((each) => `{${each.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`);
  });
}

const MOST_BYTES = 16 * 1024;
const padded = (json: string, bytes: number) => json + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(json)));
const withMember = (json: string, member: string) => json.replace('{', () => `{${member},`);

export type Body = string | Uint8Array;
/** Lists ways to write the JSON of a good body, sound and broken. */
const WRITINGS: readonly ((json: string) => Body)[] = [
  (json) => `\uFEFF${json}`,
  (json) => Buffer.from(json, 'utf16le'),
  (json) => json.replace(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  (json) => json.replace(/:(\d+)/g, ':$1.0e0'),
  (json) => json.replace(/:(\d+)/g, (_, digits) => `:${digits}.${'0'.repeat(15_000)}1`),
  (json) => json.replace(/:(\d+)/g, (_, digits) => `:${digits}${'0'.repeat(5_000)}e-5000`),
  (json) => withMember(json, '"amount":1,"amou\\u006et":200000'),
  (json) => withMember(json, `"deep":${'['.repeat(7_000)}${']'.repeat(7_000)}`),
  (json) => withMember(json, Array.from({ length: 1_500 }, (_, index) => `"${index}":0`).join(',')),
  (json) => withMember(json, '"__proto__":{"amount":1},"constructor":{"prototype":{}}'),
  ...[MOST_BYTES - 1, MOST_BYTES, MOST_BYTES + 1, 100_000].map((bytes) => (json: string) => padded(json, bytes)),
];

/** Makes the JSON of values, some of it written in another way, or broken. */
export const jsonBody = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Body> =>
  fc
    .tuple(values, fc.option(fc.constantFrom(...WRITINGS), { freq: 2 }))
    .map(([value, write]) => (write ?? String)(JSON.stringify(value) ?? ''));

/** Makes any JSON, any text, any bytes, and a good body that was changed. */
export const anyBody = (good: object): fc.Arbitrary<Body> =>
  weighted<Body>(
    [6, mutatedBody(good)],
    [3, jsonBody(fc.constant(good))],
    [2, jsonText],
    [1, text],
    [1, fc.uint8Array({ maxLength: 200 })],
  );

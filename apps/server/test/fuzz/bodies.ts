import fc from 'fast-check';

/** Texts that have broken somebody's parser, column or log before. */
// biome-ignore format: one list
const NASTY_TEXTS = [
  '', ' ', '\u0000', '\ud800', '\udfb0\ud83c', '__proto__', 'constructor', 'NaN', '-0', "' OR 1=1 --", '{}', '\\', '\u2028',
];

/** Numbers as they are written in JSON, also those that no double holds. */
// biome-ignore format: one list
const NASTY_NUMBERS = [
  '0', '-0', '-1', '0.5', '1e300', '1e400', '-1e400', '1e-400', '9007199254740991', '9007199254740992', '1000000.5', '1e6',
  '18446744073709551616',
];

const text = fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string({ unit: 'binary', maxLength: 300 }));
/** JSON text of one value. */
const jsonText = fc.oneof(
  { weight: 3, arbitrary: fc.json({ stringUnit: 'binary', depthSize: 'small' }) },
  { weight: 2, arbitrary: text.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.constantFrom(...NASTY_NUMBERS) },
  { weight: 1, arbitrary: fc.maxSafeInteger().map(String) },
);

/** The JSON of a good body of which members have another value, are left out, added or moved. */
function mutatedBody(good: object): fc.Arbitrary<string> {
  const members = Object.entries(good).map(([name, value]) => {
    const json = fc.oneof(
      { weight: 4, arbitrary: fc.constant(JSON.stringify(value)) },
      { weight: 2, arbitrary: jsonText },
    );
    return fc.option(fc.tuple(fc.constant(name), json), { freq: 12 });
  });
  const added = fc.array(fc.tuple(fc.oneof(text, fc.constantFrom(...Object.keys(good))), jsonText), { maxLength: 1 });
  return fc.tuple(fc.tuple(...members), added, fc.boolean()).map(([kept, more, isReversed]) => {
    const all = [...kept.filter((member) => member !== null), ...more];
    const ordered = isReversed ? all.toReversed() : all;
    return `{${ordered.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
  });
}

export type Body = string | Uint8Array;

/** The JSON of values, at times written in another way, or in one that is no JSON any more. */
export function jsonBody(values: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const writings = fc.oneof(
    { weight: 6, arbitrary: fc.constant((json: string): Body => json) },
    { weight: 4, arbitrary: fc.constantFrom(...WRITINGS) },
  );
  return fc.tuple(values, writings).map(([value, write]) => write(JSON.stringify(value) ?? ''));
}

const MOST_BYTES = 16 * 1024;
const padded = (json: string, bytes: number) => json + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(json)));
/** The same object with this member before the others. */
const withMember = (json: string, member: string) => json.replace('{', () => `{${member},`);

const WRITINGS: readonly ((json: string) => Body)[] = [
  (json) => `\uFEFF${json}`,
  (json) => Buffer.from(json, 'utf16le'),
  (json) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(json, 'utf16le')]),
  (json) => Buffer.from(json, 'latin1'),
  (json) => Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xc0, 0x80, 0x7d])]),
  (json) => json.replace(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  (json) => json.replaceAll('"', "'"),
  (json) => `${json}${json}`,
  (json) => `${json},`,
  (json) => json.replace(/\}$/, ',}'),
  (json) => `// a comment\n${json}`,
  (json) => json.replace(/:(\d+)/g, ':$1.0'),
  (json) => json.replace(/:(\d+)/g, ':$1e0'),
  (json) => json.replace(/:(\d+)/g, (_, digits) => `:${digits}.${'0'.repeat(15_000)}1`),
  (json) => json.replace(/:(\d+)/g, (_, digits) => `:${'0'.repeat(3)}${digits}`),
  (json) => json.replace(/:(\d+)/g, (_, digits) => `:${digits}${'0'.repeat(5_000)}e-5000`),
  (json) => withMember(json, '"sessionID":"another"'),
  (json) => withMember(json, '"amount":1,"amou\\u006et":200000'),
  (json) => withMember(json, `"deep":${'['.repeat(7_000)}${']'.repeat(7_000)}`),
  (json) => withMember(json, `"deep":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`),
  (json) => withMember(json, Array.from({ length: 1_500 }, (_, index) => `"${index}":0`).join(',')),
  (json) => withMember(json, `"quotes":"${'\\"'.repeat(7_000)}"`),
  (json) => withMember(json, '"__proto__":{"amount":1},"constructor":{"prototype":{}}'),
  (json) => padded(json, MOST_BYTES - 1),
  (json) => padded(json, MOST_BYTES),
  (json) => padded(json, MOST_BYTES + 1),
  (json) => padded(json, 100_000),
];

/** Anything at all: any JSON, any text, any bytes, and a good body that was changed. */
export function anyBody(good: object): fc.Arbitrary<Body> {
  return fc.oneof(
    { weight: 6, arbitrary: mutatedBody(good) },
    { weight: 3, arbitrary: jsonBody(fc.constant(good)) },
    { weight: 2, arbitrary: jsonText },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  );
}

/** Latin-1 without what fetch itself refuses to send: control characters, and blank values. */
const headerText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 140 })
  .filter((value) => value.trim() !== '' && !value.includes('\u007f'));

/** Headers that a client may send with any body, sound or not. */
export const anyHeaders: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom('Content-Type', 'Idempotency-Key', 'X-Request-Id', 'Accept', 'Origin', 'Authorization'),
  headerText,
  { maxKeys: 3, noNullPrototype: true },
);

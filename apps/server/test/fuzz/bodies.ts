import fc from 'fast-check';

/** One of the arbitraries, each as often as its weight says. */
export const weighted = <Value>(...choices: [weight: number, arbitrary: fc.Arbitrary<Value>][]): fc.Arbitrary<Value> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Texts that have broken parsers, columns or logs. */
// biome-ignore format: one list
const NASTY_TEXTS = [
  '', ' ', '\u0000', '\ud800', '\udfb0\ud83c', '__proto__', 'constructor', 'NaN', '-0', "' OR 1=1 --", '{}', '\\', '\u2028',
];

/** JSON numbers, also those that no double holds. */
// biome-ignore format: one list
const NASTY_NUMBERS = [
  '0', '-0', '-1', '0.5', '1e300', '1e400', '-1e400', '1e-400', '9007199254740991', '9007199254740992', '1000000.5', '1e6',
  '18446744073709551616',
];

const text = fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string({ unit: 'binary', maxLength: 300 }));
/** JSON text of one value. */
const jsonText = weighted<string>(
  [3, fc.json({ stringUnit: 'binary', depthSize: 'small' })],
  [2, text.map((value) => JSON.stringify(value))],
  [2, fc.constantFrom(...NASTY_NUMBERS)],
  [1, fc.maxSafeInteger().map(String)],
);

/** The JSON of a good body of which members have another value, are left out, added or moved. */
function mutatedBody(good: object): fc.Arbitrary<string> {
  const members = Object.entries(good).map(([name, value]) => {
    const json = weighted([4, fc.constant(JSON.stringify(value))], [2, jsonText]);
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

/** The JSON of values, some of it written in another way, or broken. */
export function jsonBody(values: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const writings = weighted<Writing>([6, fc.constant((json) => json)], [4, fc.constantFrom(...WRITINGS)]);
  return fc.tuple(values, writings).map(([value, write]) => write(JSON.stringify(value) ?? ''));
}

const MOST_BYTES = 16 * 1024;
const padded = (json: string, bytes: number) => json + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(json)));
/** The same object with this member before the others. */
const withMember = (json: string, member: string) => json.replace('{', () => `{${member},`);

type Writing = (json: string) => Body;
const WRITINGS: readonly Writing[] = [
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

/** Any JSON, any text, any bytes, and a good body that was changed. */
export function anyBody(good: object): fc.Arbitrary<Body> {
  return weighted<Body>(
    [6, mutatedBody(good)],
    [3, jsonBody(fc.constant(good))],
    [2, jsonText],
    [1, text],
    [1, fc.uint8Array({ maxLength: 200 })],
  );
}

/** Latin-1 without control characters below 0x20. */
export const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 140,
});
/** fetch refuses to send others. */
const fetchedText = headerText.filter((value) => value.trim() !== '' && !value.includes('\u007f'));

/** Headers that a client may send with any body, sound or not. */
export const anyHeaders: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom('Content-Type', 'Idempotency-Key', 'X-Request-Id', 'Accept', 'Origin', 'Authorization'),
  fetchedText,
  { maxKeys: 3, noNullPrototype: true },
);

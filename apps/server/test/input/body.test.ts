import { describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import {
  EMPTY_BODY,
  type ExactRefusal,
  NOT_AN_OBJECT,
  NOT_JSON,
  NOT_UTF8,
  wrongType,
} from '../support/exactRefusals.ts';
import { expectRefusedExactly } from '../support/expectExactly.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { ENDPOINT_NAMES, useGoodCalls } from '../support/goodCalls.ts';

type BrokenBody = { what: string; of: (good: string) => string | Uint8Array; refusal: ExactRefusal };

const DEPTH = 8_000;
const BOM = '\ufeff';

/** The good body with bytes that no UTF-8 text has, inside of a field that would be ignored. */
const withBytes = (good: string, bytes: readonly number[]) =>
  Buffer.concat([Buffer.from(`${good.slice(0, -1)},"meta":"`), Buffer.from(bytes), Buffer.from('"}')]);

const NOT_THERE: BrokenBody[] = [
  { what: 'empty', of: () => '', refusal: EMPTY_BODY },
  { what: 'a byte order mark alone', of: () => BOM, refusal: NOT_JSON },
  { what: 'only spaces', of: () => ' \r\n\t', refusal: NOT_JSON },
];

const BROKEN_JSON: BrokenBody[] = [
  { what: 'no JSON', of: () => 'sessionID=1&amount=1000000', refusal: NOT_JSON },
  { what: 'cut off', of: (good) => good.slice(0, -1), refusal: NOT_JSON },
  { what: 'two objects', of: (good) => good + good, refusal: NOT_JSON },
  { what: 'followed by text', of: (good) => `${good};`, refusal: NOT_JSON },
  { what: 'followed by U+0000', of: (good) => `${good}\u0000`, refusal: NOT_JSON },
  { what: 'with a comma too many', of: (good) => `${good.slice(0, -1)},}`, refusal: NOT_JSON },
  { what: 'with a comment', of: (good) => `/* bet */${good}`, refusal: NOT_JSON },
  { what: 'in single quotes', of: (good) => good.replaceAll('"', "'"), refusal: NOT_JSON },
  { what: 'with keys unquoted', of: (good) => good.replace('"sessionID"', 'sessionID'), refusal: NOT_JSON },
  { what: 'with a raw line break in a text', of: (good) => `${good.slice(0, -1)},"a":"\n"}`, refusal: NOT_JSON },
  { what: 'with NaN in an ignored field', of: (good) => `${good.slice(0, -1)},"a":NaN}`, refusal: NOT_JSON },
  { what: 'with a hexadecimal number', of: (good) => `${good.slice(0, -1)},"a":0x10}`, refusal: NOT_JSON },
  { what: 'behind two byte order marks', of: (good) => BOM + BOM + good, refusal: NOT_JSON },
  { what: 'objects nested without end', of: () => '{"a":'.repeat(3_000), refusal: NOT_JSON },
  { what: 'arrays nested without end', of: () => '['.repeat(16_000), refusal: NOT_JSON },
];

const NO_OBJECT: BrokenBody[] = [
  { what: 'an array', of: (good) => `[${good}]`, refusal: NOT_AN_OBJECT },
  { what: 'an empty array', of: () => '[]', refusal: NOT_AN_OBJECT },
  { what: 'a text', of: (good) => JSON.stringify(good), refusal: NOT_AN_OBJECT },
  { what: 'null', of: () => 'null', refusal: NOT_AN_OBJECT },
  { what: 'a number', of: () => '1000000', refusal: NOT_AN_OBJECT },
  { what: 'true', of: () => 'true', refusal: NOT_AN_OBJECT },
  { what: 'deeply nested arrays', of: () => '['.repeat(DEPTH) + ']'.repeat(DEPTH), refusal: NOT_AN_OBJECT },
];

const NO_UTF8: BrokenBody[] = [
  { what: 'a byte that no UTF-8 has', of: (good) => withBytes(good, [0xff]), refusal: NOT_UTF8 },
  { what: 'an overlong character', of: (good) => withBytes(good, [0xc0, 0xaf]), refusal: NOT_UTF8 },
  { what: 'half a surrogate pair', of: (good) => withBytes(good, [0xed, 0xa0, 0x80]), refusal: NOT_UTF8 },
  { what: 'a character cut off', of: (good) => withBytes(good, [0xe6, 0xbc]), refusal: NOT_UTF8 },
  { what: 'a character above U+10FFFF', of: (good) => withBytes(good, [0xf4, 0x90, 0x80, 0x80]), refusal: NOT_UTF8 },
  { what: 'Latin-1', of: (good) => withBytes(good, [0xe9]), refusal: NOT_UTF8 },
  { what: 'UTF-16 with its mark', of: (good) => Buffer.from(BOM + good, 'utf16le'), refusal: NOT_UTF8 },
  // Without the mark it is UTF-8, if not of what was meant: every other character is U+0000.
  { what: 'UTF-16 without its mark', of: (good) => Buffer.from(good, 'utf16le'), refusal: NOT_JSON },
  { what: 'UTF-16, big end first', of: (good) => Buffer.from(good, 'utf16le').swap16(), refusal: NOT_JSON },
];

const server = useCheckedServer();
const calls = useGoodCalls(server);

describe.each(ENDPOINT_NAMES)('a body that is no JSON object, at %s', (name) => {
  test.each([...NOT_THERE, ...BROKEN_JSON, ...NO_OBJECT, ...NO_UTF8])('$what', async ({ of, refusal }) => {
    const { path, body } = calls[name];
    await expectRefusedExactly(server, { path, body: of(JSON.stringify(body)) }, refusal);
  });

  test.each([
    ['arrays', '['.repeat(DEPTH) + ']'.repeat(DEPTH), 'array'],
    ['objects', '{"a":'.repeat(2_000) + '0'.concat('}'.repeat(2_000)), 'object'],
  ])('deeply nested %s for a sessionID', async (_what, nested, received) => {
    const refusal = wrongType('sessionID', 'string', received);
    const { path, body } = calls[name];
    const { sessionID: _sessionID, ...others } = body;
    const text = JSON.stringify({ ...others, sessionID: 0 }).replace('"sessionID":0', `"sessionID":${nested}`);
    await expectRefusedExactly(server, { path, body: text }, refusal);
  });
});

describe('a body that is a JSON object after all', () => {
  const bet = (sessionID: string) => JSON.stringify({ sessionID, amount: UNIT, mode: 'BASE' });

  test.each([
    ['behind a byte order mark', (good: string) => BOM + good],
    ['among spaces and line breaks', (good: string) => ` \r\n${good}\t\n`],
    [
      'with every key escaped',
      (good: string) => good.replace('"amount"', '"\\u0061\\u006d\\u006f\\u0075\\u006e\\u0074"'),
    ],
    ['with a slash escaped', (good: string) => `${good.slice(0, -1)},"a":"\\/"}`],
    [
      'with deeply nested arrays to ignore',
      (good: string) => `${good.slice(0, -1)},"a":${'['.repeat(7_000)}${']'.repeat(7_000)}}`,
    ],
    ['with braces and colons inside of a text', (good: string) => `${good.slice(0, -1)},"a":"{\\"amount\\":1,[}"}`],
    ['with a number to ignore that no double holds', (good: string) => `${good.slice(0, -1)},"a":1e400}`],
    ['with half a surrogate pair to ignore', (good: string) => `${good.slice(0, -1)},"a":"\\ud800"}`],
  ])('%s', async (_what, written) => {
    const sessionID = await server.liveSession();
    await server.post('/game/force', { sessionID, bookID: BOOK.pays150 });
    const { status, body } = await server.post('/wallet/play', written(bet(sessionID)));
    expect([status, body.balance?.amount, body.round?.payout]).toEqual([200, OPENING - UNIT, 1.5 * UNIT]);
  });
});

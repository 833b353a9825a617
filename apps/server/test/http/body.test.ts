import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { ENDPOINT_NAMES, useGoodCalls } from '../support/goodCalls.ts';
import { chunked, exchangeRaw, parseRaw, rawHead } from '../support/rawHttp.ts';
import { expectNothingChanged, expectRefusal, expectRefused } from '../support/snapshot.ts';

const server = useCheckedServer();
const calls = useGoodCalls(server);

const DEPTH = 8_000;
const KIB = 1024;
const MIB = KIB * KIB;
const MAX_BYTES = 16 * KIB;
const BOM = '\ufeff';

type Change = (good: string) => string | Uint8Array;

const withMembers = (good: string, members: string) => `${good.slice(0, -1)},${members}}`;

/** Bytes that no UTF-8 text has, inside a field that would be ignored. */
const withBytes = (good: string, bytes: readonly number[]) =>
  Buffer.concat([Buffer.from(`${good.slice(0, -1)},"meta":"`), Buffer.from(bytes), Buffer.from('"}')]);

/** The same request with padding to ignore, of exactly so many bytes. */
const sized = (good: string, bytes: number) => {
  const start = `${good.slice(0, -1)},"padding":"`;
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
};

const EMPTY = 'empty';
const JSON_ERROR = 'not JSON';
const NO_OBJECT = 'not a JSON object';
const UTF8 = 'UTF-8';
const TWICE = 'twice';
const TOO_LARGE = '16 KiB';

describe('a body that is no JSON object is refused', () => {
  it.each<[string, Change, string]>([
    ['empty', () => '', EMPTY],
    ['a byte order mark alone', () => BOM, JSON_ERROR],
    ['only spaces', () => ' \r\n\t', JSON_ERROR],
    ['a form', () => 'sessionID=1&amount=1000000', JSON_ERROR],
    ['cut off', (good) => good.slice(0, -1), JSON_ERROR],
    ['two objects', (good) => good + good, JSON_ERROR],
    ['followed by text', (good) => `${good};`, JSON_ERROR],
    ['followed by U+0000', (good) => `${good}\u0000`, JSON_ERROR],
    ['with a comma too many', (good) => `${good.slice(0, -1)},}`, JSON_ERROR],
    ['with a comment', (good) => `/* bet */${good}`, JSON_ERROR],
    ['in single quotes', (good) => good.replaceAll('"', "'"), JSON_ERROR],
    ['with keys unquoted', (good) => good.replace('"sessionID"', 'sessionID'), JSON_ERROR],
    ['with a raw line break in a text', (good) => withMembers(good, '"a":"\n"'), JSON_ERROR],
    ['with NaN in an ignored field', (good) => withMembers(good, '"a":NaN'), JSON_ERROR],
    ['with a hexadecimal number', (good) => withMembers(good, '"a":0x10'), JSON_ERROR],
    ['behind two byte order marks', (good) => BOM + BOM + good, JSON_ERROR],
    ['objects nested without end', () => '{"a":'.repeat(3_000), JSON_ERROR],
    ['arrays nested without end', () => '['.repeat(16_000), JSON_ERROR],
    ['an array', (good) => `[${good}]`, NO_OBJECT],
    ['a text', (good) => JSON.stringify(good), NO_OBJECT],
    ['null', () => 'null', NO_OBJECT],
    ['a number', () => '1000000', NO_OBJECT],
    ['true', () => 'true', NO_OBJECT],
    ['deeply nested arrays', () => '['.repeat(DEPTH) + ']'.repeat(DEPTH), NO_OBJECT],
    ['a byte that no UTF-8 has', (good) => withBytes(good, [0xff]), UTF8],
    ['an overlong character', (good) => withBytes(good, [0xc0, 0xaf]), UTF8],
    ['half a surrogate pair in bytes', (good) => withBytes(good, [0xed, 0xa0, 0x80]), UTF8],
    ['a character cut off', (good) => withBytes(good, [0xe6, 0xbc]), UTF8],
    ['a character above U+10FFFF', (good) => withBytes(good, [0xf4, 0x90, 0x80, 0x80]), UTF8],
    ['Latin-1', (good) => withBytes(good, [0xe9]), UTF8],
    ['UTF-16 with its mark', (good) => Buffer.from(BOM + good, 'utf16le'), UTF8],
    // Without the mark it is UTF-8 of another text: every other character is U+0000.
    ['UTF-16 without its mark', (good) => Buffer.from(good, 'utf16le'), JSON_ERROR],
    ['UTF-16, big end first', (good) => Buffer.from(good, 'utf16le').swap16(), JSON_ERROR],
    // Of two equal keys JSON.parse keeps the last; a proxy may decide by the first.
    ['with a key twice', (good) => withMembers(good, '"sessionID":"another"'), TWICE],
    ['with a key twice, once null', (good) => withMembers(good, '"sessionID":null'), TWICE],
    ['with a key twice, once with an escape', (good) => withMembers(good, '"\\u0073essionID":"another"'), TWICE],
    [
      'with a key twice, once all escapes',
      (good) => withMembers(good, '"\\u0073\\u0065\\u0073\\u0073\\u0069\\u006f\\u006e\\u0049\\u0044":"another"'),
      TWICE,
    ],
    [
      'with a key twice, behind a field to ignore',
      (good) => withMembers(good, '"meta":{"sessionID":"a"},"sessionID":"b"'),
      TWICE,
    ],
    ['with an ignored key twice', (good) => withMembers(good, '"meta":1,"meta":2'), TWICE],
    ['with an ignored key twice, of one value', (good) => withMembers(good, '"meta":1,"meta":1'), TWICE],
    ['with the empty key twice', (good) => withMembers(good, '"":1,"":2'), TWICE],
    ['with __proto__ twice', (good) => withMembers(good, '"__proto__":{},"__proto__":{}'), TWICE],
    [
      'with constructor twice, once with an escape',
      (good) => withMembers(good, '"constructor":1,"\\u0063onstructor":2'),
      TWICE,
    ],
    ['with half a surrogate pair as key twice', (good) => withMembers(good, '"\\ud800":1,"\\uD800":2'), TWICE],
    ['all of it twice', (good) => withMembers(good, good.slice(1, -1)), TWICE],
    ['of one byte more than 16 KiB', (good) => sized(good, MAX_BYTES + 1), TOO_LARGE],
    ['of 1 MiB', (good) => sized(good, MIB), TOO_LARGE],
    ['of 1 MiB that is no JSON either', () => '['.repeat(MIB), TOO_LARGE],
  ])('%s, at each endpoint', async (_what, change, about) => {
    for (const name of ENDPOINT_NAMES) {
      const { path, body } = calls[name];
      await expectRefused(server, { path, body: change(JSON.stringify(body)) }, 'ERR_VAL', about);
    }
  });

  it.each([
    ['amount', 'play', '"amount":200000'],
    ['amount, with an escape', 'play', '"\\u0061mount":200000'],
    ['mode', 'play', '"mode":"BONUS"'],
    ['mode, with an escape', 'play', '"mod\\u0065":"BONUS"'],
    ['event', 'event', '"event":"picked:2"'],
  ] as const)('with %s twice, at %s', async (_what, name, members) => {
    const { path, body } = calls[name];
    await expectRefused(server, { path, body: withMembers(JSON.stringify(body), members) }, 'ERR_VAL', TWICE);
  });

  it.each([MAX_BYTES + 1, MIB])('%d bytes in chunks, at each endpoint', async (bytes) => {
    for (const name of ENDPOINT_NAMES) {
      const { path, body } = calls[name];
      const send = () => sendChunked(path, sized(JSON.stringify(body), bytes));
      expectRefusal(await expectNothingChanged(server, send), 'ERR_VAL', TOO_LARGE);
    }
  });

  it.each<[string, string, Change]>([
    ['gzip', 'gzip', gzipSync],
    ['GZIP', 'GZIP', gzipSync],
    ['deflate', 'deflate', deflateSync],
    ['br', 'br', brotliCompressSync],
    ['packed twice', 'gzip, gzip', (good) => gzipSync(gzipSync(good))],
    ['packed as nobody knows', 'lzma', gzipSync],
    ['not packed at all', 'gzip', (good) => good],
    ['8 MiB within a few KiB', 'gzip', (good) => gzipSync(sized(good, 8 * MIB))],
  ])('with a Content-Encoding, unread, at each endpoint: %s', async (_what, encoding, pack) => {
    const headers = { 'Content-Encoding': encoding };
    for (const name of ENDPOINT_NAMES) {
      const { path, body } = calls[name];
      await expectRefused(server, { path, body: pack(JSON.stringify(body)), headers }, 'ERR_VAL', 'Content-Encoding');
    }
  });

  it('with an unknown character set in its Content-Type', async () => {
    const { path, body } = calls.play;
    const bytes = new TextEncoder().encode(JSON.stringify({ ...body, sessionID: 1 }));
    await expectRefused(server, { path, body: bytes, headers: { 'Content-Type': 'a/b; charset=x' } }, 'ERR_VAL');
  });
});

/** 64 MiB of one letter, as brotli with the largest window: to unpack it takes 16 MB. */
const BOMB = Buffer.from('z///f/gl8OKxQCD3/p/////wSwDEYQGA7v0/////4ZcAiMMiAN37//z//8cvARCHBQC69/8=', 'base64');

it('two hundred packed bodies at once take no memory to speak of', async () => {
  const before = process.memoryUsage.rss();
  const send = () => server.post('/wallet/balance', BOMB, { 'Content-Encoding': 'br' });
  for (const response of await Promise.all(Array.from({ length: 200 }, send))) expectRefusal(response, 'ERR_VAL');
  expect((process.memoryUsage.rss() - before) / MIB).toBeLessThan(300);
});

describe('the sessionID is a required text at each endpoint, and nothing stands in for it', () => {
  const nested: [string, string][] = [
    ['deeply nested arrays', '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
    ['deeply nested objects', '{"a":'.repeat(2_000) + '0'.concat('}'.repeat(2_000))],
  ];
  it.each<[string, Change]>([
    ['missing', (good) => good.replace(/"sessionID":"[^"]*",?/, '')],
    ...['null', '12345', 'true', '["live"]', '{"id":"live"}'].map((value): [string, Change] => [
      value,
      (good) => good.replace(/"sessionID":"[^"]*"/, `"sessionID":${value}`),
    ]),
    ...nested.map(([what, value]): [string, Change] => [
      what,
      (good) => good.replace(/"sessionID":"[^"]*"/, `"sessionID":${value}`),
    ]),
    ['in __proto__', (good) => `{"__proto__":${good}}`],
    ['in an escaped __proto__', (good) => `{"\\u005f_proto__":${good}}`],
    ['in constructor', (good) => `{"constructor":${good}}`],
    ['in the prototype of constructor', (good) => `{"constructor":{"prototype":${good}}}`],
    ['in prototype', (good) => `{"prototype":${good}}`],
    ['in body', (good) => `{"body":${good}}`],
    ['in another case', (good) => good.replace('"sessionID"', '"sessionid"')],
    ['with a space behind', (good) => good.replace('"sessionID"', '"sessionID "')],
    ['with U+0000 behind', (good) => good.replace('"sessionID"', '"sessionID\\u0000"')],
  ])('%s', async (_what, change) => {
    for (const name of ENDPOINT_NAMES) {
      const { path, body } = calls[name];
      await expectRefused(server, { path, body: change(JSON.stringify(body)) }, 'ERR_VAL', 'sessionID: ');
    }
  });

  it('in a header or the query', async () => {
    for (const name of ENDPOINT_NAMES) {
      const { sessionID, ...others } = calls[name].body;
      const headers = { Authorization: `Bearer ${sessionID}`, Cookie: `sessionID=${sessionID}`, sessionID };
      const path = `${calls[name].path}?sessionID=${sessionID}`;
      await expectRefused(server, { path, body: others, headers }, 'ERR_VAL', 'sessionID: ');
    }
  });
});

describe('a body that is a JSON object is read', () => {
  const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body));

  it.each([
    undefined,
    'application/json',
    'application/json; charset=utf-8',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'not a type',
  ])('under Content-Type %s, at each endpoint', async (type) => {
    const sessionID = await server.newSession();
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
    // Play before event, end-round last: each then has what it needs.
    for (const index of [0, 1, 2, 4, 3]) {
      const { path, more } = ENDPOINTS[index] as (typeof ENDPOINTS)[number];
      const { status } = await server.post(path, bytesOf({ sessionID, ...more }), headers);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it.each(ENDPOINTS)('with unknown fields, and in 16 KiB, at $path', async ({ path, more }) => {
    const extra = { language: 'fi', currency: 'XXX', meta: { deep: [1] }, balance: 5, sessionId: 'other', __proto: 1 };
    for (const written of [(good: object) => good, (good: object) => sized(JSON.stringify(good), MAX_BYTES)]) {
      const sessionID = await server.liveSession();
      if (path !== '/wallet/play') await server.playBook(sessionID, BOOK.pays0);
      const { status, body } = await server.post(path, written({ ...extra, sessionID, ...more }));
      expect(status).toBe(200);
      expect(body.balance?.currency ?? 'USD').toBe('USD');
    }
  });

  it.each<[string, Change]>([
    ['behind a byte order mark', (good) => BOM + good],
    ['among spaces and line breaks', (good) => ` \r\n${good}\t\n`],
    ['with every key escaped', (good) => good.replace('"amount"', '"\\u0061\\u006d\\u006f\\u0075\\u006e\\u0074"')],
    ['with a slash escaped', (good) => withMembers(good, '"a":"\\/"')],
    [
      'with deeply nested arrays to ignore',
      (good) => withMembers(good, `"a":${'['.repeat(7_000)}${']'.repeat(7_000)}`),
    ],
    ['with braces and colons inside a text', (good) => withMembers(good, '"a":"{\\"amount\\":1,[}"')],
    ['with a number to ignore that no double holds', (good) => withMembers(good, '"a":1e400')],
    ['with half a surrogate pair to ignore', (good) => withMembers(good, '"a":"\\ud800"')],
    ['with a key twice inside a field to ignore', (good) => withMembers(good, '"meta":{"a":1,"a":2}')],
    [
      'with keys of its own inside a field to ignore',
      (good) => withMembers(good, '"meta":{"amount":5,"sessionID":"another"}'),
    ],
    ['with a key of its own as a text', (good) => withMembers(good, '"meta":"\\"amount\\":5","note":"amount"')],
    [
      'with its keys in another case',
      (good) => withMembers(good, '"AMOUNT":5,"Amount":6,"sessionid":"another","MODE":"BONUS"'),
    ],
    [
      'with a polluting __proto__',
      (good) => withMembers(good, '"__proto__":{"polluted":true,"mode":"BONUS","amount":5}'),
    ],
    [
      'with a polluting constructor',
      (good) => withMembers(good, '"constructor":{"prototype":{"polluted":true}},"prototype":{"polluted":true}'),
    ],
    ['with a nested __proto__', (good) => withMembers(good, '"__proto__":{"__proto__":{"polluted":true}}')],
    ['with __proto__ null', (good) => withMembers(good, '"__proto__":null')],
    [
      'with names of JavaScript',
      (good) => withMembers(good, '"constructor":null,"toString":1,"valueOf":1,"hasOwnProperty":1,"toJSON":1,"then":1'),
    ],
    ['with getters of JavaScript', (good) => withMembers(good, '"__defineGetter__":1,"__lookupGetter__":1')],
  ])('%s', async (_what, written) => {
    const sessionID = await server.liveSession();
    await server.post('/game/force', { sessionID, bookID: BOOK.pays150 });
    const { status, body } = await server.post(
      '/wallet/play',
      written(JSON.stringify({ sessionID, amount: UNIT, mode: 'BASE' })),
    );
    expect([status, body.balance?.amount, body.round?.payout]).toEqual([200, OPENING - UNIT, 1.5 * UNIT]);
    // The server runs in this very process, so its prototypes are these.
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('in chunks, and with the Content-Encoding identity', async () => {
    const bet = async () =>
      sized(JSON.stringify({ sessionID: await server.liveSession(), amount: UNIT, mode: 'BASE' }), MAX_BYTES);
    const response = await sendChunked('/wallet/play', await bet());
    expect([response.status, response.body.balance.amount]).toEqual([200, OPENING - UNIT]);
    expect((await server.post('/wallet/play', await bet(), { 'Content-Encoding': 'identity' })).status).toBe(200);
  });
});

const sendChunked = async (path: string, text: string) =>
  parseRaw(await exchangeRaw(server.url, rawHead(path, { 'Transfer-Encoding': 'chunked' }) + chunked(text, 64 * KIB)));

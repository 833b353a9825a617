import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inChunks } from '../../proofs/fuzz/framings.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { ENDPOINT_NAMES, useGoodCalls } from '../../support/goodCalls.ts';
import { exchangeRaw, parseRaw, rawHead } from '../../support/rawHttp.ts';
import { expectNothingChanged, expectRefusal, expectRefused } from '../../support/snapshot.ts';
import { BET, ENDPOINTS, OPENING, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const calls = useGoodCalls(server);

const DEPTH = 8_000;
const KIB = 1024;
const MIB = KIB * KIB;
const MAX_BYTES = 16 * KIB;
const BOM = '\ufeff';

type Change = (good: string) => string | Uint8Array;

const withMembers = (good: string, members: string) => `${good.slice(0, -1)},${members}}`;

/** Pads the request with ignored bytes to exactly this size. */
const sized = (good: string, bytes: number) => {
  const start = `${good.slice(0, -1)},"padding":"`;
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
};

const sendChunked = async (path: string, text: string) => {
  const head = Buffer.from(rawHead(path, { 'Transfer-Encoding': 'chunked' }));
  const { bytes } = inChunks(64 * KIB)(Buffer.from(text));
  return parseRaw(await exchangeRaw(server.url, Buffer.concat([head, bytes])));
};

const JSON_ERROR = 'not JSON';
const NO_OBJECT = 'not a JSON object';
const TWICE = 'twice';
const TOO_LARGE = '16 KiB';
const ENCODING = 'Content-Encoding';

/** Expects that the call is refused when its body is changed. */
async function expectBadBody(name: (typeof ENDPOINT_NAMES)[number], change: Change, about: string, headers = {}) {
  const { path, body } = calls[name];
  await expectRefused(server, { path, body: change(JSON.stringify(body)), headers }, 'ERR_VAL', about);
}

describe('a body that is not a JSON object', () => {
  it.each(ENDPOINT_NAMES)('is refused at %s', async (name) => {
    await expectBadBody(name, () => '', 'empty');
    await expectBadBody(name, (good) => `[${good}]`, NO_OBJECT);
    await expectBadBody(name, (good) => withMembers(good, '"sessionID":"another"'), TWICE);
    await expectBadBody(name, (good) => sized(good, MAX_BYTES + 1), TOO_LARGE);
    await expectBadBody(name, brotliCompressSync, ENCODING, { [ENCODING]: 'br' });
    await expectBadBody(name, (good) => good, ENCODING, { [ENCODING]: 'gzip' });
  });

  it.each<[string, Change, string]>([
    ['cut off', (good) => good.slice(0, -1), JSON_ERROR],
    ['objects nested without end', () => '{"a":'.repeat(3_000), JSON_ERROR],
    ['null', () => 'null', NO_OBJECT],
    ['deeply nested arrays', () => '['.repeat(DEPTH) + ']'.repeat(DEPTH), NO_OBJECT],
    ['a byte that no UTF-8 has', (good) => Buffer.from(withMembers(good, '"meta":"\u00ff"'), 'latin1'), 'UTF-8'],
    // JSON.parse keeps the last of two equal keys; a proxy may decide by the first.
    ['with amount twice, once with an escape', (good) => withMembers(good, '"\\u0061mount":200000'), TWICE],
    ['of 1 MiB that is no JSON either', () => '['.repeat(MIB), TOO_LARGE],
  ])('is refused: %s', (_what, change, about) => expectBadBody('play', change, about));

  it.each([MAX_BYTES + 1, MIB])('is refused: %d bytes in chunks', async (bytes) => {
    const { path, body } = calls.play;
    const send = () => sendChunked(path, sized(JSON.stringify(body), bytes));
    expectRefusal(await expectNothingChanged(server, send), 'ERR_VAL', TOO_LARGE);
  });

  it.each([{ 'Content-Length': MIB }, { 'Transfer-Encoding': 'chunked' }])(
    'is refused before its end when it is too large and does not end: %j',
    async (length) => {
      const head = rawHead(calls.play.path, { ...length, Connection: 'keep-alive' });
      const send = async () => parseRaw(await exchangeRaw(server.url, `${head}5000\r\n${'x'.repeat(0x5000)}`));
      expectRefusal(await expectNothingChanged(server, send), 'ERR_VAL', TOO_LARGE);
    },
  );
});

it('the sessionID is a required text of the body at each endpoint, and not of a header or the query', async () => {
  for (const name of ENDPOINT_NAMES) {
    const { sessionID, ...others } = calls[name].body;
    const headers = { Authorization: `Bearer ${sessionID}`, Cookie: `sessionID=${sessionID}`, sessionID };
    const path = `${calls[name].path}?sessionID=${sessionID}`;
    await expectRefused(server, { path, body: others, headers }, 'ERR_VAL', 'sessionID: ');
  }
});

describe('a body that is a JSON object is read', () => {
  it.each([
    ...[undefined, 'application/json; charset=utf-8', 'text/plain;charset=UTF-8'],
    ...['application/x-www-form-urlencoded', 'not a type'],
  ])('under Content-Type %s', async (type) => {
    const bytes = new TextEncoder().encode(JSON.stringify(calls.balance.body));
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
    expect((await server.post('/wallet/balance', bytes, headers)).status).toBe(200);
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
    ['with every key escaped', (good) => good.replace('"amount"', '"\\u0061\\u006d\\u006f\\u0075\\u006e\\u0074"')],
    ['with deeply nested arrays', (good) => withMembers(good, `"a":${'['.repeat(7_000)}${']'.repeat(7_000)}`)],
    ['with a number that no double holds', (good) => withMembers(good, '"a":1e400')],
    ['with keys of its own further down', (good) => withMembers(good, '"meta":{"amount":5,"amount":6}')],
    ['with a key of its own as a text', (good) => withMembers(good, '"meta":"\\"amount\\":5","note":"amount"')],
    ['with its keys in another case', (good) => withMembers(good, '"AMOUNT":5,"sessionid":"another","MODE":"BONUS"')],
    ['with a polluting __proto__', (good) => withMembers(good, '"__proto__":{"polluted":true,"mode":"BONUS"}')],
  ])('%s', async (_what, written) => {
    const sessionID = await server.liveSession();
    await server.post('/game/force', { sessionID, bookID: BOOK.pays150 });
    const { status, body } = await server.post('/wallet/play', written(JSON.stringify({ sessionID, ...BET })));
    expect([status, body.balance?.amount, body.round?.payout]).toEqual([200, OPENING - UNIT, 1.5 * UNIT]);
    // The server runs in this very process, so its prototypes are these.
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('in chunks, and with the Content-Encoding identity', async () => {
    const good = sized(JSON.stringify(calls.balance.body), MAX_BYTES);
    expect((await sendChunked('/wallet/balance', good)).body.balance.amount).toBe(OPENING);
    expect((await server.post('/wallet/balance', good, { [ENCODING]: 'identity' })).status).toBe(200);
  });
});

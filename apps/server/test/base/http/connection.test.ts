import { describe, expect, it } from 'vitest';
import { useGoodCalls } from '../../support/goodCalls.ts';
import { exchangeRaw, parseRaw, rawHead } from '../../support/rawHttp.ts';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { useTestServer } from '../../support/testServer.ts';

const server = useTestServer({ clientLimits: { requestMs: 3_000 } });
const calls = useGoodCalls(server);

/** Expects the response of the game endpoints where node's parser refuses as well. */
async function expectRefusedRaw(bytes: string | Uint8Array, about: string): Promise<void> {
  const received = await expectNothingChanged(server, () => exchangeRaw(server.url, bytes));
  const response = await parseRaw(received);
  expectRefusal(response, 'ERR_VAL', about);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('connection')).toBe('close');
}

/** Returns the bytes of a good request with more headers. */
function rawCall(name: 'balance' | 'play', headers: Record<string, string | number> = {}): string {
  const { path, body } = calls[name];
  const text = JSON.stringify(body);
  return rawHead(path, { 'Content-Length': text.length, ...headers }) + text;
}

const UNREADABLE = 'cannot be read';
const HEAD_TOO_LARGE = 'the head of the request is larger than 16 KiB';
const TOO_LATE = 'in time';
const NO_HOST = 'no Host';
/** Without the end of its head, for one line more. */
const ONE_LENGTH = rawHead('/wallet/play', { 'Content-Length': 2 }).slice(0, -2);
const CHUNKED = rawHead('/wallet/play', { 'Transfer-Encoding': 'chunked' });

describe('what is not HTTP', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['text', 'hello\r\n\r\n', UNREADABLE],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', UNREADABLE],
    ['an unknown method', 'SPIN /wallet/play HTTP/1.1\r\nHost: a\r\n\r\n', UNREADABLE],
    ['no Host', 'POST /wallet/play HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}', NO_HOST],
    ['U+0000 in a header', rawHead('/wallet/play', { 'X-A': 'a\u0000b' }), UNREADABLE],
    ['a negative length', rawHead('/wallet/play', { 'Content-Length': -1 }), UNREADABLE],
    ['headers of 64 KB', rawHead('/wallet/play', { 'X-A': 'a'.repeat(65_536) }), HEAD_TOO_LARGE],
    ['a path of 64 KB', rawHead(`/${'p'.repeat(65_536)}`, {}), HEAD_TOO_LARGE],
    ['a chunk that says too much beside its size', `${CHUNKED}2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 'chunks'],
    // This is request smuggling: one server on the way takes it for the body, the next for another
    // request.
    ['a body with a length and chunks', `${ONE_LENGTH}Transfer-Encoding: chunked\r\n\r\n`, UNREADABLE],
    ['a body with two lengths', `${ONE_LENGTH}Content-Length: 5\r\n\r\n`, UNREADABLE],
    ['chunks of an unknown coding', `${ONE_LENGTH}Transfer-Encoding: chunky\r\n\r\n`, UNREADABLE],
  ])('%s', (_what, bytes, about) => expectRefusedRaw(bytes, about));

  it('a request that does not arrive in time', async () => {
    const head = rawHead('/wallet/play', { 'Content-Length': 10 });
    await Promise.all([head, head.slice(0, -2), 'P'].map((bytes) => expectRefusedRaw(bytes, TOO_LATE)));
  });
});

it('several requests of one connection get their responses in order, also before what cannot be read', async () => {
  const { path } = calls.balance;
  const one = rawCall('balance', { Connection: 'keep-alive' });
  for (const bytes of ['what?\r\n\r\n', `${CHUNKED}zz\r\n`, `${rawHead(path, { 'Content-Length': 1 })}{`]) {
    const received = await exchangeRaw(server.url, one + one + bytes);
    expect(received.match(/HTTP\/1\.1 \d+|"balance"|ERR_VAL/g)).toEqual([
      ...['HTTP/1.1 200', '"balance"', 'HTTP/1.1 200', '"balance"'],
      ...['HTTP/1.1 400', 'ERR_VAL'],
    ]);
  }
});

it('100-continue is sent in its turn, never within another response', async () => {
  const page = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n';
  const received = await exchangeRaw(server.url, page + rawCall('balance', { Expect: '100-continue' }));
  const bytes = Number(/Content-Length: (\d+)/.exec(received)?.[1]);
  const [head = ''] = received.split('\r\n\r\n', 1);
  const behind = String(Buffer.from(received).subarray(head.length + 4 + bytes));
  expect(behind.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
  expect(behind.indexOf('HTTP/1.1 100')).toBe(0);
});

it.each([
  [{ Connection: 'Upgrade, close', Upgrade: 'websocket' }, /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n{"balance":/s],
  // By default node responds with 417, before the application sees the request.
  [{ Expect: 'a-miracle' }, /^HTTP\/1\.1 400 Bad Request\r\n/],
])('an Upgrade is ignored, and an unknown expectation is refused: %j', async (headers, response) => {
  expect(await exchangeRaw(server.url, rawCall('balance', headers))).toMatch(response);
});

it('the server logged no error', () => {
  expect(server.logged().filter(({ level }) => level >= 50)).toEqual([]);
});

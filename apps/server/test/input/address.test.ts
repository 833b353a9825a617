import { describe, expect, test } from 'vitest';
import { useCheckedServer } from '../support/checkedServer.ts';
import { type ExactRefusal, NO_SUCH_PATH, notFound, WRONG_METHOD } from '../support/exactRefusals.ts';
import { expectAnswer, expectNothingChanged } from '../support/expectExactly.ts';
import { ENDPOINT_NAMES, useGoodCalls } from '../support/goodCalls.ts';
import { exchangeRaw, parseRaw, rawHead } from '../support/rawHttp.ts';
import { answerOf } from '../support/testServer.ts';

const server = useCheckedServer();
const calls = useGoodCalls(server);

const NO_SUCH_BOOK = notFound('there is no such book');

/** A request line to the letter: fetch would tidy the path up. */
const sendRaw = async (method: string, path: string, body = '') => {
  const head = rawHead(path, { 'Content-Length': Buffer.byteLength(body) });
  return parseRaw(await exchangeRaw(server.url, head.replace(/^POST/, method) + body));
};

describe.each(ENDPOINT_NAMES)('another method than POST, at %s', (name) => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'SUBSCRIBE'])('%s', async (method) => {
    const { path, body } = calls[name];
    for (const sent of ['', JSON.stringify(body), 'broken']) {
      expectAnswer(await expectNothingChanged(server, () => sendRaw(method, path, sent)), WRONG_METHOD);
    }
  });

  test('HEAD, which has no body', async () => {
    const { path } = calls[name];
    const response = await expectNothingChanged(server, () => fetch(server.url + path, { method: 'HEAD' }));
    expect([response.status, await response.text()]).toEqual([400, '']);
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  test('OPTIONS, which is a preflight and not a call', async () => {
    const { path, body } = calls[name];
    const sent = { method: 'OPTIONS', body: JSON.stringify(body) };
    const answer = await expectNothingChanged(server, async () => answerOf(await fetch(server.url + path, sent)));
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });
});

describe.each(ENDPOINT_NAMES)('almost the path of %s', (name) => {
  test.each([
    ['a slash behind', (path: string) => `${path}/`],
    ['a slash more', (path: string) => `/${path}`],
    ['another case', (path: string) => path.toUpperCase()],
    ['U+0000 behind', (path: string) => `${path}%00`],
    ['a dot segment', (path: string) => `/.${path}`],
    ['what does not decode', (path: string) => `${path}%ff`],
  ])('%s', async (_what, change) => {
    const { path, body } = calls[name];
    const send = () => sendRaw('POST', change(path), JSON.stringify(body));
    expectAnswer(await expectNothingChanged(server, send), NO_SUCH_PATH);
  });
});

describe('replay', () => {
  test.each<[string, string, ExactRefusal]>([
    ['a lone percent sign', '/bet/replay/fixture/1.0.0/BASE/%', NO_SUCH_PATH],
    ['half an escape', '/bet/replay/fixture/1.0.0/BASE/%4', NO_SUCH_PATH],
    ['no hexadecimal', '/bet/replay/fixture/1.0.0/%zz/1', NO_SUCH_PATH],
    ['no UTF-8', '/bet/replay/fixture/1.0.0/%ff/1', NO_SUCH_PATH],
    ['an overlong slash', '/bet/replay/..%c0%af/1.0.0/BASE/1', NO_SUCH_PATH],
    ['too few segments', '/bet/replay/fixture/1.0.0/BASE', NO_SUCH_PATH],
    ['too many segments', '/bet/replay/fixture/1.0.0/BASE/1/2', NO_SUCH_PATH],
    ['an empty segment', '/bet/replay/fixture//BASE/1', NO_SUCH_PATH],
    ['a slash behind', '/bet/replay/fixture/1.0.0/BASE/1/', NO_SUCH_PATH],
    ['U+0000', '/bet/replay/fixture/1.0.0/BASE/1%00', NO_SUCH_BOOK],
    ['the way out of a folder', '/bet/replay/..%2f..%2fetc/1.0.0/BASE/passwd', NO_SUCH_BOOK],
    ['__proto__', '/bet/replay/__proto__/constructor/toString/1', NO_SUCH_BOOK],
    ['an unknown game', '/bet/replay/other/1.0.0/BASE/1', NO_SUCH_BOOK],
    ['an unknown version', '/bet/replay/fixture/9.9.9/BASE/1', NO_SUCH_BOOK],
    ['an unknown mode', '/bet/replay/fixture/1.0.0/NONE/1', NO_SUCH_BOOK],
    ['an unknown book', '/bet/replay/fixture/1.0.0/BASE/99', NO_SUCH_BOOK],
    ...['0', '-1', '01', '1.0', '1e0', '0x1', '+1', '%201', '1%20', '%D9%A1', '9007199254740993', '9'.repeat(400)].map(
      (event): [string, string, ExactRefusal] => [
        `book ${event}`,
        `/bet/replay/fixture/1.0.0/BASE/${event}`,
        NO_SUCH_BOOK,
      ],
    ),
    ['a very long game', `/bet/replay/${'g'.repeat(14_000)}/1.0.0/BASE/1`, NO_SUCH_BOOK],
    ['a very long path', `/bet/replay/fixture${'/a'.repeat(7_000)}`, NO_SUCH_PATH],
  ])('%s', async (_what, path, refusal) => {
    expectAnswer(await expectNothingChanged(server, () => sendRaw('GET', path)), refusal);
  });

  test.each(['POST', 'PUT', 'DELETE'])('by %s', async (method) => {
    const path = '/bet/replay/fixture/1.0.0/BASE/1';
    expectAnswer(await expectNothingChanged(server, () => sendRaw(method, path, '{}')), NO_SUCH_PATH);
  });
});

describe('paths of nothing', () => {
  test.each([
    '/',
    '/%',
    '/%00',
    '/..%2f..%2fetc%2fpasswd',
    '/../../etc/passwd',
    '/fixture/1.0.0/%',
    '/fixture/1.0.0/%00',
  ])('%s', async (path) => {
    expectAnswer(await sendRaw('GET', path), NO_SUCH_PATH);
  });

  test('a very long one', async () => {
    expectAnswer(await sendRaw('GET', `/${'p'.repeat(15_000)}`), NO_SUCH_PATH);
    expectAnswer(await sendRaw('POST', `/wallet/play${'/play'.repeat(2_000)}`, '{}'), NO_SUCH_PATH);
  });

  test('a query changes nothing about which path it is', async () => {
    const { path, body } = calls.balance;
    const answer = await sendRaw('POST', `${path}?sessionID=other&a[b]=1&__proto__=1&%ff`, JSON.stringify(body));
    expect(answer.status).toBe(200);
  });
});

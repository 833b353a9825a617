import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { PACKED, TOO_LARGE } from '../support/exactRefusals.ts';
import { expectAnswer, expectNothingChanged, expectRefusedExactly } from '../support/expectExactly.ts';
import { ENDPOINT_NAMES, type GoodCall, useGoodCalls } from '../support/goodCalls.ts';
import { chunked, exchangeRaw, parseRaw, rawHead } from '../support/rawHttp.ts';

const KIB = 1024;
const MAX_BYTES = 16 * KIB;
const MIB = KIB * KIB;
const CHUNK_BYTES = 64 * KIB;

const server = useCheckedServer();
const calls = useGoodCalls(server);

/** The same request with padding to ignore, of exactly so many bytes. */
function sized({ body }: Pick<GoodCall, 'body'>, bytes: number): string {
  const start = `${JSON.stringify(body).slice(0, -1)},"padding":"`;
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
}

const sendChunked = async (path: string, text: string) =>
  parseRaw(
    await exchangeRaw(server.url, rawHead(path, { 'Transfer-Encoding': 'chunked' }) + chunked(text, CHUNK_BYTES)),
  );

describe.each(ENDPOINT_NAMES)('a body beyond 16 KiB, at %s', (name) => {
  test.each([
    ['one byte too many', MAX_BYTES + 1],
    ['1 MB', MIB],
  ])('%s', async (_what, bytes) => {
    const { path } = calls[name];
    await expectRefusedExactly(server, { path, body: sized(calls[name], bytes) }, TOO_LARGE);
  });

  test('1 MB that is no JSON either', async () => {
    await expectRefusedExactly(server, { path: calls[name].path, body: '['.repeat(MIB) }, TOO_LARGE);
  });

  test.each([
    ['one byte too many', MAX_BYTES + 1],
    ['1 MB', MIB],
  ])('%s, in chunks, with no word of its length before', async (_what, bytes) => {
    const { path } = calls[name];
    const answer = await expectNothingChanged(server, () => sendChunked(path, sized(calls[name], bytes)));
    expectAnswer(answer, TOO_LARGE);
  });
});

describe.each(ENDPOINT_NAMES)('a packed body is refused unread, at %s', (name) => {
  const packed = () => gzipSync(JSON.stringify(calls[name].body));

  test.each([
    ['gzip', 'gzip', packed],
    ['GZIP', 'GZIP', packed],
    ['deflate', 'deflate', () => deflateSync(JSON.stringify(calls[name].body))],
    ['br', 'br', () => brotliCompressSync(JSON.stringify(calls[name].body))],
    ['packed twice', 'gzip, gzip', () => gzipSync(packed())],
    ['packed as nobody knows', 'lzma', packed],
    ['not packed at all', 'gzip', () => JSON.stringify(calls[name].body)],
    ['8 MB within a few KiB', 'gzip', () => gzipSync(sized(calls[name], 8 * MIB))],
  ])('%s', async (_what, encoding, body) => {
    const headers = { 'Content-Encoding': encoding };
    await expectRefusedExactly(server, { path: calls[name].path, body: body(), headers }, PACKED);
  });
});

/** 64 MiB of one letter, as brotli with the largest window: to unpack it takes 16 MB. */
const BOMB = Buffer.from('z///f/gl8OKxQCD3/p/////wSwDEYQGA7v0/////4ZcAiMMiAN37//z//8cvARCHBQC69/8=', 'base64');

test('two hundred packed bodies at once take no memory to speak of', async () => {
  const before = process.memoryUsage.rss();
  const send = () => server.post('/wallet/balance', BOMB, { 'Content-Encoding': 'br' });
  const answers = await Promise.all(Array.from({ length: 200 }, send));
  for (const answer of answers) expectAnswer(answer, PACKED);
  expect((process.memoryUsage.rss() - before) / MIB).toBeLessThan(300);
});

describe('a body within the limit', () => {
  const bet = async () => ({ body: { sessionID: await server.liveSession(), amount: UNIT, mode: 'BASE' } });

  test('of 16 KiB is read, in one piece and in chunks', async () => {
    expect((await server.post('/wallet/play', sized(await bet(), MAX_BYTES))).status).toBe(200);
    const answer = await sendChunked('/wallet/play', sized(await bet(), MAX_BYTES));
    expect([answer.status, answer.body.balance.amount]).toEqual([200, OPENING - UNIT]);
  });

  test('may say that it is not packed', async () => {
    const { status } = await server.post('/wallet/play', await bet().then((good) => sized(good, MAX_BYTES)), {
      'Content-Encoding': 'identity',
    });
    expect(status).toBe(200);
  });
});

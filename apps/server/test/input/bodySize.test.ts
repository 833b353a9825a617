import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { TOO_LARGE, UNREADABLE } from '../support/exactRefusals.ts';
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

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a few KiB of %s that hold 8 MB', async (encoding, compress) => {
    const bomb = compress(Buffer.from(sized(calls[name], 8 * MIB)));
    expect(bomb.length).toBeLessThan(MAX_BYTES);
    const headers = { 'Content-Encoding': encoding };
    await expectRefusedExactly(server, { path: calls[name].path, body: bomb, headers }, TOO_LARGE);
  });
});

describe.each(ENDPOINT_NAMES)('a body that cannot be unpacked, at %s', (name) => {
  const packed = () => gzipSync(JSON.stringify(calls[name].body));

  test.each([
    ['says gzip and is not', 'gzip', () => JSON.stringify(calls[name].body)],
    ['says deflate and is gzip', 'deflate', packed],
    ['is cut off', 'gzip', () => packed().subarray(0, -9)],
    ['fails its checksum', 'gzip', () => Buffer.concat([packed().subarray(0, -8), Buffer.alloc(8)])],
    ['is packed as nobody knows', 'lzma', packed],
    ['is packed twice', 'gzip, gzip', () => gzipSync(packed())],
  ])('%s', async (_what, encoding, body) => {
    const headers = { 'Content-Encoding': encoding };
    await expectRefusedExactly(server, { path: calls[name].path, body: body(), headers }, UNREADABLE);
  });
});

describe('a body within the limit', () => {
  const bet = async () => ({ body: { sessionID: await server.liveSession(), amount: UNIT, mode: 'BASE' } });

  test('of 16 KiB is read, in one piece and in chunks', async () => {
    expect((await server.post('/wallet/play', sized(await bet(), MAX_BYTES))).status).toBe(200);
    const answer = await sendChunked('/wallet/play', sized(await bet(), MAX_BYTES));
    expect([answer.status, answer.body.balance.amount]).toEqual([200, OPENING - UNIT]);
  });

  test.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('may be packed as %s', async (encoding, compress) => {
    const body = compress(Buffer.from(sized(await bet(), MAX_BYTES)));
    const { status } = await server.post('/wallet/play', body, { 'Content-Encoding': encoding });
    expect(status).toBe(200);
  });
});

import { EventEmitter, once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createWalletAgent, post, postAlone, SEND_WITHIN_MS, type WalletExchange } from './walletHttp.ts';

afterEach(() => vi.useRealTimers());

/** What a wallet does with a request: bytes to send, or something else. */
type Answer = string | Buffer | ((socket: Socket) => void);

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n{"balance":5}';
const READ: WalletExchange = { kind: 'responded', httpStatus: 200, text: '{"balance":5}' };

/**
 * A wallet that responds to its requests in this order, and lists them with the number of their
 * connection.
 */
async function open(answers: Answer[]) {
  const requests: { connection: number; text: string }[] = [];
  const ended: number[] = [];
  const ends = new EventEmitter();
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    const connection = connections;
    socket.on('error', () => {});
    socket.on('close', () => {
      ended.push(connection);
      ends.emit('end');
    });
    socket.on('data', (bytes) => {
      requests.push({ connection, text: String(bytes) });
      const answer = answers.shift();
      if (typeof answer === 'function') answer(socket);
      else socket.write(answer ?? OK);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const agent = createWalletAgent({ connections: 1, connectWithinMs: SEND_WITHIN_MS });
  onTestFinished(async () => {
    await agent.close();
    server.close();
  });
  const request = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/debit`,
    ...{ headers: ['content-type', 'application/json'], body: '{}' },
    ...{ connectWithinMs: SEND_WITHIN_MS, timeoutMs: 60_000 },
  };
  const nextEnd = () => once(ends, 'end');
  return { requests, ended, nextEnd, send: () => post(request, agent), sendAlone: () => postAlone(request) };
}

function response(body: Buffer, headers = ''): Buffer {
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n${headers}\r\n`), body]);
}

describe('a body', () => {
  it('is text, without the byte order mark that some wallets begin with', async () => {
    const marked = Buffer.from('\ufeff{"balance":5}');
    const { send, requests } = await open([response(marked), response(marked, 'content-encoding: identity\r\n')]);
    expect([await send(), await send()]).toEqual([READ, READ]);
    expect(requests[0]?.text).toMatch(/^accept: application\/json\r\naccept-encoding: identity\r$/m);
  });

  it.each([
    ['with its header', 'content-encoding: gzip\r\n', 'gzip'],
    ['without a header', '', 'gzip'],
    ['in another way', 'content-encoding: br\r\n', 'br'],
  ])('that is compressed %s is named so', async (_, headers, name) => {
    const body = name === 'gzip' ? gzipSync('{"balance":5}') : Buffer.from([1, 2, 3]);
    const { send } = await open([response(body, headers)]);
    const detail = `the body is ${name}; identity was asked for`;
    expect(await send()).toEqual({ kind: 'failed', code: 'invalid_response', detail });
  });
});

describe('a connection that ends without a byte of a response', () => {
  const end = (socket: Socket) => void socket.end();
  const reset = (socket: Socket) => void socket.resetAndDestroy();
  const failed = (detail: string) => ({ kind: 'failed', code: 'connection_failed', detail });

  it.each([
    ['ends', end, 'UND_ERR_SOCKET'],
    ['is reset', reset, 'ECONNRESET'],
  ])('is stale when it served a request before: it %s', async (_, answer, detail) => {
    const { send, sendAlone, requests } = await open([OK, answer, OK, OK]);
    expect(await send()).toEqual(READ);
    expect(await send()).toEqual({ ...failed(detail), isStale: true });
    expect([await sendAlone(), await send()]).toEqual([READ, READ]);
    expect(requests.map(({ connection }) => connection)).toEqual([1, 1, 2, 3]);
  });

  it.each([
    ['ends', end, 'UND_ERR_SOCKET'],
    ['is reset', reset, 'ECONNRESET'],
  ])('is not stale when it is new: it %s', async (_, answer, detail) => {
    const { send } = await open([answer]);
    expect(await send()).toEqual(failed(detail));
  });

  it('is not stale after the first byte', async () => {
    const { send } = await open([OK, (socket) => void socket.end('H')]);
    await send();
    expect(await send()).toEqual(failed('UND_ERR_SOCKET'));
  });
});

it.each([
  ['a wallet that names no time', '', 1_000],
  ['a wallet that keeps it for 5 s', 'keep-alive: timeout=5\r\n', 4_000],
  ['a wallet that keeps it for 10 minutes', 'keep-alive: timeout=600, max=100\r\n', 30_000],
])('an idle connection to %s is ended first', async (_, headers, idleMs) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = response(Buffer.from('{"balance":5}'), headers);
  const { send, ended, nextEnd, requests } = await open([answer, answer]);
  expect(await send()).toEqual(READ);
  // undici begins the time in the next turn of the loop.
  await new Promise(setImmediate);
  vi.advanceTimersByTime(idleMs - 1);
  expect(await send()).toEqual(READ);
  expect([requests.map(({ connection }) => connection), ended]).toEqual([[1, 1], []]);
  await new Promise(setImmediate);
  const closed = nextEnd();
  vi.advanceTimersByTime(idleMs);
  await closed;
  expect(ended).toEqual([1]);
});

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import type { ClientLimits } from '@roundhouse/service';
import { createUnreadableResponse, listen } from '@roundhouse/service';
import { pino } from 'pino';
import { generate } from 'selfsigned';
import { expect, it, onTestFinished, vi } from 'vitest';
import { lockAccount } from '../support/accountLock.ts';
import { connectRaw, exchangeRaw, rawHead } from '../support/rawHttp.ts';
import { UNIT, useTestServer } from '../support/testServer.ts';

const STALLED_MS = 1_000;
const POLL = { timeout: 60_000, interval: 100 };

const server = useTestServer({ clientLimits: { stalledMs: STALLED_MS } });

/** Of more than a megabyte: the system takes a few of them for a client that does not read. */
const FILE = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n';

const FILE_BYTES = 1_000_000;

const openFiles = () => readdirSync('/proc/self/fd').length;

/** A connection on which this is sent, and from which nothing is read yet. */
async function connectAndSend(bytes: string, url = server.url) {
  const socket = await connectRaw(url);
  const closed = once(socket, 'close');
  socket.pause();
  socket.write(bytes);
  return { socket, closed };
}

/** Clients that ask for files and stop reading when the first bytes of a response have come. */
async function connectStalled({ count, files, url = server.url }: { count: number; files: number; url?: string }) {
  const connectOne = async () => {
    const { socket } = await connectAndSend(FILE.repeat(files), url);
    await once(socket.resume(), 'data');
    return socket.pause();
  };
  return Promise.all(Array.from({ length: count }, connectOne));
}

it('files of dropped connections are closed, and the server can close', async () => {
  const node = await server.startNode();
  const before = openFiles();
  const sockets = await connectStalled({ count: 25, files: 10, url: node.url });
  for (const socket of sockets) socket.resetAndDestroy();
  await expect.poll(openFiles, POLL).toBeLessThanOrEqual(before);
  const startedAt = performance.now();
  await node.close();
  // It would wait half a minute for a response that nobody takes.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

it('a connection has one request in work and sixteen waiting; one more closes it', async () => {
  const token = 'waiting';
  const sessionID = await server.liveSession({ token });
  const bet = JSON.stringify({ sessionID, amount: UNIT, mode: 'BASE' });
  const play = rawHead('/wallet/play', { 'Content-Length': bet.length, Connection: 'keep-alive' }) + bet;
  const lock = await lockAccount(server.databaseUrl, token);
  onTestFinished(() => lock.release());
  const health = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
  const patient = await connectAndSend(play + health.repeat(16));
  await lock.untilWaiting(1);
  const greedy = await connectAndSend(play + health.repeat(17));
  greedy.socket.resume();
  await greedy.closed;

  // The wait is the server's, so that no time-out ends it.
  await new Promise((resolve) => setTimeout(resolve, 2 * STALLED_MS));
  await lock.release();
  let received = '';
  patient.socket.on('data', (chunk) => {
    received += chunk;
  });
  patient.socket.resume();
  await expect.poll(() => received.match(/HTTP\/1\.1 200/g)?.length, POLL).toBe(17);
  patient.socket.destroy();
});

it('connections of clients that stop reading are closed with their files', async () => {
  const before = openFiles();
  const files = 16;
  const sockets = await connectStalled({ count: 20, files });
  // The client's own ends are open.
  await expect.poll(openFiles, POLL).toBeLessThanOrEqual(before + sockets.length);
  for (const socket of sockets) {
    await once(socket.resume(), 'close');
    expect(socket.bytesRead).toBeLessThan(files * FILE_BYTES);
  }
});

it('a connection beyond the limit is closed; when another one ends there is room again', async () => {
  const port = await listenAlone({ maxConnections: 2 });
  const url = `http://127.0.0.1:${port}`;
  const first = await connectAndSend('', url);
  await connectAndSend('', url);
  const third = await connectAndSend('', url);
  third.socket.resume();
  await third.closed;
  first.socket.destroy();
  const answered = async () =>
    (await exchangeRaw(url, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).slice(0, 12);
  await expect.poll(answered, POLL).toBe('HTTP/1.1 200');
});

const bare = (port: number) => net.connect({ host: '127.0.0.1', port });

it.each<[string, (port: number) => net.Socket, string]>([
  ['says nothing', bare, ''],
  ['begins TLS and no more', bare, '\u0016'],
  ['says half of a request', bare, 'POST /wallet/play HTTP/1.1\r\n'],
  ['says nothing over TLS', (port) => tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false }), ''],
])('at a port for http and https a connection that %s is closed', async (_what, connect, bytes) => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 });
  const port = await listenAlone({ requestMs: 500 }, { certificate: async () => ({ key, cert }) });
  const socket = connect(port);
  socket.on('error', () => {}).resume();
  if (bytes !== '') socket.write(bytes);
  await once(socket, 'close');
});

it('a client that refuses the certificate is counted, and the certificate is read once', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 });
  const certificate = vi.fn(async () => ({ key, cert }));
  const onHandshakeRefused = vi.fn();
  const port = await listenAlone({}, { certificate, onHandshakeRefused });
  const hello = await clientHello();
  for (const times of [1, 2]) {
    const socket = bare(port);
    socket.on('error', () => {}).write(hello);
    await once(socket, 'data');
    socket.resume().write(CERTIFICATE_UNKNOWN);
    await vi.waitFor(() => expect(onHandshakeRefused).toHaveBeenCalledTimes(times));
  }
  expect(certificate).toHaveBeenCalledTimes(1);
});

/** A fatal alert of TLS 1.2, as a browser sends it. */
const CERTIFICATE_UNKNOWN = Buffer.from([21, 3, 3, 0, 2, 2, 46]);

/** The first bytes of a TLS 1.2 client, whose later bytes are not encrypted before the end. */
async function clientHello(): Promise<Buffer> {
  const recorder = net.createServer().listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const { port } = recorder.address() as net.AddressInfo;
  tls.connect({ host: '127.0.0.1', port, maxVersion: 'TLSv1.2' }).on('error', () => {});
  const [socket] = await once(recorder, 'connection');
  const [hello] = await once(socket, 'data');
  socket.destroy();
  recorder.close();
  return hello;
}

type Tls = Pick<Parameters<typeof listen>[0], 'certificate' | 'onHandshakeRefused'>;

/** A listener without a server behind it, until the end of the test. */
async function listenAlone(limits: Partial<ClientLimits>, secure: Tls = {}): Promise<number> {
  const log = pino({ level: 'silent' });
  const { port, close } = await listen({
    app: (_req, res) => res.end('here'),
    host: '127.0.0.1',
    port: 0,
    setBy: { host: '--host', port: '--port' },
    ...secure,
    limits,
    log,
    unreadable: createUnreadableResponse({ log }),
  });
  onTestFinished(close);
  return port;
}

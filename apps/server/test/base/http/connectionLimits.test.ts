import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { lockAccount } from '../../support/accountLock.ts';
import { connectRaw, rawHead } from '../../support/rawHttp.ts';
import { BET, useTestServer } from '../../support/testServer.ts';

const STALLED_MS = 1_000;
const POLL = { interval: 100 };

const server = useTestServer({ clientLimits: { stalledMs: STALLED_MS } });

/** The file has over a megabyte: the system takes a few for a client that does not read. */
const FILE = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n';
const FILE_BYTES = 1_000_000;
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

const openFiles = () => readdirSync('/proc/self/fd').length;

/** Opens a connection on which this is sent, and from which nothing is read yet. */
async function connectAndSend(bytes: string, url = server.url) {
  const socket = await connectRaw(url);
  const closed = once(socket, 'close');
  socket.pause();
  socket.write(bytes);
  return { socket, closed };
}

/** Opens clients that request files and stop reading after the first bytes of a response. */
async function connectStalled({ count, files, url = server.url }: { count: number; files: number; url?: string }) {
  const connectOne = async () => {
    const { socket } = await connectAndSend(FILE.repeat(files), url);
    await once(socket.resume(), 'data');
    return socket.pause();
  };
  return Promise.all(Array.from({ length: count }, connectOne));
}

it('files of dropped connections are closed, and the server can close', async () => {
  // It waits at most this long for a response that nobody takes.
  const node = await server.startNode({ clientLimits: { requestMs: 3_600_000 } });
  const before = openFiles();
  const sockets = await connectStalled({ count: 25, files: 10, url: node.url });
  for (const socket of sockets) socket.resetAndDestroy();
  await expect.poll(openFiles, POLL).toBeLessThanOrEqual(before);
  await node.close();
});

it('a connection has one request in work and sixteen waiting; one more closes it', async () => {
  const token = 'waiting';
  const sessionID = await server.liveSession({ token });
  const bet = JSON.stringify({ sessionID, ...BET });
  const play = rawHead('/wallet/play', { 'Content-Length': bet.length, Connection: 'keep-alive' }) + bet;
  const lock = await lockAccount(server.databaseUrl, token);
  onTestFinished(() => lock.release());
  const patient = await connectAndSend(play + HEALTH.repeat(16));
  await lock.untilWaiting(1);
  const greedy = await connectAndSend(play + HEALTH.repeat(17));
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

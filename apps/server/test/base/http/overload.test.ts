import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { lockAccount } from '../../support/accountLock.ts';
import { connectRaw, exchangeRaw, parseRaw, rawHead } from '../../support/rawHttp.ts';
import { ENDPOINTS, type TestResponse, useTestServer } from '../../support/testServer.ts';

const LIMITS = { connectMs: 3_000, statementMs: 3_000, silenceMs: 60_000, awayMs: 60_000 };
const POLL = { interval: 100 };

const server = useTestServer({ limits: LIMITS });

function expectOverload({ status, body, headers }: TestResponse): void {
  expect([status, body.error, headers.get('retry-after')]).toEqual([500, 'ERR_GEN', '2']);
}

/** Uses a separate connection, which the client would keep. */
async function exchange(url: string, path: string, body?: object): Promise<TestResponse> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = { Connection: 'keep-alive', 'Content-Length': text.length };
  return parseRaw(await exchangeRaw(url, rawHead(path, headers, body === undefined ? 'GET' : 'POST') + text));
}

it('a full process refuses newcomers, says that it lives and is not ready, and serves those who are there', async () => {
  const { url } = await server.startNode({ clientLimits: { maxConnections: 3 } });
  const sessionID = await server.liveSession();
  const playing = await connectRaw(url);
  let received = '';
  playing.on('data', (chunk: Buffer) => {
    received += chunk;
  });
  const serves = async (count: number) => {
    const body = JSON.stringify({ sessionID });
    playing.write(rawHead('/wallet/balance', { Connection: 'keep-alive', 'Content-Length': body.length }) + body);
    await expect.poll(() => received.match(/HTTP\/1\.1 \d+/g), POLL).toEqual(Array(count).fill('HTTP/1.1 200'));
  };
  await serves(1);
  const silent = [await connectRaw(url), await connectRaw(url)];
  for (const { path, more } of ENDPOINTS) expectOverload(await exchange(url, path, { sessionID, ...more }));
  expect((await exchange(url, '/healthz')).status).toBe(200);
  const { status, body } = await exchange(url, '/readyz');
  expect([status, body.status]).toEqual([503, 'too many connections are open']);
  expect((await exchange(url, '/metrics')).text).toContain(
    `roundhouse_overloads_total{queue="connections"} ${ENDPOINTS.length}`,
  );
  await serves(2);
  for (const socket of silent) socket.destroy();
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, POLL).toBe(200);
  playing.destroy();
});

it('of the connections to a full process a hundred are open for two seconds, and further ones not at all', async () => {
  const { url } = await server.startNode({ clientLimits: { maxConnections: 1 } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const patient = await connectRaw(url);
  const spare = await Promise.all(Array.from({ length: 100 }, () => connectRaw(url)));
  const closed = spare.map((socket) => once(socket.resume(), 'close'));
  const further = await connectRaw(url);
  await once(further.resume(), 'close');
  expect(spare.filter((socket) => socket.destroyed)).toEqual([]);
  vi.advanceTimersByTime(2_000);
  await Promise.all(closed);
  expect((await exchange(url, '/healthz')).status).toBe(200);
  expect(patient.destroyed).toBe(false);
  patient.destroy();
});

it('a play that gets no connection to the database in time, and one that waits too long for a lock, may come again soon', async () => {
  const token = 'waits for a lock';
  const sessionID = await server.liveSession({ token });
  const lock = await lockAccount(server.databaseUrl, token);
  onTestFinished(() => lock.release());
  expectOverload(await server.play(sessionID));
  await lock.release();
  const taken = await Promise.all(Array.from({ length: server.db.pool.options.max }, () => server.db.pool.connect()));
  const response = await server.play(sessionID);
  for (const client of taken) client.release();
  expectOverload(response);
  expect((await server.play(sessionID)).status).toBe(200);
});

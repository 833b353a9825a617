import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { lockAccount } from '../support/accountLock.ts';
import { call, post, sessionOf } from '../support/rgsCalls.ts';
import { expectOneLine, type Roundhouse, runRoundhouse, startServe, succeed } from '../support/roundhouse.ts';
import { servedFixture } from '../support/servedFixture.ts';

const UNIT = 1_000_000;
type Node = Roundhouse & { url: string };

let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  env = await servedFixture('drain');
});

async function sessionOfPlayer({ url }: Node, player: string): Promise<string> {
  const sessionID = sessionOf((await succeed(['session', '--player', player, '--rgs-url', url], { env })).trim());
  await call(url, '/wallet/authenticate', { sessionID });
  return sessionID;
}

type Answer = { status: number | undefined; connection: string | undefined; body: any };

async function send(url: string, options: http.RequestOptions, body = ''): Promise<Answer> {
  const [response] = (await once(http.request(url, options).end(body), 'response')) as [http.IncomingMessage];
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, connection: response.headers.connection, body: JSON.parse(text) };
}

async function untilRefused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const attempt = async () => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    const outcome = await once(socket, 'connect').catch((error: NodeJS.ErrnoException) => error.code);
    socket.destroy();
    return outcome;
  };
  await expect.poll(attempt).toBe('ECONNREFUSED');
}

test('while it drains it is not ready, answers whoever still comes, and keeps no connection', async () => {
  const node = await startServe(['--drain-seconds', '300'], { env });
  const sessionID = await sessionOfPlayer(node, 'late');
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  expect(await send(`${node.url}/readyz`, { agent })).toMatchObject({ status: 200, connection: 'keep-alive' });
  node.kill('SIGTERM');
  await node.waitFor(/finishing what is in flight/);

  // On the connection that was open before, as a proxy asks.
  const notReady = await send(`${node.url}/readyz`, { agent });
  expect(notReady).toEqual({ status: 503, connection: 'close', body: { status: 'draining' } });
  agent.destroy();
  expect(await send(`${node.url}/healthz`, {})).toMatchObject({ status: 200, connection: 'close' });
  const played = await post(node.url, '/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
  expect(played).toMatchObject({ status: 200 });
  expect(node.isRunning()).toBe(true);
});

test('the port stays open for the pause, and a play in flight outlasts it', async () => {
  const drainSeconds = 2;
  const node = await startServe([], { env: { ...env, ROUNDHOUSE_DRAIN_SECONDS: String(drainSeconds) } });
  const sessionID = await sessionOfPlayer(node, 'in-flight');
  const lock = await lockAccount(env.DATABASE_URL ?? '', 'in-flight');
  const bet = JSON.stringify({ sessionID, amount: UNIT, mode: 'BASE' });
  const agent = new http.Agent({ keepAlive: true });
  const played = send(`${node.url}/wallet/play`, { method: 'POST', agent }, bet);
  await lock.untilWaiting(1);
  const toldAtMs = performance.now();
  node.kill('SIGTERM');
  await untilRefused(node.url);
  expect(performance.now() - toldAtMs).toBeGreaterThanOrEqual(drainSeconds * 1_000);
  expect(node.isRunning()).toBe(true);
  await lock.release();
  // It came before the signal, and its connection is closed all the same.
  expect(await played).toMatchObject({ status: 200, connection: 'close' });
  expect(await node.exited).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test('a pause that is no whole number of seconds is refused in one line', async () => {
  const wrong = { ...env, ROUNDHOUSE_DRAIN_SECONDS: '2.5' };
  expectOneLine(
    await runRoundhouse(['serve'], { env: wrong }),
    /'2\.5' from env 'ROUNDHOUSE_DRAIN_SECONDS' is invalid\. A whole number/,
  );
});

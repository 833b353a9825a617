import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockAccount } from '../support/accountLock.ts';
import { call, post } from '../support/rgsCalls.ts';
import {
  houseSession,
  jsonLinesOf,
  type ServeNode,
  startServe,
  succeed,
  untilPortClosed,
} from '../support/roundhouse.ts';
import { type ServedFixture, servedFixture } from '../support/servedFixture.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../watch/tracing/otlpReceiver.ts';
import { serveRefusal } from './firstWorker.ts';

const UNIT = 1_000_000;
const DRAIN_SECONDS = 2;
const PROXY = '203.0.113.9';

let env: ServedFixture;
let first: ServeNode;
let second: ServeNode;
/** It gets the spans of the second node. */
let collector: OtlpReceiver;

beforeAll(async () => {
  env = await servedFixture('serve');
  // It drains longer than the tests take.
  const drains = ['--workers', '1', '--drain-seconds', '300'];
  first = await startServe(drains, { env: { ...env, ROUNDHOUSE_TRUSTED_PROXIES: 'loopback' } });
  collector = await startOtlpReceiver();
  const settings = {
    ROUNDHOUSE_DRAIN_SECONDS: String(DRAIN_SECONDS),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_SERVICE_NAME: 'games',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    // Only the end of the process can send them.
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  };
  // It has a worker for each core.
  second = await startServe([], { env: { ...env, ...settings } });
});
afterAll(() => collector.close());

/** Returns a session that the command issues for a player, authenticated. */
async function sessionOfPlayer(player: string, args: readonly string[] = []): Promise<string> {
  const sessionID = await houseSession({ url: second.url, env, player }, args);
  await call(second.url, '/wallet/authenticate', { sessionID });
  return sessionID;
}

async function send(url: string, options: http.RequestOptions, body = '') {
  const [response] = (await once(http.request(url, options).end(body), 'response')) as [http.IncomingMessage];
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, connection: response.headers.connection, body: JSON.parse(text) };
}

describe('roundhouse serve', () => {
  it('has none of the paths for local work', async () => {
    for (const pathname of ['/session/start', '/game/search', '/game/force', '/game/faults'])
      expect((await post(first.url, pathname, {})).status).toBe(404);
    expect((await fetch(`${first.url}/game/faults`)).status).toBe(404);
    expect((await fetch(`${first.url}/fixture/1.0.0/index.html`)).status).toBe(404);
  });

  it('knows a session of `roundhouse session` on every node, and logs no credential', async () => {
    const sessionID = await sessionOfPlayer('anna', ['--currency', 'EUR', '--balance', '5']);
    for (const node of [first, second]) {
      const { balance } = await call(node.url, '/wallet/balance', { sessionID });
      expect(balance).toEqual({ amount: 5 * UNIT, currency: 'EUR' });
      expect(node.output()).not.toContain(sessionID);
    }
  });

  it('takes the address of a client from a trusted proxy', async () => {
    await fetch(`${first.url}/healthz`, { headers: { 'X-Forwarded-For': PROXY } });
    await first.waitFor(new RegExp(`"ip":"${PROXY}"`));
  });

  it('launches at the address that ROUNDHOUSE_PUBLIC_URL names', async () => {
    const behindProxy = { env: { ...env, ROUNDHOUSE_PUBLIC_URL: 'https://rgs.example.com/slots' } };
    const url = new URL(await succeed(['session'], behindProxy));
    expect(url.href).toMatch(/^https:\/\/rgs\.example\.com\/slots\/fixture\/1\.0\.0\/index\.html\?/);
    expect(url.searchParams.get('rgs_url')).toBe('rgs.example.com/slots');
    const named = await succeed(['session', '--rgs-url', first.url], behindProxy);
    expect(named).toContain(`${first.url}/fixture/`);
  });

  it('`roundhouse session` gives a session without a link when the game has no front end', async () => {
    const printed = await succeed(['session'], { env: { ...env, ROUNDHOUSE_PUBLIC_URL: first.url } });
    const page = `${first.url}/fixture/1.0.0/index.html`;
    expect(printed).toMatch(`There is no page to open: ${page} is 404, so the game has no front end on this server.\n`);
    expect(printed).toMatch(new RegExp(`\n  sessionID  \\S{32}\n  rgs_url    ${new URL(first.url).host}\n$`));
  });
});

describe('on both running nodes, without a restart', () => {
  const [PLAY, BALANCE, limits] = ['/wallet/play', '/wallet/balance', 'limits lena --currency EUR'];
  let bet: object;
  beforeAll(async () => {
    const sessionID = await sessionOfPlayer('lena', ['--currency', 'EUR', '--country', 'FI']);
    bet = { sessionID, amount: UNIT, mode: 'BASE' };
  });

  it.each<[command: string, pathname: string, outcome: string, printed?: RegExp]>([
    [`${limits} --daily-wager 0.50`, PLAY, 'ERR_GLE'],
    [`${limits} --daily-wager none --daily-loss 0.50`, PLAY, 'ERR_GLE'],
    ['maintenance list', BALANCE, 'ok', /^No maintenance\.$/m],
    ['maintenance on game fixture', PLAY, 'ERR_MAINTENANCE', /^Maintenance of game fixture is on: no-new-rounds\.$/m],
    ['maintenance on server --level nothing-at-all', BALANCE, 'ERR_MAINTENANCE'],
    ['maintenance list', BALANCE, 'ERR_MAINTENANCE', /^the server: nothing-at-all .*\ngame fixture: no-new-rounds /],
    ['maintenance off server', BALANCE, 'ok'],
    ['maintenance off game fixture', PLAY, 'ERR_GLE'],
    ['login-expiry lena now', BALANCE, 'ERR_ATE'],
    ['login-expiry lena never', BALANCE, 'ok'],
    ['operator set house --block-countries fi,SE', BALANCE, 'ERR_LOC'],
    ['operator set house --block-countries none', BALANCE, 'ok'],
    [`${limits} --daily-loss none`, PLAY, 'ok'],
  ])('after `%s` %s is %s', async (command, pathname, outcome, printed = /^/) => {
    expect(await succeed(command.split(' '), { env })).toMatch(printed);
    for (const { url } of [first, second]) {
      const response = await post(url, pathname, bet, { 'Idempotency-Key': 'on both' });
      expect(response.status === 200 ? 'ok' : response.body.error).toBe(outcome);
    }
  });
});

it('a game that returns more than 100 % is refused at start, unless more is allowed', async () => {
  const refusal = /: version 1\.0\.0 of game fixture returns 25042\.5 % in mode base, more than 100 %: --max-rtp/m;
  expect(await serveRefusal({ ...env, ROUNDHOUSE_MAX_RTP: '' })).toMatch(refusal);
});

it('a published version is refused at start when its math was changed', async () => {
  const table = path.join(env.ROUNDHOUSE_GAMES, 'fixture', 'math', 'lookUpTable_base_0.csv');
  const published = await readFile(table, 'utf8');
  await writeFile(table, published.replace('1,10,0', '1,11,0'));
  const refusal = /: version 1\.0\.0 of game fixture was published with other math .* give it a new version$/m;
  expect(await serveRefusal(env)).toMatch(refusal);
  await writeFile(table, published);
});

describe('after SIGTERM', () => {
  it('a node is not ready, responds to requests that still come, and keeps no connection open', async () => {
    const sessionID = await sessionOfPlayer('late');
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    expect(await send(`${first.url}/readyz`, { agent })).toMatchObject({ status: 200, connection: 'keep-alive' });
    first.kill('SIGTERM');
    await first.waitFor(/"signal":"SIGTERM".*"msg":"finishing what is in flight"/);
    // The agent uses the connection that was open before, as a proxy does.
    const notReady = await send(`${first.url}/readyz`, { agent });
    expect(notReady).toEqual({ status: 503, connection: 'close', body: { status: 'draining' } });
    agent.destroy();
    expect(await send(`${first.url}/healthz`, {})).toMatchObject({ status: 200, connection: 'close' });
    await call(first.url, '/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    expect(first.isRunning()).toBe(true);
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    first.kill('SIGKILL');
  });

  it('the port stays open for the drain time, and a play in flight outlasts it', async () => {
    const sessionID = await sessionOfPlayer('in-flight');
    const lock = await lockAccount(env.DATABASE_URL, 'in-flight');
    const bet = JSON.stringify({ sessionID, amount: UNIT, mode: 'BASE' });
    const agent = new http.Agent({ keepAlive: true });
    const played = send(`${second.url}/wallet/play`, { method: 'POST', agent }, bet);
    await lock.untilWaiting(1);
    expect(collector.requests).toEqual([]);
    const signalledAtMs = performance.now();
    second.kill('SIGTERM');
    await untilPortClosed(second.url);
    expect(performance.now() - signalledAtMs).toBeGreaterThanOrEqual(DRAIN_SECONDS * 1_000);
    expect(second.isRunning()).toBe(true);
    await lock.release();
    // It came before the signal, and its connection is closed all the same.
    const { body, ...response } = await played;
    expect(response).toEqual({ status: 200, connection: 'close' });
    expect(body.balance.amount).toBe(999 * UNIT);
    const exit = await second.exited;
    expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(exit.stdout).toMatch(/"route":"\/wallet\/play","status":200/);
  });

  it('a node has sent the spans of its workers, each with the resource of its process', async () => {
    const roots = collector.named('POST /wallet/play');
    expect(roots.length).toBeGreaterThan(1);
    const named = { 'service.name': 'games', 'deployment.environment.name': 'test', 'process.pid': expect.any(Number) };
    for (const { resource } of roots) expect(resource).toMatchObject(named);
    const countOf = (name: string) => new Set(roots.map(({ resource }) => resource[name])).size;
    expect(countOf('service.instance.id')).toBe(countOf('process.pid'));
    expect(collector.requests[0]?.headers.authorization).toBe('Bearer abc');
  });

  it('the log has the start of both nodes, and no stop of the one that was killed', async () => {
    for (const [kind, nodes] of Object.entries({ node_started: [first, second], node_stopped: [second] })) {
      const events = jsonLinesOf(await succeed(['audit', 'list', '--json', '--kind', kind], { env }));
      const names = nodes.map(({ pid }) => `${os.hostname()}#${pid}`);
      expect(events.map(({ subject }) => subject)).toEqual(names.map((name) => `node ${name}`));
      expect(events.map(({ actor }) => actor)).toEqual(names.map((name) => `node:${name}`));
    }
  });
});

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { openClient } from '@roundhouse/service';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockAccount } from '../../support/accountLock.ts';
import { call } from '../../support/rgsCalls.ts';
import { type Roundhouse, type ServeNode, spawnRoundhouse, startServe, succeed } from '../../support/roundhouse.ts';
import { type ServedFixture, servedFixture } from '../../support/servedFixture.ts';
import { newPlayers, type Player, play, playRound } from './players.ts';

const PLAYERS = 4;
const TWO_WORKERS = ['--workers', '2'];
const ONE_WORKER = ['--workers', '1'];

let env: ServedFixture;
let node: ServeNode;
let db: Client;
let players: Player[];

beforeAll(async () => {
  env = await servedFixture('workers');
  db = await openClient(env.DATABASE_URL);
});
afterAll(() => db.end());

function logged(of: Roundhouse): { pid: number; msg: string; worker?: number; reason?: string }[] {
  const lines = of.output().match(/^\{.*\}$/gm) ?? [];
  return lines.map((line) => JSON.parse(line));
}

/** Returns the processes that have responded to a request, by their log lines. */
function servingPids(of: Roundhouse): number[] {
  return [...new Set(logged(of).flatMap(({ pid, msg }) => (msg === 'request' ? [pid] : [])))];
}

/** Uses a separate connection, which the workers get in turn. */
async function askAlone(pathname: string): Promise<string> {
  const response = await fetch(node.url + pathname, { headers: { connection: 'close' } });
  expect(response.status).toBe(200);
  return response.text();
}

function counted(metrics: string, route: string): number {
  const labels = `route="${route}",status="200",result="ok"`;
  const line = new RegExp(`^roundhouse_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm');
  return Number(metrics.match(line)?.[1]);
}

/** Returns the last round that the recovering worker has noted. */
async function notedRound(): Promise<string> {
  const file = path.join(env.ROUNDHOUSE_DATA, 'last-round.json');
  return JSON.parse(await readFile(file, 'utf8')).roundID;
}

/** Never kills the process 0, which would be all of ours. */
function kill(worker: number | undefined): void {
  if (worker === undefined) throw new Error('there is no such worker');
  process.kill(worker, 'SIGKILL');
}

const died = (pid: number) => new RegExp(`"worker":${pid},.*"signal":"SIGKILL".*"msg":"a worker died"`);

/** Waits until this number of workers has replaced dead ones since the start. */
async function untilReplaced(count: number): Promise<void> {
  const taken = () => node.output().split('a worker took the place').length - 1;
  await expect.poll(taken).toBe(count);
}

/** Checks that the output is closed and the port is free: so none of its processes is left. */
async function expectAllGone({ url, exited }: ServeNode, exit: object): Promise<void> {
  expect(await exited).toMatchObject(exit);
  const socket = net.connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  await expect(once(socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
}

it('Ctrl-C while its workers start ends it in one line', async () => {
  const starting = spawnRoundhouse(['serve', ...TWO_WORKERS, '--port', '0'], { env });
  await starting.waitFor(/AUTO: .* MB, 4 books/);
  starting.pressCtrlC();
  expect(await starting.exited).toMatchObject({ code: 130, stderr: 'SIGINT: stopped before it was done.\n' });
  expect(starting.output()).not.toContain('"serving"');
});

it('two workers respond on one port, and rounds are played over both', async () => {
  node = await startServe(TWO_WORKERS, { env });
  players = await newPlayers(node, env.DATABASE_URL, ['anna', 'bert', 'cleo', 'dora']);
  await Promise.all(
    players.map(async (player) => {
      for (let round = 0; round < 5; round += 1) expect(await playRound(node, player)).toBe(0);
    }),
  );
  await expect.poll(() => servingPids(node)).toHaveLength(2);
  expect(servingPids(node)).not.toContain(node.pid);
  const commands = await Promise.all(servingPids(node).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')));
  for (const command of commands) expect(command.split('\0')).toContain('--max-semi-space-size=64');
});

it('each worker reports the metrics of both', async () => {
  await expect.poll(async () => counted(await askAlone('/metrics'), '/wallet/play')).toBe(5 * PLAYERS);
  const reports = await Promise.all([1, 2, 3, 4].map(() => askAlone('/metrics')));
  for (const report of reports) {
    expect(counted(report, '/wallet/play')).toBe(5 * PLAYERS);
    expect(counted(report, '/wallet/end-round')).toBe(5 * PLAYERS);
    expect(report).toMatch(/^nodejs_version_info\{.*\} 1$/m);
  }
  const headers = { connection: 'close', accept: 'application/openmetrics-text;version=1.0.0' };
  const openMetrics = await fetch(`${node.url}/metrics`, { headers });
  expect(openMetrics.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  const text = await openMetrics.text();
  expect(counted(text, '/wallet/play')).toBe(5 * PLAYERS);
  expect(text).toContain('# TYPE roundhouse_plays counter\nroundhouse_plays_total{');
  expect(text.endsWith('\n# EOF\n')).toBe(true);
});

it('a worker that is killed is replaced, and no money is lost or doubled', async () => {
  const victims = servingPids(node);
  let isOver = false;
  const playing = players.map(async (player) => {
    let broken = 0;
    while (!isOver) broken += await playRound(node, player);
    return broken;
  });
  try {
    for (const [index, victim] of victims.entries()) {
      kill(victim);
      await node.waitFor(died(victim));
      await untilReplaced(index + 1);
    }
  } finally {
    isOver = true;
  }
  const broken = await Promise.all(playing);
  expect(broken.reduce((sum, each) => sum + each)).toBeGreaterThan(0);
  for (const { sessionID, balance } of players) {
    expect((await call(node.url, '/wallet/balance', { sessionID })).balance.amount).toBe(balance);
  }
  expect(await succeed(['books-balance'], { env })).toMatch(/^The books balance: /);
  // Their replacements serve, and one of them recovers.
  const heard = async () => {
    await askAlone('/healthz');
    return servingPids(node).length;
  };
  await expect.poll(heard).toBe(4);
  await playRound(node, players[0] as Player);
  const { rows } = await db.query('SELECT max(id)::text AS last FROM rounds');
  await expect.poll(notedRound).toBe(rows[0].last);
});

it('a worker that would serve other games than its neighbour does not start, until they are as they were', async () => {
  const file = path.join(env.ROUNDHOUSE_GAMES, 'fixture', 'game.json');
  const published = await readFile(file, 'utf8');
  await writeFile(file, published.replace('"1.0.0"', '"2.0.0"'));
  kill(servingPids(node).at(-1));
  await node.waitFor(/"reason":"The games on the disk are not those that the node was started with: restart it\."/);
  await Promise.all(players.map((player) => playRound(node, player)));
  await writeFile(file, published);
  await untilReplaced(3);
});

it('Ctrl-C, which reaches every process, loses no response', async () => {
  const opened = async () => Number((await db.query('SELECT count(*) FROM rounds')).rows[0].count);
  const before = await opened();
  let answered = 0;
  let isStopping = false;
  const playing = players.map(async (player) => {
    for (;;) {
      const response = await play(node, player).catch(() => undefined);
      if (response === undefined) {
        expect(isStopping).toBe(true);
        return;
      }
      expect(response.status).toBe(200);
      answered += 1;
      const ended = await call(node.url, '/wallet/end-round', { sessionID: player.sessionID }).catch(() => undefined);
      if (ended === undefined) return;
    }
  });
  await expect.poll(() => answered).toBeGreaterThan(PLAYERS);
  isStopping = true;
  node.pressCtrlC();
  await Promise.all(playing);
  await expectAllGone(node, { code: 0, signal: null, stderr: '' });
  expect(await opened()).toBe(before + answered);
  expect(logged(node).filter(({ msg }) => msg === 'finishing what is in flight')).toHaveLength(1);
});

it('when the primary is killed its workers end at once, also with a play in flight', async () => {
  node = await startServe(ONE_WORKER, { env });
  const [player] = await newPlayers(node, env.DATABASE_URL, ['orphaned']);
  const lock = await lockAccount(env.DATABASE_URL, 'orphaned');
  const cutOff = expect(play(node, player as Player)).rejects.toThrow();
  await lock.untilWaiting(1);
  node.kill('SIGKILL');
  await expectAllGone(node, { code: null, signal: 'SIGKILL' });
  await cutOff;
  await lock.release();
});

it('a second signal does not wait for what is in flight', async () => {
  node = await startServe([...ONE_WORKER, '--drain-seconds', '300'], { env });
  const signalAgain = () => {
    if (node.isRunning()) node.kill('SIGTERM');
    return node.isRunning();
  };
  await expect.poll(signalAgain, { interval: 200 }).toBe(false);
  await expectAllGone(node, { code: 1 });
});

it('a port that is taken is refused once', async () => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const port = String((taken.address() as net.AddressInfo).port);
  const exit = await spawnRoundhouse(['serve', ...TWO_WORKERS, '--port', port], { env }).exited;
  taken.close();
  const stderr = `Port ${port} on 127.0.0.1 is in use. Choose another with --port.\n`;
  expect(exit).toMatchObject({ code: 1, stderr });
});

import os from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { call, sessionOf } from '../support/rgsCalls.ts';
import {
  freePort,
  launchUrlOf,
  type Roundhouse,
  runRoundhouse,
  spawnRoundhouse,
  untilPortClosed,
} from '../support/roundhouse.ts';
import { type ServedFixture, servedFixture } from '../support/servedFixture.ts';

let env: ServedFixture;
let url: string;
let node: Roundhouse;
let db: Database;

beforeAll(async () => {
  env = await servedFixture('status');
  db = openDatabase({ url: env.DATABASE_URL });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  node = spawnRoundhouse(['serve', '--workers', '1', '--port', String(port), '--drain-seconds', '5'], { env });
  await node.waitFor(/"msg":"serving"/);
});
afterAll(() => db.$disconnect());

async function status(...args: string[]) {
  const { code, stdout, stderr } = await runRoundhouse(['status', ...args], { env });
  expect(stderr).toBe('');
  return { code, text: stdout };
}

it('a real node is ready, and its metrics are understood', async () => {
  const launchUrl = await launchUrlOf({ url, env, player: 'anna' });
  const sessionID = sessionOf(launchUrl);
  await call(url, '/wallet/authenticate', { sessionID });
  await call(url, '/wallet/play', { sessionID, amount: 1_000_000, mode: 'BASE' });
  // The node reads its clock soon after its start.
  const offset = async () =>
    JSON.parse((await status('--json', '--node', url)).text).nodes[0].metrics.clockOffsetSeconds;
  await expect.poll(offset).not.toBeNull();
  const { code, text } = await status('--json', '--node', `${url}/`);
  const { nodes, stored, findings } = JSON.parse(text);
  expect({ code, findings }).toEqual({ code: 0, findings: [] });
  expect(nodes).toMatchObject([{ url, isReady: true, metricsIssue: null, metrics: { overloads: 0, roundStops: [] } }]);
  expect(stored).toMatchObject({ lastRoundAt: expect.any(String), notAsked: [] });
});

it('a node that nobody asks is listed by its name', async () => {
  const other = `http://127.0.0.1:${await freePort()}`;
  const { text } = await status('--node', other);
  expect(text).toContain(`${os.hostname()}#${node.pid}  not asked: name it with --node (`);
});

it('--watch prints look after look, with the rate of rounds, and ends with the code of the last one', async () => {
  const watching = spawnRoundhouse(['status', '--watch', '1', '--node', url], { env });
  await watching.waitFor(/(Is money safe\?.*){2}/s);
  await watching.waitFor(/^Rounds .* ago, \d+\.\d per second$/m);
  await db.maintenance.create({ data: { scope: 'server', target: '', level: 'no_new_rounds' } });
  await watching.waitFor(/^warning +maintenance of the server is on: no-new-rounds$/m);
  watching.pressCtrlC();
  const { code, stdout, stderr } = await watching.exited;
  await db.maintenance.deleteMany();
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ\nIs money safe\?/);
  expect(stdout).not.toContain('\x1b');
});

it('--watch --json prints each look on a line', async () => {
  const watching = spawnRoundhouse(['status', '--watch', '1', '--json', '--node', url], { env });
  await watching.waitFor(/^\{.*\}\n\{.*\}$/m);
  watching.kill('SIGTERM');
  const { code, stdout } = await watching.exited;
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ verdict }) => verdict)).toEqual(lines.map(() => 'ok'));
  expect(code).toBe(0);
});

it('a node that drains is not ready, and one that has stopped is away and not missed', async () => {
  node.kill('SIGTERM');
  await node.waitFor(/"msg":"finishing what is in flight"/);
  const draining = await status('--node', url);
  expect(draining.text).toMatch(/^critical {2}http:\S+ is not ready: draining$/m);
  expect(draining.code).toBe(2);
  await node.exited;
  await untilPortClosed(url);
  const { code, text } = await status('--node', url);
  expect(text).toMatch(/^Nodes {8}http:\S+ {2}away: ECONNREFUSED\nDatabase /m);
  expect(code).toBe(2);
});

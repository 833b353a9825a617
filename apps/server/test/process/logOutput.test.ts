import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { COMMAND, environment } from '../support/roundhouse.ts';
import { servedFixture } from '../support/servedFixture.ts';

const REQUESTS_AT_ONCE = 50;

let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  env = environment(await servedFixture('log'));
});

let node: ChildProcess | undefined;
afterEach(async () => {
  if (node?.exitCode === null && node.signalCode === null) {
    node.kill('SIGKILL');
    await once(node, 'exit');
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

it.each([
  ['is on a full disk', { output: 'full', workers: 2, requests: 100 }],
  ['goes to a reader that is gone', { output: 'gone', workers: 1, requests: 100 }],
  // Their lines are more than a pipe holds, and what Node reads of it by itself.
  ['goes to a reader that does not read', { output: 'unread', workers: 1, requests: 1_200 }],
])('a node whose log %s serves, and ends at SIGTERM', async (_what, { output, workers, requests }) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const stream = output === 'full' ? openSync('/dev/full', 'w') : 'pipe';
  const child = spawn(process.execPath, [COMMAND, 'serve', '--port', String(port), '--workers', String(workers)], {
    env,
    stdio: ['ignore', stream, stream],
  });
  node = child;
  if (typeof stream === 'number') closeSync(stream);
  if (output === 'gone') for (const each of [child.stdout, child.stderr]) each?.destroy();

  const readiness = async () => child.exitCode ?? (await fetch(`${url}/readyz`).catch(() => undefined))?.status;
  await expect.poll(readiness).toBe(200);
  for (let sent = 0; sent < requests; sent += REQUESTS_AT_ONCE) {
    const responses = await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, () => fetch(`${url}/healthz`)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(responses.map((response) => response.text()));
  }
  const dropped = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^roundhouse_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
  };
  // A line is counted when its write has failed, which is after its response.
  if (output !== 'unread') await expect.poll(dropped, { timeout: 60_000 }).toBeGreaterThanOrEqual(requests);

  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

const LINES = 1_000;
const WRITERS = 4;

/** Logs many lines in one turn, says on the other stream how many were dropped, and ends. */
const writer = (lines: number) => `
import { createLog, droppedLogLines } from '@roundhouse/service';
const log = createLog({ level: 'info', pretty: false });
for (let line = 0; line < ${lines}; line += 1) log.info({ writer: process.pid, route: '/wallet/play', line }, 'request');
process.on('exit', () => process.stderr.write(String(droppedLogLines())));
`;
const args = (lines: number) => ['--input-type=module', '--eval', writer(lines)];
const cwd = fileURLToPath(new URL('../..', import.meta.url));

it('the lines of several processes on one pipe stay whole and in order, however slow its reader is', async () => {
  const script = `for each in ${Array.from({ length: WRITERS }, (_, index) => index).join(' ')}; do "$0" "$@" & done; wait`;
  const command = ['-c', script, process.execPath, ...args(LINES)];
  const shell = spawn('sh', command, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const piece of shell.stdout.setEncoding('utf8')) {
    text += piece;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const lines: { writer: number; line: number }[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(WRITERS * LINES);
  const writers = new Set(lines.map(({ writer }) => writer));
  expect(writers.size).toBe(WRITERS);
  for (const each of writers) {
    const own = lines.filter(({ writer }) => writer === each).map(({ line }) => line);
    expect(own).toEqual(Array.from({ length: LINES }, (_, index) => index));
  }
});

it('of what a reader does not take a bounded part waits, and the end of the process does not wait for it', async () => {
  const many = 50_000;
  const child = spawn('sh', ['-c', `"$0" "$@" | sleep 60`, process.execPath, ...args(many)], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const [dropped] = await once(child.stderr.setEncoding('utf8'), 'data');
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  expect(Number(dropped)).toBeGreaterThan(many / 2);
});

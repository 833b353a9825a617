import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { environment } from '../support/roundhouse.ts';
import { servedFixture } from '../support/servedFixture.ts';

const COMMAND = fileURLToPath(new URL('../../bin/roundhouse.js', import.meta.url));
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
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    expect(child.exitCode).toBeNull();
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test.each([
  ['is on a full disk', { output: 'full', workers: 2, requests: 100 }],
  ['goes to a reader that is gone', { output: 'gone', workers: 1, requests: 100 }],
  // Their lines are more than a pipe holds, and what Node reads of it by itself.
  ['goes to a reader that does not read', { output: 'unread', workers: 1, requests: 1_200 }],
])('a node whose log %s serves, and stops when it is told to', async (_what, { output, workers, requests }) => {
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

  await untilReady(url, child);
  for (let sent = 0; sent < requests; sent += REQUESTS_AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, () => fetch(`${url}/healthz`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(answers.map((answer) => answer.text()));
  }
  const dropped = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^roundhouse_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
  };
  // A line is counted when its write has failed, which is after its answer.
  if (output !== 'unread') await expect.poll(dropped, { timeout: 60_000 }).toBeGreaterThanOrEqual(requests);

  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

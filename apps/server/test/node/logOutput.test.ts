import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { COMMAND, environment, freePort } from '../support/roundhouse.ts';
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

it.each([
  ['is on a full disk', { output: 'full', workers: 2, requests: 100 }],
  ['goes to a reader that is gone', { output: 'gone', workers: 1, requests: 100 }],
  // Their lines are more than a pipe holds, and what Node reads ahead of it.
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

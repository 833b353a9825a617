import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const run = promisify(execFile);
const SERVER = fileURLToPath(new URL('..', import.meta.url));
const MAIN = path.join(SERVER, 'dist-bench/main.js');

// Many processes start here, on a machine that runs other tests as well.
const TIMEOUT_MS = 120_000;

let temporaryFolder: string;

beforeAll(async () => {
  await run(path.join(SERVER, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.bench.json'], { cwd: SERVER });
  temporaryFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-bench-test-'));
  // PostgreSQL runs as another user when we are root.
  await chmod(temporaryFolder, 0o711);
});
afterAll(() => rm(temporaryFolder, { recursive: true, force: true }));

let env: NodeJS.ProcessEnv;
beforeEach(() => {
  env = { ...process.env, TMPDIR: temporaryFolder };
});

test('a quick run measures every target, balances the books and leaves nothing behind', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { stdout } = await run(process.execPath, [MAIN, '--quick', '--connections', '2', '--json'], { env });
  const { cells, isolation, books } = JSON.parse(stdout);
  expect(cells).toHaveLength(8);
  for (const cell of cells) {
    expect(cell).toMatchObject({
      target: expect.stringMatching(/^(roundhouse|statements|batches|naive)$/),
      roundsPerSecond: expect.any(Number),
      roundhouseIs: expect.any(Number),
      play: { p50Ms: expect.any(Number), p99Ms: expect.any(Number) },
    });
    expect(cell.endRound === undefined).toBe(cell.workload === 'play');
  }
  for (const phase of ['before', 'during', 'after']) expect(isolation[phase].roundsPerSecond).toBeGreaterThan(0);
  expect(books.imbalances).toEqual([]);
  expect(books.rounds).toBeGreaterThan(0);
  expect(await readdir(temporaryFolder)).toEqual([]);
});

test('Ctrl-C in the middle of it leaves nothing behind', { timeout: TIMEOUT_MS }, async () => {
  const bench = spawn(process.execPath, [MAIN, '--connections', '2', '--seconds', '60'], { env });
  const exited = once(bench, 'exit');
  // The first line that it writes comes when everything has been started.
  await once(bench.stderr, 'data');
  bench.kill('SIGINT');
  const [code] = await exited;
  expect(code).toBe(128 + os.constants.signals.SIGINT);
  expect(await readdir(temporaryFolder)).toEqual([]);
});

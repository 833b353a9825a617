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
const TIMEOUT_MS = 600_000;

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

test('a quick run measures every section, balances the books and leaves nothing behind', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { stdout } = await run(process.execPath, [MAIN, '--quick', '--connections', '2', '--json'], { env });
  const { rates, latency, seamless, isolation, checks, proof } = JSON.parse(stdout);
  const measured = rates.map(({ target, workload }: { target: string; workload: string }) => `${target} ${workload}`);
  expect(measured.sort()).toEqual([
    'batches play',
    'naive play',
    'naive round',
    'roundhouse authenticate',
    'roundhouse balance',
    'roundhouse event',
    'roundhouse play',
    'roundhouse round',
    'statements play',
  ]);
  for (const cell of [...rates, ...seamless]) {
    expect(cell).toMatchObject({
      connections: 2,
      perSecond: expect.any(Number),
      latency: { p50Ms: expect.any(Number), p99Ms: expect.any(Number) },
    });
    expect(cell.endRound === undefined).toBe(cell.workload !== 'round');
  }
  expect(latency).toMatchObject({ p50Ms: expect.any(Number), p99Ms: expect.any(Number), p999Ms: expect.any(Number) });
  for (const phase of ['before', 'during', 'after']) expect(isolation[phase].perSecond).toBeGreaterThan(0);
  expect(checks).toHaveLength(3);
  expect(proof.imbalances).toEqual([]);
  expect(proof.rounds).toBeGreaterThan(0);
  expect(await readdir(temporaryFolder)).toEqual([]);
});

test('grown databases are filled with books that balance, and a target that is missed is told by --check', {
  timeout: TIMEOUT_MS,
}, async () => {
  const sizes = ['--growth-players', '30,50', '--growth-rounds', '0,2000'];
  const args = ['--quick', '--sections', 'naive,growth', '--workloads', 'play', '--connections', '2', ...sizes];
  const { code, stdout } = await exitOf([...args, '--check', '--json']);
  const { growth, checks } = JSON.parse(stdout);
  expect(growth).toMatchObject(
    [
      { players: 30, pastRounds: 0 },
      { players: 50, pastRounds: 0 },
      { players: 30, pastRounds: 2000 },
      { players: 50, pastRounds: 2000 },
    ].map((size) => ({ ...size, perSecond: expect.any(Number), proven: true })),
  );
  expect(checks).toHaveLength(4);
  expect(code).toBe(checks.every(({ ok }: { ok: boolean }) => ok) ? 0 : 1);
});

/** Not every run is to end with 0. */
async function exitOf(args: readonly string[]): Promise<{ code: number; stdout: string }> {
  return run(process.execPath, [MAIN, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

test('wrk and pgbench stand in where they are installed', { timeout: TIMEOUT_MS }, async () => {
  const short = ['--seconds', '1', '--rounds', '1', '--connections', '2'];
  const args = [...short, '--sections', 'floor,http', '--workloads', 'play', '--json'];
  const { stdout } = await run(process.execPath, [MAIN, ...args], { env });
  const { machine, rates, proof } = JSON.parse(stdout);
  const targets = rates.map(({ target }: { target: string }) => target);
  expect(targets.includes('pgbench')).toBe(machine.pgbench);
  for (const { perSecond } of rates) expect(perSecond).toBeGreaterThan(0);
  expect(proof.imbalances).toEqual([]);
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

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const MAIN = path.join(DIST, 'main.js');
// The tests start many processes, on a machine that runs other tests as well.
const TIMEOUT_MS = 600_000;

let temporaryFolder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  temporaryFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-bench-test-'));
  // PostgreSQL runs as another user when we are root.
  await chmod(temporaryFolder, 0o711);
  env = { ...process.env, TMPDIR: temporaryFolder };
});
afterAll(() => rm(temporaryFolder, { recursive: true, force: true }));

it('a quick run measures every section, balances the books and leaves nothing behind', {
  timeout: TIMEOUT_MS,
}, async () => {
  const args = ['--quick', '--full', '--connections', '2', '--json'];
  const { stdout } = await run(process.execPath, [MAIN, ...args], { env });
  const { rates, seamless, dialects, latency, overload, books, growth, proof, ...others } = JSON.parse(stdout);
  // Where pgbench is not installed, a run has no anchors.
  const peers = rates.filter(({ target }: { target: string }) => !target.endsWith('pgbench'));
  const measured = peers.map(({ target, workload }: { target: string; workload: string }) => `${target} ${workload}`);
  expect(measured.sort()).toEqual([
    'Roundhouse over HTTP authenticate',
    'Roundhouse over HTTP balance',
    'Roundhouse over HTTP fairPlay',
    'Roundhouse over HTTP play',
    'Roundhouse over HTTP round',
    'naive server over HTTP play',
  ]);
  const milliseconds = { p50Ms: expect.any(Number), p99Ms: expect.any(Number) };
  for (const cell of [...rates, ...seamless, ...dialects, ...growth]) {
    expect(cell).toMatchObject({ connections: 2, perSecond: expect.any(Number), ...milliseconds });
    expect(cell.endRoundP50Ms === undefined).toBe(cell.workload !== 'round');
  }
  const wallets = ['house wallet', 'instant wallet', 'wallet that takes 20 ms', 'reference operator'];
  expect(seamless.map(({ wallet }: { wallet: string }) => wallet)).toEqual(wallets);
  for (const cell of seamless) expect(cell).toMatchObject({ refusedPercent: 0 });
  const ofDialects = dialects.map(({ workload, dialect }: Record<string, string>) => `${workload} ${dialect}`);
  expect(ofDialects).toEqual(expect.arrayContaining(['play own protocol', 'round own protocol', 'round hub88']));
  const costs = others.costs.map(({ wallet, workload }: Record<string, string>) => `${wallet} ${workload}`);
  expect(costs).toEqual(['house play', 'operator play', 'house round', 'operator round']);
  for (const { walBytes, tableBytes } of others.costs) {
    expect(walBytes).toBeGreaterThan(500);
    expect(tableBytes).toBeGreaterThanOrEqual(0);
  }
  expect(latency[0]).toMatchObject({ target: 'Roundhouse over HTTP', ...milliseconds });
  const { plays, requests } = others.console;
  expect(plays).toMatchObject([
    { users: 0, ...milliseconds },
    { users: 2, ...milliseconds, requestsPerSecond: expect.any(Number) },
  ]);
  for (const { request, consoleMicros, postgresMicros } of requests) {
    expect(consoleMicros, request).toBeGreaterThan(0);
    expect(postgresMicros, request).toBeGreaterThan(0);
  }
  expect(overload).toMatchObject([
    { load: 'best', connections: 2 },
    { load: 'arrivals', connections: 16, refusedPercent: 0, gaveUpPercent: expect.any(Number) },
    { load: 'alone' },
    { load: 'besideSlow' },
  ]);
  for (const cell of overload) expect(cell).toMatchObject({ perSecond: expect.any(Number), ...milliseconds });
  expect(growth).toMatchObject([
    { workload: 'play', players: 30, pastRounds: 2000 },
    { workload: 'round', players: 30, pastRounds: 2000 },
  ]);
  expect(books.bytesPerBook).toBeGreaterThan(3_000);
  for (const name of ['loadSeconds', 'drawsPerSecond', 'readsPerSecond']) expect(books[name]).toBeGreaterThan(0);
  expect(proof.imbalances).toEqual([]);
  expect(proof.rounds).toBeGreaterThan(0);
  expect(await readdir(temporaryFolder)).toEqual([]);
});

it('a short run measures two cells, each on its core, and balances the books of both', {
  timeout: TIMEOUT_MS,
}, async () => {
  const args = ['--seconds', '0.1', '--rounds', '1', '--connections', '2', '--players', '8', '--json'];
  const { stdout } = await run(process.execPath, [path.join(DIST, 'cells.js'), ...args], { env });
  const { measured, proofs } = JSON.parse(stdout);
  const situations = measured.map(({ cells, generator }: Record<string, string>) => `${cells}, ${generator}`);
  expect(situations).toEqual(['a, other core', 'a, same core', 'b, other core', 'b, same core', 'a and b, same core']);
  for (const { perSecond, serverMicros } of measured) {
    expect(perSecond).toBeGreaterThan(0);
    expect(serverMicros).toBeGreaterThan(0);
  }
  for (const { rounds, imbalances } of proofs) {
    expect(imbalances).toEqual([]);
    expect(rounds).toBeGreaterThan(0);
  }
  expect(await readdir(temporaryFolder)).toEqual([]);
});

it('a short soak restarts both nodes, loses no play and balances the books', { timeout: TIMEOUT_MS }, async () => {
  const args = ['--minutes', '0.1', '--connections', '8', '--json'];
  const { stdout } = await run(process.execPath, [path.join(DIST, 'soak.js'), ...args], { env });
  const { slices, restarts, told, proof, issues } = JSON.parse(stdout);
  expect(issues).toEqual([]);
  expect(proof.imbalances).toEqual([]);
  expect(slices.map(({ restart }: { restart: number }) => restart)).toEqual([0, 2, 1]);
  expect(restarts).toBe(2);
  expect(told).toBeGreaterThan(0);
  expect(await readdir(temporaryFolder)).toEqual([]);
});

it('Ctrl-C in the middle of it leaves nothing behind', { timeout: TIMEOUT_MS }, async () => {
  const args = [MAIN, '--sections', 'http', '--workloads', 'play', '--connections', '2', '--seconds', '60'];
  const bench = spawn(process.execPath, args, { env });
  const exited = once(bench, 'exit');
  // The bench writes its first line when everything has started.
  await once(bench.stderr, 'data');
  bench.kill('SIGINT');
  const [code] = await exited;
  expect(code).toBe(128 + os.constants.signals.SIGINT);
  expect(await readdir(temporaryFolder)).toEqual([]);
});

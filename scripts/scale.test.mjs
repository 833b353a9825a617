import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './bootstrap.mjs';
import { ASSUMED, connectionsOfNode, planOf, sizeOf } from './scaleModel.mjs';

const read = (file) => readFileSync(path.join(root, file), 'utf8');
const measured = JSON.parse(read('docs/scaling-costs.json'));
const scale = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/scale.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const cost = { serverMicros: 100, postgresMicros: 60, walletMicros: 30, walBytes: 2_000, tableBytes: 1_000 };
/** A round costs twice a play, and small batches cost PostgreSQL three times as much. */
const COSTS = ['house', 'operator'].flatMap((wallet) =>
  [
    [256, 1],
    [16, 3],
  ].flatMap(([connections, times]) =>
    [
      ['play', 1],
      ['round', 2],
    ].map(([workload, factor]) => ({
      ...Object.fromEntries(Object.entries(cost).map(([name, value]) => [name, value * factor])),
      postgresMicros: cost.postgresMicros * factor * times,
      wallet,
      workload,
      connections,
    })),
  ),
);
const assumed = {
  ...Object.fromEntries(Object.entries(ASSUMED).map(([name, { default: value }]) => [name, value])),
  paying: 50,
  utilisation: 60,
  average: 50,
  'node-cores': 9,
  'postgres-cores': 30,
  'wallet-ms': 20,
  'play-seconds': 4,
  'keep-days': 10,
  'restore-mb': 100,
};
const plan = (changes = {}) =>
  planOf(
    { costs: COSTS, failover: { seconds: 24.7 } },
    { cells: 10, plays: 100_000, wallet: 'operator', connections: 256, assumed, ...changes },
  );

it('each number of a cell is what its inputs say', () => {
  // Half of the plays cost twice as much: 150 µs, 90 µs, 3,000 and 1,500 bytes a play.
  expect(plan().cell).toEqual({
    plays: 10_000n,
    workers: 4n, // 300 in flight, 128 in a worker at 60 %: 3.9
    nodes: 2n,
    nodeCores: 18n,
    postgresBusy: 1n, // 0.9
    postgresCores: 2n, // 1.5
    postgresCoresSmallBatches: 5n, // 4.5
    databaseServers: 3n,
    databaseCores: 6n,
    connections: 178n, // twice 8 × (8 + 1) + 17
    walletInFlight: 300n, // 1.5 wallet transactions a play, 20 ms each
    walBytesASecond: 30_000_000n,
    walBytesADay: 1_296_000_000_000n,
    tableBytesADay: 648_000_000_000n,
    keptBytes: 6_480_000_000_000n,
    restoreSeconds: 64_800n,
    players: 40_000n,
    playsOfFailover: 247_000n,
  });
});

it('all cells need what one needs, so many times; a restore takes as long as that of one', () => {
  const { cell, sum } = plan();
  for (const [name, value] of Object.entries(sum)) {
    expect([name, value]).toEqual([name, name === 'restoreSeconds' ? cell[name] : cell[name] * 10n]);
  }
});

it('the machine of PostgreSQL says how many cells there are at least', () => {
  // 100,000 × 90 µs at 60 % are 15 cores; 30 cores at 60 % bear 200,000 plays.
  expect(plan()).toMatchObject({ fewestCells: 1n, mostPlaysOfCell: 200_000n });
  expect(plan({ plays: 1_000_000 })).toMatchObject({ fewestCells: 5n });
});

it('a database of some cores bears what its cores do in their share of the time', () => {
  const size = sizeOf(
    { costs: COSTS, failover: { seconds: 1 } },
    { cores: 3, wallet: 'operator', connections: 256, assumed },
  );
  // 3 cores at 60 % are 1.8 s of work a second, 90 µs each.
  expect(size).toMatchObject({ cores: 3, plays: 20_000n, postgresCores: 3n, walBytesASecond: 60_000_000n });
});

it('a remainder makes a cell larger, and never a plan smaller', () => {
  expect(plan({ cells: 3 }).cell.plays).toBe(33_334n);
  expect(plan({ cells: 3, plays: 1 }).cell).toMatchObject({ plays: 1n, workers: 1n, nodes: 2n, postgresCores: 1n });
});

it('slow wallets need workers, and the house wallet needs none of its own', () => {
  const slow = { ...assumed, 'wallet-ms': 200 };
  // 3,000 in flight, 128 in a worker at 60 %: 39.06. Without them 1.5 cores at 60 % are 2.5.
  expect(plan({ assumed: slow }).cell).toMatchObject({ walletInFlight: 3_000n, workers: 40n, nodes: 6n });
  expect(plan({ assumed: slow, wallet: 'house' }).cell).toMatchObject({ walletInFlight: 0n, workers: 3n });
});

it('no division rounds before the end, however many plays there are', () => {
  const { cell } = plan({ cells: 1, plays: 999_999_999 });
  expect(cell.walBytesASecond).toBe(2_999_999_997_000n);
  expect(cell.tableBytesADay).toBe((999_999_999n * 1_500n * 86_400n) / 2n);
});

it('the connections of a node are those of docs/deployment.md', () => {
  const rows = [...read('docs/deployment.md').matchAll(/^\| +(\d+) \| +(\d+) \| +[\d.]+ GB \|$/gm)];
  expect(rows.length).toBeGreaterThan(4);
  for (const [, workers, connections] of rows) expect(connectionsOfNode(Number(workers))).toBe(Number(connections));
});

it('the committed costs name their day, machine and source, and have each cost', () => {
  expect(measured).toMatchObject({
    measuredAt: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    machine: expect.stringMatching(/cores .*PostgreSQL/),
    command: expect.stringMatching(/^npm run scale -- --measure /),
    failover: { seconds: expect.any(Number), source: expect.stringMatching(/docs\//) },
  });
  const each = measured.costs.map(({ wallet, workload, connections }) => `${wallet} ${workload} ${connections}`);
  const known = COSTS.map(({ wallet, workload, connections }) => `${wallet} ${workload} ${connections}`);
  expect(each.sort()).toEqual(known.sort());
  for (const { wallet, walletMicros, ...costs } of measured.costs) {
    for (const name of ['serverMicros', 'postgresMicros', 'walBytes', 'tableBytes']) {
      expect(costs[name], name).toBeGreaterThan(0);
    }
    expect(walletMicros === undefined).toBe(wallet === 'house');
  }
});

it('the output says of each number whether it was measured, computed or assumed', () => {
  const { status, stdout } = scale('--cells', '8');
  expect(status).toBe(0);
  for (const plays of ['100,000 plays/s in 8 cells', '1,000,000 plays/s in 8 cells']) expect(stdout).toContain(plays);
  const rows = [...stdout.matchAll(/^\| (?! *(?:input|figure|cores of PostgreSQL|-)).* \| ([^|]+) \|$/gm)].map(
    ([, is]) => is.trim(),
  );
  expect(rows.length).toBeGreaterThan(40);
  for (const is of rows) expect(is).toMatch(/^(measured|computed|assumed, --[a-z-]+)$/);
  expect(stdout).toContain('One cell that fails takes 12.5 % of the players with it');
});

it('docs/scaling.md has what the command prints', async () => {
  const page = read('docs/scaling.md');
  const fresh = page.replace(
    /(<!-- scale: (.*?) -->\n\n)[\s\S]*?(\n\n<!-- scale -->)/g,
    (_, start, args, end) => `${start}${scale(...args.split(' ')).stdout.trimEnd()}${end}`,
  );
  expect(page.match(/<!-- scale: /g)?.length).toBe(1);
  await expect(fresh).toMatchFileSnapshot('../docs/scaling.md');
});

/** Peaks of three casinos, in plays a second, each with the cores that it gives a node. */
const CASINOS = [
  { plays: 50, cores: 2 },
  { plays: 500, cores: 2 },
  { plays: 5_000, cores: 8 },
];

it('docs/costs.md has what the command computes for three casinos', async () => {
  const cells = CASINOS.map(({ plays, cores }) => {
    const args = ['--cells', '1', '--plays', plays, '--node-cores', cores, '--keep-days', '365', '--json'];
    return JSON.parse(scale(...args.map(String)).stdout).plans[0].cell;
  });
  const group = (number) => number.toLocaleString('en-US', { maximumFractionDigits: 1 });
  const row = (name, cellOf, is = 'computed') => [name, ...cells.map(cellOf), is].map(String);
  const rows = [
    row('casino', (_, at) => ['small', 'medium', 'large'][at], 'is'),
    row('plays/s at the peak', ({ plays }) => group(plays), 'assumed'),
    row('players at once', ({ players }) => group(players)),
    row('million rounds a day', ({ plays }) => group((plays * 43_200) / 1e6)),
    row('nodes × cores, one node spare', ({ nodes }, at) => `${nodes} × ${CASINOS[at].cores}`),
    row('machines of PostgreSQL × cores', (cell) => `${cell.databaseServers} × ${cell.postgresCores}`),
    row('the same if batches stay small', (cell) => `${cell.databaseServers} × ${cell.postgresCoresSmallBatches}`),
    row('disk of each, TB a year', ({ keptBytes }) => group(keptBytes / 1e12)),
    row('log to archive, GB a day', ({ walBytesADay }) => group(walBytesADay / 1e9)),
    row('restore of a year, hours at 300 MB/s', ({ restoreSeconds }) => group(restoreSeconds / 3_600)),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((each) => each[column].length)));
  const isText = (column) => column === 0 || column === 4;
  const padded = rows.map((each) => each.map((text, at) => text[isText(at) ? 'padEnd' : 'padStart'](widths[at])));
  const rule = widths.map((width, at) => (isText(at) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const table = [padded[0], rule, ...padded.slice(1)].map((each) => `| ${each.join(' | ')} |`).join('\n');
  const page = read('docs/costs.md');
  const fresh = page.replace(/(<!-- costs -->)[\s\S]*(<!-- costs -->)/, `$1\n\n${table}\n\n$2`);
  await expect(fresh).toMatchFileSnapshot('../docs/costs.md');
});

it('--json is the same plan for a program', () => {
  const { stdout } = scale('--cells', '4', '--plays', '50000', '--wallet', 'house', '--json');
  const output = JSON.parse(stdout);
  expect(output).toMatchObject({ cells: 4, wallet: 'house', assumed: { utilisation: 60 } });
  expect(output.plans).toMatchObject([{ plays: 50_000, cell: { plays: 12_500 }, sum: { plays: 50_000 } }]);
});

it('other costs may be planned with', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-scale-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'costs.json');
  writeFileSync(file, JSON.stringify({ ...measured, costs: COSTS }));
  const { stdout } = scale('--cells', '1', '--plays', '10000', '--paying', '50', '--costs', file, '--json');
  expect(JSON.parse(stdout).plans[0].cell).toMatchObject({ postgresCores: 2, walBytesADay: 1_296_000_000_000 });
});

it.each([
  [[], '--cells is missing'],
  [['--cells', '0'], '--cells is a whole number from 1 to 256'],
  [['--cells', '257'], '--cells is a whole number from 1 to 256'],
  [['--cells', '1.5'], '--cells is a whole number'],
  [['--cells', '2', '--plays', '-1'], '--plays'],
  [['--cells', '2', '--plays', '1e6'], '--plays is a whole number'],
  [['--cells', '2', '--utilisation', '101'], '--utilisation is a whole number from 1 to 100'],
  [['--cells', '2', '--wallet', 'instant'], '--wallet is one of operator, house'],
  [['--cells', '2', '--cell', '3'], "Unknown option '--cell'"],
])('%j is refused with what is wrong, and prints no plan', (args, message) => {
  const { status, stdout, stderr } = scale(...args);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toContain('npm run scale -- --cells');
});

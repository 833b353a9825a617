import { afterAll, beforeAll, expect, it } from 'vitest';
import { withAdmin } from '../../support/globalSetup.ts';
import { type ServeNode, startServe, stop } from '../../support/roundhouse.ts';
import { type ServedFixture, servedFixture } from '../../support/servedFixture.ts';
import { newPlayers, type Player, playRound } from './players.ts';

const ROUNDS = 5;

let env: ServedFixture;
let node: ServeNode;
let players: Player[];

beforeAll(async () => {
  env = await servedFixture('workerMetrics');
  node = await startServe(['--workers', '2', '--audit-seconds', '1'], { env });
  players = await newPlayers(node, env.DATABASE_URL, ['anna', 'bert', 'cleo', 'dora']);
});
afterAll(() => stop(node));

/** Each collection uses a separate connection, and again when the worker that has it is killed. */
async function report(): Promise<string> {
  for (;;) {
    const response = await fetch(`${node.url}/metrics`, { headers: { connection: 'close' } }).catch(() => undefined);
    if (response === undefined) continue;
    expect(response.status).toBe(200);
    const text = await response.text().catch(() => undefined);
    if (text !== undefined) return text;
  }
}

/** Returns the samples of all counters and histograms, by name and labels. */
function growing(text: string): Map<string, number> {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]));
  const samples = [...text.matchAll(/^([^\s#{]+)(\{.*\})? (\S+)$/gm)].filter(([, name = '']) => {
    const type = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ''));
    return type === 'counter' || type === 'histogram';
  });
  return new Map(samples.map(([, name, labels = '', value]) => [name + labels, Number(value)]));
}

/**
 * One worker reads the totals of money from the database, so they are missing until another one
 * does.
 */
const OF_DATABASE = /^roundhouse_((bet|payout|void_bet|free_payout)_amount|(void_|free_)?rounds)_total\{/;

/** Returns the samples that are lower in the later report, or not there. */
function fallen(earlier: Map<string, number>, later: Map<string, number>): string[] {
  const lower = [...earlier].filter(([sample, value]) => {
    const now = later.get(sample);
    return now === undefined ? !OF_DATABASE.test(sample) : now < value;
  });
  return lower.map(([sample]) => sample);
}

function sumOf(text: string, sample: RegExp): number {
  return [...growing(text)].reduce((sum, [name, value]) => (sample.test(name) ? sum + value : sum), 0);
}
const PLAYS = /^roundhouse_request_duration_\w+_count\{route="\/wallet\/play"/;

const gauge = (text: string, name: string) => Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1]);

/** Returns the workers that have responded to a request. */
function workers(): number[] {
  const pids = [...node.output().matchAll(/"pid":(\d+),[^\n]*"msg":"request"/g)].map(([, pid]) => Number(pid));
  return [...new Set(pids)];
}

async function playAll(): Promise<void> {
  await Promise.all(
    players.map(async (player) => {
      for (let round = 0; round < ROUNDS; round += 1) await playRound(node, player);
    }),
  );
}

it('a worker that has died is still in the sums, and what its successor counts is added', async () => {
  await playAll();
  await expect.poll(() => workers().length).toBe(2);
  const before = await report();
  expect(sumOf(before, PLAYS)).toBe(ROUNDS * players.length);
  expect({
    workers: gauge(before, 'roundhouse_workers'),
    deaths: gauge(before, 'roundhouse_worker_deaths_total'),
  }).toEqual({ workers: 2, deaths: 0 });
  for (const [index, worker] of workers().slice(0, 2).entries()) {
    process.kill(worker, 'SIGKILL');
    await expect.poll(async () => gauge(await report(), 'roundhouse_worker_deaths_total')).toBe(index + 1);
    await expect.poll(async () => gauge(await report(), 'roundhouse_workers')).toBe(2);
  }
  const after = await report();
  expect(fallen(growing(before), growing(after))).toEqual([]);
  expect(sumOf(after, PLAYS)).toBe(ROUNDS * players.length);
  await playAll();
  expect(sumOf(await report(), PLAYS)).toBe(2 * ROUNDS * players.length);
});

it('no counter falls while a worker is killed under load', async () => {
  let isOver = false;
  const playing = Promise.all(
    players.map(async (player) => {
      while (!isOver) await playRound(node, player);
    }),
  );
  const reading = (async () => {
    const falls: string[] = [];
    let reports = 0;
    const last = growing(await report());
    for (; !isOver; reports += 1) {
      const next = growing(await report());
      falls.push(...fallen(last, next));
      for (const [sample, value] of next) last.set(sample, value);
    }
    return { falls, reports };
  })();
  const deaths = gauge(await report(), 'roundhouse_worker_deaths_total');
  try {
    for (const [index, worker] of workers().slice(-2).entries()) {
      process.kill(worker, 'SIGKILL');
      await expect.poll(async () => gauge(await report(), 'roundhouse_worker_deaths_total')).toBe(deaths + index + 1);
      await expect.poll(async () => gauge(await report(), 'roundhouse_workers')).toBe(2);
    }
  } finally {
    isOver = true;
  }
  await playing;
  const { falls, reports } = await reading;
  expect(falls).toEqual([]);
  expect(reports).toBeGreaterThan(5);
});

it('a worker that hangs keeps its counters in the report, and is not among the workers that serve', async () => {
  const before = await report();
  const [hanging = 0] = workers().slice(-1);
  process.kill(hanging, 'SIGSTOP');
  try {
    // One of these connections is for the other worker.
    const text = await Promise.any([report(), report(), report(), report()]);
    expect(fallen(growing(before), growing(text))).toEqual([]);
    expect(gauge(text, 'roundhouse_workers')).toBe(1);
  } finally {
    process.kill(hanging, 'SIGCONT');
  }
  await expect.poll(async () => gauge(await report(), 'roundhouse_workers')).toBe(2);
});

it('one worker reads the totals of money, the data folder and the log of events for the node', async () => {
  const rounds = players.reduce((sum, { plays }) => sum + plays, 0);
  const total = /^roundhouse_rounds_total\{operator="house",game="fixture",currency="USD"\}/;
  // A value of the database is read again after 5 seconds.
  await expect.poll(async () => sumOf(await report(), total)).toBe(rounds);
  const text = await report();
  expect(text.match(/^roundhouse_rounds_total\{/gm)).toHaveLength(1);
  expect(gauge(text, 'roundhouse_data_folder_available_bytes')).toBeGreaterThan(0);
});

it('an event that somebody edits is found by the node, and logged once', async () => {
  await expect.poll(async () => gauge(await report(), 'roundhouse_event_chain_verified')).toBe(1);
  await withAdmin(env.DATABASE_URL, async (client) => {
    await client.query(
      "SET session_replication_role = replica; UPDATE significant_events SET actor = 'forged' WHERE seq = 1",
    );
  });
  await expect.poll(async () => gauge(await report(), 'roundhouse_event_chain_verified')).toBe(0);
  const checkedAt = async () => gauge(await report(), 'roundhouse_event_chain_checked_timestamp_seconds');
  const first = await checkedAt();
  await expect.poll(checkedAt).toBeGreaterThan(first);
  const broken = node.output().match(/^.*"msg":"the log of significant events is broken.*$/gm);
  expect(broken?.map((line) => JSON.parse(line))).toMatchObject([{ event: 'event 1', what: 'was changed, or moved' }]);
});

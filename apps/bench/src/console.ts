import { createHistogram } from 'node:perf_hooks';
import { startChild } from './child.ts';
import { REQUEST_NAMES, type RequestName, type UsersJob, type UsersResult } from './consoleUsers.ts';
import { clockWithout, findInTree, noClock, sumOfClocks, treeClock } from './cpu.ts';
import { OPERATOR } from './fillDatabase.ts';
import { prove, stageSibling } from './growth.ts';
import { MOST_CONNECTIONS, SAMPLES_LONG } from './latency.ts';
import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import { type Bench, probeOf } from './probes.ts';
import { inGroups, runRoundhouse, startRoundhouse } from './servers.ts';

/**
 * The share of users who have the overview open, which the console reads for them again and again.
 */
const WATCHERS_PER_USER = 1 / 4;
const ADDED_AT_ONCE = 4;
/** Linux counts processor time in steps of 10 ms: fewer requests would show no time at all. */
const REPEATED_SECONDS = 1;
const MOST_REPEATED = 100;
const DAY_MS = 86_400_000;
const MONTH_DAYS = 31;
const CONSOLE_PROGRAM = 'staff/console/main.js';

type ConsoleFacts = { users: number; arrivalsPerSecond: number };
type ConsoleCell = ConsoleFacts & Medians;
/** Times are of requests beside plays. Processor times are of one request, without plays. */
type ConsoleRequest = {
  request: RequestName;
  p50Ms: number | undefined;
  p99Ms: number | undefined;
  consoleMicros: number | undefined;
  postgresMicros: number | undefined;
};
export type ConsoleResults = { plays: ConsoleCell[]; requests: ConsoleRequest[] };

/**
 * Measures plays that arrive at a fixed rate, without and with users of the console who search,
 * open rounds and read reports of a database with past rounds.
 */
export async function measureConsole(bench: Bench, arrivalsPerSecond: number): Promise<ConsoleResults> {
  const { cleanUp, stage, options, postgresClock, say } = bench;
  const { consoleUsers: users, consoleRounds: pastRounds } = options.sizes;
  const { sessions, folders } = stage;
  const filling = { players: sessions.length, pastRounds };
  const database = await stageSibling(bench, 'console', filling);
  say(`filled a database with ${pastRounds} past rounds`);
  const server = await startRoundhouse(cleanUp, { ...options, databaseUrl: database.url, folders, consolePort: 0 });
  const consolePid = await findInTree(server.pid, CONSOLE_PROGRAM);
  const consoleClock = consolePid === undefined ? noClock : treeClock(consolePid);
  const staff = startChild<UsersJob, UsersResult>(cleanUp, 'consoleUsers');
  await staff.run({
    do: 'signIn',
    url: server.consoleUrl,
    links: await addUsers(database.url, { users, consoleUrl: server.consoleUrl }),
    watchers: Math.ceil(users * WATCHERS_PER_USER),
    subjects: { operator: OPERATOR, players: filling.players, rounds: pastRounds, ...lastMonth() },
  });
  say(`${users} users have signed in`);
  await stage.db.$executeRaw`CHECKPOINT`;

  const times: UsersResult = {};
  const job = { server, sessions, workload: 'play', arrivalsPerSecond } as const;
  const probeFor = (users: number): Probe<ConsoleFacts> => ({
    ...probeOf(bench, { ...job, connections: Math.min(MOST_CONNECTIONS, sessions.length), name: `${users} users` }),
    facts: { users, arrivalsPerSecond },
    serverClock: clockWithout(server.clock, consoleClock),
    consoleClock,
    generatorClock: sumOfClocks(bench.generatorClock, treeClock(staff.pid)),
  });
  const alone = probeFor(0);
  const beside = probeFor(users);
  const besideUsers = async (seconds: number) => {
    const startedMs = performance.now();
    await staff.run({ do: 'begin' });
    const result = await beside.load(seconds);
    const sample = await staff.run({ do: 'end' });
    const count = Object.values(sample).flat().length;
    for (const name of REQUEST_NAMES) times[name] = [...(times[name] ?? []), ...(sample[name] ?? [])];
    return { ...result, requestsPerSecond: (count * 1000) / (performance.now() - startedMs) };
  };
  const plays = await measureInTurn([alone, { ...beside, load: besideUsers }], {
    ...bench,
    seconds: bench.seconds * SAMPLES_LONG,
  });
  const requests: ConsoleRequest[] = [];
  for (const request of REQUEST_NAMES) {
    const cpu = await processorTimeOf(request);
    requests.push({ request, ...percentilesOf(times[request] ?? []), ...cpu });
  }
  await prove(database);
  return { plays, requests };

  /** The first requests tell how many there is time for. */
  async function processorTimeOf(name: RequestName) {
    const first = (await staff.run({ do: 'repeat', name, times: 3 }))[name] ?? [];
    const fastestMs = Math.max(1, Math.min(...first));
    const wanted = Math.min(MOST_REPEATED, Math.ceil((REPEATED_SECONDS * 1000) / fastestMs));
    const before = await Promise.all([consoleClock(), postgresClock()]);
    await staff.run({ do: 'repeat', name, times: wanted });
    const after = await Promise.all([consoleClock(), postgresClock()]);
    const [consoleMicros, postgresMicros] = before.map((from, index) => {
      const to = after[index];
      return from === undefined || to === undefined ? undefined : ((to - from) * 1e6) / wanted;
    });
    return { consoleMicros, postgresMicros };
  }
}

/** Adds users as `roundhouse user add` does. Returns the links that set their passwords. */
function addUsers(databaseUrl: string, { users, consoleUrl }: { users: number; consoleUrl: string }) {
  const indexes = Array.from({ length: users }, (_, index) => index);
  return inGroups(indexes, ADDED_AT_ONCE, async (index) => {
    const who = ['--email', `user-${index}@bench.example`, '--name', `User ${index}`, '--role', 'finance'];
    const printed = await runRoundhouse(databaseUrl, ['user', 'add', ...who, '--console-url', consoleUrl]);
    const link = /https?:\S+token=\S+/.exec(printed)?.[0];
    if (link === undefined) throw new Error(`roundhouse user add printed no link: ${printed}`);
    return link;
  });
}

/** Both days are in UTC and included. */
function lastMonth(): { from: string; to: string } {
  const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  return { from: dayBefore(MONTH_DAYS - 1), to: dayBefore(0) };
}

/** A short run has no request of some kinds. */
function percentilesOf(times: readonly number[]): Pick<ConsoleRequest, 'p50Ms' | 'p99Ms'> {
  if (times.length === 0) return { p50Ms: undefined, p99Ms: undefined };
  const histogram = createHistogram();
  for (const ms of times) histogram.record(Math.max(1, Math.round(ms * 1000)));
  return { p50Ms: histogram.percentile(50) / 1000, p99Ms: histogram.percentile(99) / 1000 };
}

import os from 'node:os';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type CleanUp, runUntilStopped, type Stop, StoppedEarly } from '@roundhouse/service';
import { Command } from 'commander';
import { booksBalance } from '../../server/dist/store/books/booksBalance.js';
import { setOperator } from '../../server/dist/store/operators/operators.js';
import { treeHandles, treeResidentBytes } from './cpu.ts';
import { closedLoop, openLoop, type Player } from './loops.ts';
import { median } from './measureInTurn.ts';
import { readMetrics, sumOf } from './metrics.ts';
import { positive, wholePositive } from './options.ts';
import { proofText, type Row, table } from './report.ts';
import { inGroups, OPERATOR_CODE, runRoundhouse, startOperator, startRoundhouse } from './servers.ts';
import { type Met, type Place, soakPlayer } from './soakPlayer.ts';
import { type Stage, setStage, untilSettled } from './stage.ts';

/** The load is this share of the best rate. */
const LOAD = 0.7;
const DAY_MS = 86_400_000;
const LAUNCHED_AT_ONCE = 16;
/** The bench polls as a proxy does, but more often. */
const POLL_MS = 250;
/** The number of bets that one statement reads. */
const BETS_AT_ONCE = 100_000;

type Options = { minutes: number; rate?: number; connections: number; workers: number; json: boolean };
type Soak = {
  stage: Stage;
  places: Place[];
  operatorPid: number;
  players: Player[];
  met: Met;
  restart(place: Place): Promise<void>;
};

await new Command('soak')
  .description('Runs two nodes under 70 % of their best load for a long time, and reports what leaks or slows down.')
  .option('--minutes <number>', 'length of the run', positive, 60)
  .option('--rate <number>', 'plays per second, in place of 70 % of the best rate', positive)
  .option('--connections <number>', 'players, half of the house and half of the operator', wholePositive, 128)
  .option('--workers <number>', 'of each node', wholePositive, Math.max(1, Math.floor(os.availableParallelism() / 4)))
  .option('--json', 'print JSON in place of the tables', false)
  .action(soak)
  .parseAsync();

async function soak(options: Options): Promise<void> {
  try {
    await runUntilStopped(async (stop, cleanUp) => {
      const finished = run(options, cleanUp, stop);
      await Promise.race([finished, stop.stopped.then(() => Promise.reject(stop.signal.reason))]);
      await finished;
    });
  } catch (error) {
    if (!(error instanceof StoppedEarly)) throw error;
    process.exit(error.exitCode);
  }
}

async function run(options: Options, cleanUp: CleanUp, { signal }: Stop): Promise<void> {
  const context = await prepare(options, cleanUp, signal);
  const { stage, places, players, met } = context;
  const count = Math.max(3, Math.round(options.minutes));
  const seconds = (options.minutes * 60) / count;
  const arrivalsPerSecond = options.rate ?? LOAD * (await bestRate(players, seconds));
  console.error(`${Math.round(arrivalsPerSecond)} plays/s arrive`);
  const slices: Row[] = [];
  let restarts = 0;
  while (slices.length < count && !signal.aborted) {
    const minute = slices.length + 1;
    const place = restartedIn(places, { minute, count });
    if (place !== undefined) restarts += 1;
    const before = { ...met };
    met.latencies.reset();
    const [perSecond] = await Promise.all([
      loadFor(players, { seconds, arrivalsPerSecond }),
      place && context.restart(place),
      // An operator does these once a day; the bench does them under load.
      minute === Math.ceil(count / 2) && runRoundhouse(stage.url, ['books-balance']),
    ]);
    const [p50Ms, p99Ms] = [50, 99].map((share) => met.latencies.percentile(share) / 1000);
    const slice: Row = {
      minute,
      'plays/s': perSecond,
      'p50 ms': p50Ms,
      'p99 ms': p99Ms,
      refused: met.refused - before.refused,
      repeated: met.repeated - before.repeated,
      lost: met.lost - before.lost,
      restart: place === undefined ? 0 : places.indexOf(place) + 1,
      ...(await sample(context)),
    };
    slices.push(slice);
    console.error(JSON.stringify(slice, (_, member) => (typeof member === 'number' ? Math.round(member) : member)));
  }
  await untilSettled(stage.db);
  const proof = await booksBalance(stage.db);
  const issues = [...proof.imbalances.map(({ rule, subject }) => `${rule}: ${subject}`), ...(await issuesOf(context))];
  const ratios = ratiosOf(slices);
  if (options.json) {
    const asNumber = (_: string, member: unknown) => (typeof member === 'bigint' ? Number(member) : member);
    console.log(JSON.stringify({ slices, ratios, restarts, told: met.told.length, proof, issues }, asNumber, 2));
  } else {
    const tables = [table('Each minute', slices), table('Last tenth ÷ first tenth', ratios), proofText(proof)];
    const end = issues.join('\n') || 'no play is missing, reconcile finds no difference';
    console.log(`\n${tables.join('\n\n')}\n${met.told.length} plays, ${restarts} restarts: ${end}`);
  }
  process.exitCode = issues.length > 0 ? 1 : 0;
}

async function prepare(options: Options, cleanUp: CleanUp, signal: AbortSignal): Promise<Soak> {
  const half = Math.ceil(options.connections / 2);
  const stage = await setStage(cleanUp, half);
  const { url: databaseUrl, folders } = stage;
  const start = async (port?: number) =>
    startRoundhouse(cleanUp, { databaseUrl, folders, workers: options.workers, ...(port && { port }) });
  const first = await start();
  const places: Place[] = [first, await start()].map((node) => ({ node, isReady: true }));
  const operator = await startOperator(cleanUp, stage, first.url);
  await setOperator(stage.db, OPERATOR_CODE, { sessionTimeoutMs: DAY_MS, sessionLifetimeMs: DAY_MS });
  const names = Array.from({ length: half }, (_, index) => `player-${index}`);
  const launched = await inGroups(names, LAUNCHED_AT_ONCE, operator.launch);
  watch(places, cleanUp, signal);
  const met: Met = { refused: 0, repeated: 0, lost: 0, told: [], latencies: createHistogram() };
  const sessions = stage.sessions.flatMap((session, index) => [session, launched[index] as string]);
  const players = sessions.map((sessionID, index) => soakPlayer({ places, met }, { sessionID, index }));
  const restart = async (place: Place) => {
    await place.node.stop();
    place.node = await start(Number(new URL(place.node.url).port));
  };
  return { stage, places, operatorPid: operator.pid, players, met, restart };
}

/** Asks each node whether it is ready, as a proxy does. */
function watch(places: readonly Place[], cleanUp: CleanUp, signal: AbortSignal): void {
  let isOver = false;
  const ended = Promise.all(
    places.map(async (place) => {
      while (!isOver && !signal.aborted) {
        const response = await fetch(`${place.node.url}/readyz`).catch(() => undefined);
        await response?.arrayBuffer();
        place.isReady = response?.status === 200;
        await wait(POLL_MS);
      }
    }),
  );
  cleanUp.add(async () => {
    isOver = true;
    await ended;
  });
}

/** Measures the second half of a closed loop: the first one warms up. */
async function bestRate(players: readonly Player[], seconds: number): Promise<number> {
  await closedLoop(players, { seconds: seconds / 2 });
  const startedMs = performance.now();
  const { done } = await closedLoop(players, { seconds: seconds / 2 });
  return (done * 1000) / (performance.now() - startedMs);
}

async function loadFor(players: readonly Player[], job: { seconds: number; arrivalsPerSecond: number }) {
  const startedMs = performance.now();
  const { done } = await openLoop(players, job);
  return (done * 1000) / (performance.now() - startedMs);
}

/** Node 2 restarts once, so that it grows old; node 1 restarts again and again. */
function restartedIn(places: readonly Place[], { minute, count }: { minute: number; count: number }) {
  if (minute === 2) return places[1];
  return minute > 1 && (minute - 1) % Math.max(1, Math.round(count / 6)) === 0 ? places[0] : undefined;
}

async function sample({ places, stage, operatorPid }: Soak): Promise<Row> {
  const row: Row = {};
  for (const [index, { node }] of places.entries()) {
    const { sockets, files, others } = await treeHandles(node.pid);
    const metrics = await readMetrics(node.url);
    const name = `node ${index + 1}`;
    row[`${name} MB`] = (await node.residentBytes()) / 1e6;
    row[`${name} sockets`] = sockets;
    row[`${name} files`] = files;
    row[`${name} other handles`] = others;
    row[`${name} loop p99 ms`] = sumOf(metrics, 'nodejs_eventloop_lag_p99_seconds') * 1000;
    row[`${name} log lines dropped`] = sumOf(metrics, 'roundhouse_log_lines_dropped_total');
  }
  const [database] = await stage.db.$queryRaw<Row[]>`
    SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS connections,
      pg_database_size(current_database())::float8 / 1e6 AS "database MB",
      (SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables)::float8 AS "dead rows"`;
  return { ...row, 'operator MB': (await treeResidentBytes(operatorPid)) / 1e6, ...database };
}

/** Compares medians of the first and the last tenth. */
function ratiosOf(slices: readonly Row[]): Row[] {
  const tenth = Math.max(1, Math.round(slices.length / 10));
  const names = Object.keys(slices[0] ?? {}).filter((name) => /plays|p99|MB|sockets|files|other|conn/.test(name));
  return names.map((what) => {
    const mid = (some: readonly Row[]) => median(some.map((slice) => Number(slice[what]))) ?? 0;
    const [first, last] = [mid(slices.slice(0, tenth)), mid(slices.slice(-tenth))];
    return { what, first, last, ratio: last / first };
  });
}

async function issuesOf({ stage, met: { told, lost } }: Soak): Promise<string[]> {
  const issues: string[] = [];
  let found = 0;
  for (let at = 0; at < told.length; at += BETS_AT_ONCE) {
    const [row] = await stage.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM rounds
      WHERE id = ANY(${told.slice(at, at + BETS_AT_ONCE)}::bigint[]) AND ended_at IS NOT NULL
        AND wallet_state IS DISTINCT FROM 'void'`;
    found += row?.count ?? 0;
  }
  if (found !== told.length) issues.push(`players were told of ${told.length} plays, ${found} are stored and closed`);
  const [stored] = await stage.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM rounds WHERE wallet_state IS DISTINCT FROM 'void'`;
  const more = (stored?.count ?? 0) - told.length;
  if (more > lost) issues.push(`${more} rounds are stored that no player was told of`);
  if (lost > 0) issues.push(`${lost} plays have no response`);
  const reconciled = runRoundhouse(stage.url, ['reconcile', OPERATOR_CODE, '--to', 'now']);
  await reconciled.catch((error: Error & { stdout?: string }) =>
    issues.push(`reconcile: ${error.stdout || error.message}`),
  );
  return issues;
}

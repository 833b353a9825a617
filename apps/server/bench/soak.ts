import { randomUUID } from 'node:crypto';
import { copyFile, open, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type CleanUp, runUntilStopped, type Stop, StoppedEarly } from '@roundhouse/service';
import { Command } from 'commander';
import { booksBalance } from '../dist/ledger/queries/booksBalance.js';
import { setOperator } from '../dist/ledger/queries/operators.js';
import { countUnsettled } from '../dist/ledger/queries/walletTransactions.js';
import { REQUESTS_OF } from './benchGame.ts';
import { type Connection, headOf, openConnection, SUCCESS } from './connection.ts';
import { treeHandles, treeResidentBytes } from './cpu.ts';
import { closedLoop, openLoop, type Player } from './loops.ts';
import { readMetrics, sumOf } from './metrics.ts';
import { positive, wholePositive } from './options.ts';
import { proofText, type Row, table } from './report.ts';
import { inGroups, type Node, OPERATOR_CODE, runRoundhouse, startNode, startOperator } from './servers.ts';
import { type Stage, setStage } from './stage.ts';

/** Of the best rate, as `steady` of the bench. */
const LOAD = 0.7;
const DAY_MS = 86_400_000;
const LAUNCHED_AT_ONCE = 16;
/** As a proxy asks, only more often. */
const READY_POLL_MS = 250;
const REPEAT_MS = 100;
/** A player gives up after this time. A node refuses within 9 s. */
const LONGEST_PLAY_MS = 30_000;
const LONGEST_SETTLING_MS = 60_000;
/** One round in four pays its bet back. */
const ROUNDS_A_PAYOUT = 4;

type Options = { minutes: number; rate?: number; connections: number; workers: number; json: boolean };
/** A node that can be restarted, and whether the players may go to it. */
type Place = { node: Node; isReady: boolean; log: string };
/** What players have met so far. repeated: requests after a lost connection. */
type Met = { refused: number; repeated: number; lost: number };
type Slice = Row & { minute: number };

type Soak = {
  options: Options;
  stage: Stage;
  places: Place[];
  operatorPid: number;
  players: Player[];
  met: Met;
  latencies: RecordableHistogram;
  /** The betIDs of each slice that players were told of. */
  told: number[][];
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
  const count = Math.max(3, Math.round(options.minutes));
  const seconds = (options.minutes * 60) / count;
  const best = options.rate === undefined ? await bestRate(context, seconds) : undefined;
  const arrivalsPerSecond = options.rate ?? (best as number) * LOAD;
  console.error(`${Math.round(arrivalsPerSecond)} plays/s arrive${best ? `, of ${Math.round(best)} at best` : ''}`);
  const startBytes = await databaseBytes(context);
  const startRounds = await context.stage.db.round.count();
  const slices: Slice[] = [];
  let restarts = 0;
  while (slices.length < count && !signal.aborted) {
    const place = restartedIn(context, { index: slices.length, count });
    if (place !== undefined) restarts += 1;
    const loaded = runSlice(context, { seconds, arrivalsPerSecond, index: slices.length });
    const [slice] = await Promise.all([
      loaded,
      place && context.restart(place),
      // What is done once a day, under load.
      slices.length === Math.floor(count / 2) && runRoundhouse(context.stage.url, ['books-balance']),
    ]);
    slices.push({
      ...slice,
      restart: place === undefined ? 0 : context.places.indexOf(place) + 1,
      ...(await sample(context)),
    });
    console.error(lineOf(slices.at(-1) as Slice));
  }
  const bytesPerPlay =
    ((await databaseBytes(context)) - startBytes) / ((await context.stage.db.round.count()) - startRounds);
  const proof = await booksBalance(await settledDatabase(context));
  const issues = [...proof.imbalances.map(({ rule, subject }) => `${rule}: ${subject}`), ...(await issuesOf(context))];
  const ratios = ratiosOf(slices);
  const sums = { restarts, told: context.told.flat().length, bytesPerPlay };
  if (options.json) {
    const asNumber = (_: string, member: unknown) => (typeof member === 'bigint' ? Number(member) : member);
    console.log(JSON.stringify({ slices, ratios, ...sums, proof, issues }, asNumber, 2));
  } else {
    const rows = Object.entries(sums).map(([what, value]) => ({ what, value }));
    const parts = [table('Each minute', slices), table('Last tenth ÷ first tenth', ratios), table('In all', rows)];
    console.log(
      `\n${parts.join('\n\n')}\n\n${proofText(proof)}\n${issues.join('\n') || 'no play is missing, reconcile finds no difference'}`,
    );
  }
  process.exitCode = issues.length > 0 ? 1 : 0;
}

async function prepare(options: Options, cleanUp: CleanUp, signal: AbortSignal): Promise<Soak> {
  const half = Math.ceil(options.connections / 2);
  const stage = await setStage(cleanUp, half);
  const start = async (name: string, port: number) => {
    const data = path.join(stage.folders.root, name);
    const log = `${data}.log`;
    const { url: databaseUrl, folders } = stage;
    const node = await startNode(cleanUp, { databaseUrl, folders, workers: options.workers, data, log, port });
    return { node, isReady: true, log };
  };
  const places: Place[] = [await start('node-1', 0), await start('node-2', 0)];
  const [first] = places as [Place];
  const operator = await startOperator(cleanUp, stage, first.node.url);
  await setOperator(stage.db, OPERATOR_CODE, { sessionTimeoutMs: DAY_MS, sessionLifetimeMs: DAY_MS });
  const names = Array.from({ length: half }, (_, index) => `player-${index}`);
  const launched = await inGroups(names, LAUNCHED_AT_ONCE, operator.launch);
  const watching = watch(places, signal);
  cleanUp.add(() => watching.stop());
  const base = { met: { refused: 0, repeated: 0, lost: 0 }, latencies: createHistogram(), told: [[]] as number[][] };
  const sessions = stage.sessions.flatMap((session, index) => [session, launched[index] as string]);
  const players = sessions.map((sessionID, index) => playerOf({ ...base, places }, { sessionID, index }));
  const restart = async (place: Place) => {
    const port = Number(new URL(place.node.url).port);
    await place.node.stop();
    Object.assign(place, { node: (await start(`node-${places.indexOf(place) + 1}`, port)).node });
  };
  return { ...base, options, stage, places, operatorPid: operator.pid, players, restart };
}

/** What a proxy does: asks each node whether it is ready. */
function watch(places: readonly Place[], signal: AbortSignal): { stop(): Promise<void> } {
  let isOver = false;
  const ended = Promise.all(
    places.map(async (place) => {
      while (!isOver && !signal.aborted) {
        const response = await fetch(`${place.node.url}/readyz`).catch(() => undefined);
        await response?.arrayBuffer();
        place.isReady = response?.status === 200;
        await wait(READY_POLL_MS);
      }
    }),
  );
  return {
    async stop() {
      isOver = true;
      await ended;
    },
  };
}

/**
 * A player repeats a play with its Idempotency-Key until the response is certain, at a node that is
 * ready.
 */
function playerOf(
  { places, met, latencies, told }: Pick<Soak, 'places' | 'met' | 'latencies' | 'told'>,
  { sessionID, index }: { sessionID: string; index: number },
): Player {
  let connection: Connection | undefined;
  let connectedTo: Place | undefined;
  let rounds = index;
  const exchange = async (target: { path: string; fields: object }, key: string) => {
    const [home, other] = index % 4 < 2 ? [places[0], places[1]] : [places[1], places[0]];
    const place = (home?.isReady || !other?.isReady ? home : other) as Place;
    if (connectedTo !== place || connection?.isClosed()) {
      connection?.close();
      connection = undefined;
    }
    connection ??= await openConnection(place.node.url);
    connectedTo = place;
    const body = JSON.stringify({ sessionID, ...target.fields });
    const head = `${headOf(place.node.url, target.path)}Idempotency-Key: ${key}\r\n`;
    const text = await connection.exchange(
      Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
    );
    if (/\r\nconnection: close\r\n/i.test(text)) {
      connection.close();
      connection = undefined;
    }
    return text;
  };
  const certain = async (target: { path: string; fields: object }): Promise<string | undefined> => {
    const key = randomUUID();
    for (const startedMs = performance.now(); performance.now() - startedMs < LONGEST_PLAY_MS; await wait(REPEAT_MS)) {
      const text = await exchange(target, key).catch(() => undefined);
      if (text?.startsWith(SUCCESS)) return text;
      if (text === undefined) {
        met.repeated += 1;
        connection?.close();
        connection = undefined;
      } else if (text.startsWith('HTTP/1.1 500 ')) met.refused += 1;
      else throw new Error(`${target.path} got ${text}`);
    }
    met.lost += 1;
    return undefined;
  };
  return async (dueMs = performance.now()) => {
    const unit = rounds++ % ROUNDS_A_PAYOUT === 0 ? REQUESTS_OF.round : REQUESTS_OF.play;
    const [play, ...endRound] = unit;
    const text = await certain(play);
    if (text === undefined) return false;
    latencies.record(Math.max(1, Math.round((performance.now() - dueMs) * 1000)));
    const betID = Number(/"betID":(\d+)/.exec(text)?.[1]);
    if (!Number.isSafeInteger(betID)) throw new Error(`no betID in ${text}`);
    told.at(-1)?.push(betID);
    for (const request of endRound) if ((await certain(request)) === undefined) return false;
    return true;
  };
}

/** The second half of a closed loop: the first one warms up. */
async function bestRate({ players }: Soak, seconds: number): Promise<number> {
  await closedLoop(players, { seconds: seconds / 2 });
  const startedMs = performance.now();
  const { done } = await closedLoop(players, { seconds: seconds / 2 });
  return (done * 1000) / (performance.now() - startedMs);
}

/** Node 2 restarts once, so that it grows old; node 1 restarts again and again. */
function restartedIn({ places }: Soak, { index, count }: { index: number; count: number }): Place | undefined {
  if (index === 1) return places[1];
  return index > 0 && index % Math.max(1, Math.round(count / 6)) === 0 ? places[0] : undefined;
}

type SliceJob = { seconds: number; arrivalsPerSecond: number; index: number };

async function runSlice(context: Soak, { seconds, arrivalsPerSecond, index }: SliceJob): Promise<Slice> {
  const { players, met, latencies, told } = context;
  told.push([]);
  latencies.reset();
  const before = { ...met };
  const startedMs = performance.now();
  const [{ done }] = await Promise.all([
    openLoop(players, { seconds, arrivalsPerSecond }),
    wait((seconds * 1000) / 2).then(() => rotateLogs(context)),
  ]);
  const perSecond = (done * 1000) / (performance.now() - startedMs);
  const [p50Ms, p99Ms] = [50, 99].map((share) => latencies.percentile(share) / 1000);
  const { refused, repeated, lost } = met;
  return {
    minute: index + 1,
    'plays/s': perSecond,
    'p50 ms': p50Ms,
    'p99 ms': p99Ms,
    refused: refused - before.refused,
    repeated: repeated - before.repeated,
    lost: lost - before.lost,
  };
}

/** As `copytruncate` of logrotate. */
async function rotateLogs({ places }: Soak): Promise<void> {
  for (const { log } of places) {
    await copyFile(log, `${log}.1`);
    await truncate(log);
  }
}

type DatabaseFacts = { connections: number; bytes: bigint; wal: number; dead: number };

async function databaseBytes({ stage }: Soak): Promise<number> {
  const [row] = await stage.db.$queryRaw<{ bytes: bigint }[]>`SELECT pg_database_size(current_database()) AS bytes`;
  return Number(row?.bytes);
}

async function sample(context: Soak): Promise<Row> {
  const { places, stage, operatorPid } = context;
  const [facts] = await stage.db.$queryRaw<DatabaseFacts[]>`
    SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS connections,
      pg_database_size(current_database()) AS bytes, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal,
      (SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables)::float8 AS dead`;
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
  row['operator MB'] = (await treeResidentBytes(operatorPid)) / 1e6;
  row.connections = facts?.connections;
  row['database MB'] = Number(facts?.bytes) / 1e6;
  row['WAL MB'] = (facts?.wal ?? 0) / 1e6;
  row['dead rows'] = facts?.dead;
  return row;
}

function lineOf(slice: Slice): string {
  const shown = Object.entries(slice).filter(([name, value]) => value !== 0 && !/files|handles|WAL/.test(name));
  return shown.map(([name, value]) => `${name} ${Math.round(Number(value) * 10) / 10}`).join(', ');
}

/** Medians of the first and the last tenth. */
function ratiosOf(slices: readonly Slice[]): Row[] {
  const tenth = Math.max(1, Math.round(slices.length / 10));
  const names = Object.keys(slices[0] ?? {}).filter((name) =>
    /plays|p99|MB|sockets|files|handles|connections/.test(name),
  );
  return names.map((what) => {
    const [first, last] = [slices.slice(0, tenth), slices.slice(-tenth)].map((some) => {
      const sorted = some.map((slice) => Number(slice[what])).sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length / 2)] as number;
    }) as [number, number];
    return { what, first, last, ratio: last / first };
  });
}

/** Every wallet transaction has its result. */
async function settledDatabase({ stage }: Soak): Promise<Stage['db']> {
  const startedMs = performance.now();
  while (
    performance.now() - startedMs < LONGEST_SETTLING_MS &&
    (await countUnsettled(stage.db)).some(({ count }) => count > 0)
  ) {
    await wait(REPEAT_MS);
  }
  return stage.db;
}

async function issuesOf({ stage, told, met, places }: Soak): Promise<string[]> {
  const issues: string[] = [];
  let found = 0;
  for (const betIDs of told) {
    const [row] = await stage.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM rounds
      WHERE id = ANY(${betIDs}::bigint[]) AND closed_at IS NOT NULL AND wallet_state IS DISTINCT FROM 'void'`;
    found += row?.count ?? 0;
  }
  const toldOf = told.flat().length;
  if (found !== toldOf) issues.push(`players were told of ${toldOf} plays, ${found} are stored and closed`);
  const [stored] = await stage.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM rounds WHERE wallet_state IS DISTINCT FROM 'void'`;
  const more = (stored?.count ?? 0) - toldOf;
  if (more > met.lost) issues.push(`${more} rounds are stored that no player was told of`);
  if (met.lost > 0) issues.push(`${met.lost} plays have no response`);
  const reconciled = runRoundhouse(stage.url, ['reconcile', OPERATOR_CODE, '--to', 'now']);
  await reconciled.catch((error: Error & { stdout?: string }) =>
    issues.push(`reconcile: ${error.stdout || error.message}`),
  );
  for (const { log } of places) issues.push(...(await firstLineIssues(log)));
  return issues;
}

/** After a rotation the file begins with a whole line. */
async function firstLineIssues(log: string): Promise<string[]> {
  const file = await open(log);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, 0);
    return bytesRead === 0 || buffer.toString() === '{' ? [] : [`${log} does not begin with a line`];
  } finally {
    await file.close();
  }
}

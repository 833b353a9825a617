import type { CleanUp } from '@roundhouse/service';
import { booksBalance } from '../dist/ledger/queries/booksBalance.js';
import { REQUESTS_OF, sessionOf, WORKLOADS, type Workload } from './benchGame.ts';
import { noClock } from './cpu.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { type Medians, measureInTurn, type Probe, type TurnOptions } from './measureInTurn.ts';
import type { Options, Section } from './options.ts';
import { type Pgbench, playScript, runPgbench } from './pgbench.ts';
import { type GameServer, inGroups, postJson, startPeer, startRoundhouse } from './servers.ts';
import { type Stage, type StagedDatabase, stageDatabase } from './stage.ts';

/** What every section measures with. */
export type Bench = TurnOptions & {
  cleanUp: CleanUp;
  signal: AbortSignal;
  options: Options;
  stage: Stage;
  roundhouse: GameServer;
  load(job: LoadJob): Promise<LoadResult>;
  /** Undefined where it is not installed. */
  pgbench: Pgbench | undefined;
};

export const TARGETS = {
  roundhouse: 'Roundhouse over HTTP',
  naive: 'naive server over HTTP',
  memory: 'Node over HTTP, no database',
  pgbench: 'its SQL function, pgbench',
} as const;
export type Target = keyof typeof TARGETS;
/** The section that measures it, and how many at once, each on a connection of its own. */
const MEASURED: Readonly<Record<Target, { section: Section; workloads: readonly Workload[]; at: readonly number[] }>> =
  {
    roundhouse: { section: 'http', workloads: WORKLOADS, at: [1, 32, 128, 512] },
    naive: { section: 'naive', workloads: ['play', 'round'], at: [1, 32, 128] },
    memory: { section: 'memory', workloads: ['play'], at: [1, 32, 128, 512] },
    pgbench: { section: 'pgbench', workloads: ['play'], at: [1, 8, 16, 32, 64] },
  };
/** PostgreSQL accepts 100. */
const MOST_CLIENTS = 64;
const OPENED_AT_ONCE = 64;

type RateFacts = { target: Target; workload: Workload; connections: number };
export type RateCell = RateFacts & Medians;

/** Plays per second, and other requests, of Roundhouse and its peers, all in one turn. */
export async function measureRates(
  bench: Bench,
  { targets, workloads }: { targets: readonly Target[]; workloads: readonly Workload[] },
): Promise<RateCell[]> {
  if (targets.includes('roundhouse') && workloads.includes('event')) await openRounds(bench);
  const probes: Probe<RateFacts>[] = [];
  for (const target of targets) {
    const probeAt = await probesOf(bench, target);
    for (const workload of workloads.filter((each) => MEASURED[target].workloads.includes(each))) {
      for (const connections of connectionsOf(bench, target)) {
        probes.push({ ...probeAt(workload, connections), facts: { target, workload, connections } });
      }
    }
  }
  // Those that are compared stand side by side.
  const order = ({ facts }: Probe<RateFacts>) => workloads.indexOf(facts.workload) * 1e6 + facts.connections;
  probes.sort((a, b) => order(a) - order(b));
  return measureInTurn<RateFacts>(probes, bench);
}

/** The targets of the sections that were chosen. Of pgbench only where it is installed. */
export function targetsOf({ pgbench }: Bench, sections: readonly Section[]): Target[] {
  const all = Object.keys(TARGETS) as Target[];
  return all.filter(
    (target) => sections.includes(MEASURED[target].section) && (target !== 'pgbench' || pgbench !== undefined),
  );
}

function connectionsOf(bench: Bench, target: Target): Iterable<number> {
  const numbers = atOnceOf(bench, MEASURED[target].at);
  return target === 'pgbench' ? new Set(numbers.map((clients) => Math.min(clients, MOST_CLIENTS))) : numbers;
}

/** A player has at most one connection. */
export function atOnceOf({ options }: Bench, ownChoice: readonly number[]): readonly number[] {
  return options.connections ?? ownChoice.filter((connections) => connections <= options.players);
}

type ProbeAt = (workload: Workload, connections: number) => Omit<Probe<never>, 'facts'>;

async function probesOf(bench: Bench, target: Target): Promise<ProbeAt> {
  const { cleanUp, stage, roundhouse } = bench;
  if (target === 'pgbench') return (_workload, clients) => pgbenchProbe(bench, { clients });
  const server = target === 'roundhouse' ? roundhouse : await startPeer(cleanUp, target, stage.url);
  return (workload, connections) => {
    const sessions = workload === 'event' ? stage.sessionsInRound : stage.sessions;
    return probeOf(bench, { server, sessions, workload, connections, name: TARGETS[target] });
  };
}

/** The cell with the best rate of plays. */
export function bestOf(cells: readonly RateCell[], target: Target): RateCell | undefined {
  const plays = cells.filter((cell) => cell.target === target && cell.workload === 'play');
  return plays.sort((a, b) => b.perSecond - a.perSecond)[0];
}

/** pastRounds: closed ones, each with its bet, and one in four with a payout. */
type GrowthFacts = { workload: Workload; players: number; pastRounds: number; connections: number };
export type GrowthCell = GrowthFacts & Medians;

/** The proof takes long in a large database. The same statements fill all of them. */
const MOST_PROVEN_ROUNDS = 1_000_000;
const GROWTH_PREFIX = 'growth';
/** Spread over all players: of many players few play at a moment. */
const GROWTH_PLAYING = 1_000;
/** Of large databases, whose pages are read in and written once since the checkpoint meanwhile. */
const GROWTH_WARM_UP_SAMPLES = 3;

/**
 * The same plays and rounds in databases of every size, side by side in one PostgreSQL with a
 * server on each.
 */
export async function measureGrowth(bench: Bench, connections: number): Promise<GrowthCell[]> {
  const { stage, cleanUp, options, say } = bench;
  const { folders } = stage;
  // A stop does not wait for the statement that fills a database.
  bench.signal.addEventListener('abort', () => void interruptFilling(stage));
  const proven: StagedDatabase[] = [];
  const probes: Probe<GrowthFacts>[] = [];
  for (const pastRounds of options.growthRounds) {
    for (const players of options.growthPlayers) {
      const name = `${GROWTH_PREFIX}_${players}_${pastRounds}`;
      await stage.db.$executeRawUnsafe(`CREATE DATABASE ${name}`);
      const url = Object.assign(new URL(stage.url), { pathname: `/${name}` }).href;
      const database = await stageDatabase(cleanUp, { url, folders, players, pastRounds });
      if (pastRounds <= MOST_PROVEN_ROUNDS) proven.push(database);
      say(`filled a database with ${players} players and ${pastRounds} past rounds`);
      const { workers, cpuProf } = options;
      const server = await startRoundhouse(cleanUp, { databaseUrl: url, folders, workers, cpuProf });
      const playing = Math.min(GROWTH_PLAYING, players);
      const sessions = Array.from({ length: playing }, (_, index) =>
        sessionOf(1 + Math.floor((index * players) / playing)),
      );
      for (const workload of options.workloads.filter((each) => each === 'play' || each === 'round')) {
        const probe = probeOf(bench, { server, sessions, workload, connections, name });
        probes.push({ ...probe, facts: { workload, players, pastRounds, connections } });
      }
    }
  }
  // What was written by filling is on the disk before anything is measured.
  await stage.db.$executeRaw`CHECKPOINT`;
  const warmUpSeconds = GROWTH_WARM_UP_SAMPLES * bench.seconds;
  const cells = await measureInTurn(probes, { ...bench, warmUpSeconds });
  for (const database of proven) await prove(database);
  return cells;
}

async function interruptFilling({ db }: StagedDatabase): Promise<void> {
  await db.$executeRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE starts_with(datname, ${GROWTH_PREFIX})`.catch(
    () => {},
  );
}

async function prove({ db }: StagedDatabase): Promise<void> {
  // Statistics from before the plays would plan the proof for accounts without wagers today.
  await db.$executeRaw`ANALYZE accounts`;
  const { imbalances } = await booksBalance(db);
  if (imbalances.length > 0) throw new Error(`a filled database does not balance: ${JSON.stringify(imbalances)}`);
}

/** Plays without a server, unless a script says otherwise. */
export function pgbenchProbe(
  { pgbench, stage }: Bench,
  {
    clients,
    name = TARGETS.pgbench,
    script = playScript(stage.sessions.length, clients),
    arrivalsPerSecond,
  }: { clients: number; name?: string; script?: string; arrivalsPerSecond?: number },
): Omit<Probe<never>, 'facts'> {
  if (pgbench === undefined) throw new Error('pgbench is not installed');
  return {
    title: `play         ${String(clients).padStart(3)} at once, ${name}`,
    warmedWith: name,
    load: (seconds) => runPgbench(pgbench, { script, clients, seconds, arrivalsPerSecond }),
    serverClock: noClock,
    generatorClock: noClock,
  };
}

type Probed = Omit<LoadJob, 'url' | 'seconds'> & { server: GameServer; name: string };

export function probeOf({ load }: Bench, { server, name, ...job }: Probed): Omit<Probe<never>, 'facts'> {
  return {
    title: `${job.workload.padEnd(12)} ${String(job.connections).padStart(3)} at once, ${name}`,
    warmedWith: `${name} ${job.workload}`,
    load: (seconds) => load({ ...job, url: server.url, seconds }),
    serverClock: server.clock,
  };
}

/** A round of each player that stays open. */
async function openRounds({ roundhouse, stage }: Bench): Promise<void> {
  const [{ path, fields }] = REQUESTS_OF.round;
  const open = (sessionID: string) => postJson(roundhouse.url + path, { sessionID, ...fields });
  await inGroups(stage.sessionsInRound, OPENED_AT_ONCE, open);
}

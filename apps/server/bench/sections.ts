import type { CleanUp } from '@roundhouse/service';
import { booksBalance } from '../dist/ledger/queries/booksBalance.js';
import { REQUESTS_OF, sessionOf, type Workload } from './benchGame.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { type Medians, measureInTurn, type Probe, type TurnOptions } from './measureInTurn.ts';
import type { Options } from './options.ts';
import { type GameServer, postJson, startNaive, startOperator, startRoundhouse } from './servers.ts';
import { type Stage, type StagedDatabase, stageDatabase } from './stage.ts';

/** What every section measures with. */
export type Bench = TurnOptions & {
  cleanUp: CleanUp;
  signal: AbortSignal;
  options: Options;
  stage: Stage;
  roundhouse: GameServer;
  load(job: LoadJob): Promise<LoadResult>;
};

export const TARGETS = { roundhouse: 'Roundhouse over HTTP', naive: 'naive server over HTTP' } as const;
export type Target = keyof typeof TARGETS;

/** How many at once, each on a connection of its own. */
const CONNECTIONS: Readonly<Record<Target, readonly number[]>> = {
  roundhouse: [1, 32, 128, 512],
  naive: [1, 32, 128],
};
const SEAMLESS_CONNECTIONS = [1, 16, 64];
const OPENED_AT_ONCE = 64;

type RateFacts = { target: Target; workload: Workload; connections: number };
export type RateCell = RateFacts & Medians;

/** Requests per second of the naive server and of Roundhouse, all in one turn. */
export async function measureRates(bench: Bench, workloads: readonly Workload[]): Promise<RateCell[]> {
  const { cleanUp, stage, roundhouse, options } = bench;
  if (workloads.includes('event')) await openRounds(bench);
  const servers: [Target, GameServer][] = [['roundhouse', roundhouse]];
  if (options.sections.includes('naive')) servers.push(['naive', await startNaive(cleanUp, stage.url)]);
  const probes = servers.flatMap(([target, server]) =>
    workloads
      .filter((workload) => target === 'roundhouse' || workload === 'play' || workload === 'round')
      .flatMap((workload) =>
        (options.connections ?? CONNECTIONS[target]).map((connections) => {
          const sessions = workload === 'event' ? stage.sessionsInRound : stage.sessions;
          const probe = probeOf(bench, { server, sessions, workload, connections, name: TARGETS[target] });
          return { ...probe, facts: { target, workload, connections } };
        }),
      ),
  );
  // Those that are compared stand side by side.
  const order = ({ facts }: Probe<RateFacts>) => workloads.indexOf(facts.workload) * 1e6 + facts.connections;
  probes.sort((a, b) => order(a) - order(b));
  return measureInTurn<RateFacts>(probes, bench);
}

/** The cell with the best rate of plays. */
export function bestOf(cells: readonly RateCell[], target: Target): RateCell | undefined {
  const plays = cells.filter((cell) => cell.target === target && cell.workload === 'play');
  return plays.sort((a, b) => b.perSecond - a.perSecond)[0];
}

/** `server`: Roundhouse and the operator together. */
export type SeamlessCell = { connections: number } & Medians;

/** Plays with the wallet of the reference operator, on the same machine and the same PostgreSQL. */
export async function measureSeamless(bench: Bench): Promise<SeamlessCell[]> {
  const { cleanUp, stage, roundhouse, options } = bench;
  const numbers = options.connections ?? SEAMLESS_CONNECTIONS;
  const operator = await startOperator(cleanUp, stage, roundhouse.url);
  const sessions: string[] = [];
  while (sessions.length < 2 * Math.max(...numbers)) sessions.push(await operator.launch(`player-${sessions.length}`));
  const clock = async () => {
    const [own, wallet] = await Promise.all([roundhouse.clock(), operator.clock()]);
    return own === undefined || wallet === undefined ? undefined : own + wallet;
  };
  const server = { url: roundhouse.url, clock };
  const probes = numbers.map((connections) => ({
    ...probeOf(bench, { server, sessions, workload: 'play', connections, name: 'seamless wallet' }),
    facts: { connections },
  }));
  return measureInTurn(probes, bench);
}

/** pastRounds: closed ones, each with its bet, and one in four with a payout. */
type GrowthFacts = { players: number; pastRounds: number; connections: number };
export type GrowthCell = GrowthFacts & Medians;

/** The proof takes long in a large database. The same statements fill all of them. */
const MOST_PROVEN_ROUNDS = 1_000_000;
const GROWTH_PREFIX = 'growth';
/** Spread over all players: of many players few play at a moment. */
const GROWTH_PLAYING = 1_000;

/**
 * The same plays in databases of every size, side by side in one PostgreSQL with a server on each.
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
      const probe = probeOf(bench, { server, sessions, workload: 'play', connections, name });
      probes.push({ ...probe, facts: { players, pastRounds, connections } });
    }
  }
  // What was written by filling is on the disk before anything is measured.
  await stage.db.$executeRaw`CHECKPOINT`;
  const cells = await measureInTurn(probes, bench);
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

type Probed = Omit<LoadJob, 'url' | 'seconds'> & { server: GameServer; name: string };

function probeOf({ load }: Bench, { server, name, ...job }: Probed): Omit<Probe<never>, 'facts'> {
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
  for (let from = 0; from < stage.sessionsInRound.length; from += OPENED_AT_ONCE) {
    const some = stage.sessionsInRound.slice(from, from + OPENED_AT_ONCE);
    await Promise.all(some.map((sessionID) => postJson(roundhouse.url + path, { sessionID, ...fields })));
  }
}

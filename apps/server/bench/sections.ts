import { booksBalance } from '../dist/ledger/queries/booksBalance.js';
import type { Bench } from './bench.ts';
import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import { type GameServer, startNaive, startOperator, startRoundhouse } from './servers.ts';
import { type StagedDatabase, stageDatabase } from './stage.ts';
import { postJson, sessionOf, WINNING_BET, type Workload } from './workload.ts';

export const TARGETS = { roundhouse: 'Roundhouse over HTTP', naive: 'naive server over HTTP' } as const;
export type Target = keyof typeof TARGETS;

/** How many at once, each on a connection of its own. */
type RateFacts = { target: Target; workload: Workload; connections: number };
export type RateCell = RateFacts & Medians;

const CONNECTIONS: Readonly<Record<Target, readonly number[]>> = {
  roundhouse: [1, 32, 128, 512],
  naive: [1, 32, 128],
};
const SEAMLESS_CONNECTIONS = [1, 16, 64];
const OPENED_AT_ONCE = 64;

type RateChoice = { workloads: readonly Workload[]; naive: boolean };

/** Requests per second of the naive server and of Roundhouse, all in one turn. */
export async function measureRates(bench: Bench, { workloads, naive }: RateChoice): Promise<RateCell[]> {
  if (workloads.includes('event')) await openRounds(bench);
  const own = { target: 'roundhouse', server: bench.roundhouse } as const;
  const servers: { target: Target; server: GameServer }[] = [own];
  if (naive) servers.push({ target: 'naive', server: await startNaive(bench.cleanUp, bench.stage.url) });
  const probes = servers.flatMap(({ target, server }) =>
    workloads
      .filter((workload) => target === 'roundhouse' || workload === 'play' || workload === 'round')
      .flatMap((workload) =>
        (bench.connections ?? CONNECTIONS[target]).map((connections) => {
          const sessions = workload === 'event' ? bench.stage.sessionsInRound : bench.stage.sessions;
          const facts = { target, workload, connections };
          return { ...probeOf(bench, { server, sessions, workload, connections, name: TARGETS[target] }), facts };
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
  const fitting = cells.filter((cell) => cell.target === target && cell.workload === 'play');
  return fitting.sort((a, b) => b.perSecond - a.perSecond)[0];
}

/** `server`: Roundhouse and the operator together. */
export type SeamlessCell = { connections: number } & Medians;

/** Plays with the wallet of the reference operator, on the same machine and the same PostgreSQL. */
export async function measureSeamless(bench: Bench): Promise<SeamlessCell[]> {
  const { cleanUp, stage, roundhouse, connections = SEAMLESS_CONNECTIONS } = bench;
  const operator = await startOperator(cleanUp, stage, roundhouse.url);
  const sessions: string[] = [];
  for (let number = 1; number <= 2 * Math.max(...connections); number += 1)
    sessions.push(await operator.launch(`player-${number}`));
  const clock = async () => {
    const [own, wallet] = await Promise.all([roundhouse.clock(), operator.clock()]);
    return own === undefined || wallet === undefined ? undefined : own + wallet;
  };
  const server = { url: roundhouse.url, clock };
  const probes = connections.map((count) => {
    const probe = probeOf(bench, { server, sessions, workload: 'play', connections: count, name: 'seamless wallet' });
    return { ...probe, facts: { connections: count } };
  });
  return measureInTurn(probes, bench);
}

export type GrowthSizes = {
  players: readonly number[];
  /** Closed rounds, each with its bet, and one in four with a payout. */
  pastRounds: readonly number[];
};
type GrowthFacts = { players: number; pastRounds: number; connections: number };
export type GrowthCell = GrowthFacts & Medians;

/** The proof takes long where there is much. The same statements fill larger databases. */
const MOST_PROVEN_ROUNDS = 1_000_000;
const GROWTH_PREFIX = 'growth';
/** Spread over all players: of many players few play at a moment. */
const GROWTH_PLAYING = 1_000;

/**
 * The same plays in databases of every size, side by side in one PostgreSQL with a server on each.
 */
export async function measureGrowth(
  bench: Bench,
  { players: allPlayers, pastRounds: allRounds }: GrowthSizes,
  connections: number,
): Promise<GrowthCell[]> {
  const { stage, cleanUp, settings, say } = bench;
  const { folders } = stage;
  // A stop does not wait for the statement that fills a database.
  bench.signal.addEventListener('abort', () => void interruptFilling(stage));
  const databases: StagedDatabase[] = [];
  const probes: Probe<GrowthFacts>[] = [];
  for (const pastRounds of allRounds) {
    for (const players of allPlayers) {
      const name = `${GROWTH_PREFIX}_${players}_${pastRounds}`;
      await stage.db.$executeRawUnsafe(`CREATE DATABASE ${name}`);
      const url = Object.assign(new URL(stage.url), { pathname: `/${name}` }).href;
      const database = await stageDatabase(cleanUp, { url, folders, players, pastRounds });
      if (pastRounds <= MOST_PROVEN_ROUNDS) databases.push(database);
      say(`filled a database with ${players} players and ${pastRounds} past rounds`);
      const server = await startRoundhouse(cleanUp, { databaseUrl: url, folders }, settings);
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
  for (const database of databases) await prove(database);
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

type Probed = {
  server: GameServer;
  sessions: readonly string[];
  workload: Workload;
  connections: number;
  name: string;
};

function probeOf(
  { http }: Bench,
  { server, sessions, workload, connections, name }: Probed,
): Omit<Probe<never>, 'facts'> {
  const { url, clock } = server;
  return {
    title: `${workload.padEnd(12)} ${String(connections).padStart(3)} at once, ${name}`,
    warmedWith: `${name} ${workload}`,
    load: (seconds) => http.load({ url, workload, sessions, connections, seconds }),
    clocks: { generator: http.clockFor(workload), server: clock },
  };
}

/** A round of each player that stays open. */
async function openRounds({ roundhouse, stage }: Bench): Promise<void> {
  const { path, fields } = WINNING_BET;
  for (let from = 0; from < stage.sessionsInRound.length; from += OPENED_AT_ONCE) {
    const some = stage.sessionsInRound.slice(from, from + OPENED_AT_ONCE);
    await Promise.all(some.map((sessionID) => postJson(roundhouse.url + path, { sessionID, ...fields })));
  }
}

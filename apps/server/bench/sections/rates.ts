import type { CleanUp } from '@roundhouse/service';
import { startChild } from '../child.ts';
import { endedProgramsClock, treeClock } from '../cpu.ts';
import type { LoadResult } from '../generators/closedLoop.ts';
import { runPgbench } from '../generators/pgbench.ts';
import { findTool } from '../generators/tool.ts';
import type { LoadJob, Path } from '../processes/load.ts';
import { startNaive } from '../servers/naive.ts';
import type { GameServer } from '../servers/roundhouse.ts';
import type { Workload } from '../workload.ts';
import type { Bench } from './bench.ts';
import { type Figures, measureInTurn, type Probe } from './measureInTurn.ts';

export const TARGETS = {
  roundhouse: 'Roundhouse over HTTP',
  pgbench: 'its SQL function, pgbench',
  statements: 'its SQL function, pg clients',
  batches: 'its ledger, without HTTP',
  naive: 'naive server over HTTP',
} as const;

export type Target = keyof typeof TARGETS;

/** How many at once, each on a connection of its own. */
type RateFacts = { target: Target; workload: Workload; connections: number };

export type RateCell = RateFacts & Figures;

const CONNECTIONS: Readonly<Record<Target, readonly number[]>> = {
  roundhouse: [1, 32, 128, 512],
  pgbench: [1, 8, 32, 64, 128],
  statements: [32, 128],
  batches: [32, 128],
  naive: [1, 32, 128],
};
/** PostgreSQL has 200 connections to give, and the servers hold some of them. */
const MOST_DATABASE_CONNECTIONS = 128;
/** It counts in whole seconds. */
const SHORTEST_PGBENCH_SECONDS = 1;

export type RateChoice = { floor: boolean; naive: boolean; workloads: readonly Workload[] };

/** Plays and other requests per second: the bare SQL function, the naive server and Roundhouse, all in one turn. */
export async function measureRates(bench: Bench, { floor, naive, workloads }: RateChoice): Promise<RateCell[]> {
  const probes = [
    ...workloads.flatMap((workload) =>
      serverProbes(bench, { target: 'roundhouse', server: bench.roundhouse, workload }),
    ),
    ...(naive ? await naiveProbes(bench, workloads) : []),
    ...(floor ? await floorProbes(bench) : []),
  ];
  // Those that are compared stand side by side.
  const order = (probe: Probe<RateFacts>) => workloads.indexOf(probe.facts.workload) * 1e6 + probe.facts.connections;
  return measureInTurn(
    probes.sort((a, b) => order(a) - order(b)),
    bench,
  );
}

function connectionsOf(target: Target, { connections }: Bench): readonly number[] {
  return connections ?? CONNECTIONS[target];
}

type Served = { target: Target; server: GameServer; workload: Workload };

function serverProbes(bench: Bench, { target, server, workload }: Served): Probe<RateFacts>[] {
  const { http, stage } = bench;
  const crowd = workload === 'event' ? stage.inRound : stage.crowd;
  return connectionsOf(target, bench).map((connections) => ({
    ...described({ target, workload, connections }),
    load: (length) => http.load({ url: server.url, workload, crowd, connections, seconds: length }),
    clocks: { generator: http.clockFor(workload), server: server.clock },
  }));
}

async function naiveProbes(bench: Bench, workloads: readonly Workload[]): Promise<Probe<RateFacts>[]> {
  const server = await startNaive(bench.cleanUp, bench.stage.url);
  const known = workloads.filter((workload) => workload === 'play' || workload === 'round');
  return known.flatMap((workload) => serverProbes(bench, { target: 'naive', server, workload }));
}

async function floorProbes(bench: Bench): Promise<Probe<RateFacts>[]> {
  const { stage, signal, seconds } = bench;
  const pgbench = seconds < SHORTEST_PGBENCH_SECONDS ? undefined : await findTool('pgbench');
  if (pgbench === undefined) bench.say('Without pgbench: the floor is what pg clients reach.');
  const callers = startCallers(bench.cleanUp);
  const { url: databaseUrl, crowd, folders } = stage;
  const probesOf = (target: Target, run: (connections: number, seconds: number) => Promise<LoadResult>) =>
    connectionsOf(target, bench)
      .filter((connections) => connections <= MOST_DATABASE_CONNECTIONS)
      .map((connections) => ({
        ...described({ target, workload: 'play', connections }),
        load: (length: number) => run(connections, length),
        clocks: { generator: target === 'pgbench' ? endedProgramsClock : callers.clock, server: undefined },
      }));
  const through = (path: Path) => (connections: number, length: number) =>
    callers.run({ path, players: crowd.players.slice(0, connections), workload: 'play', seconds: length });
  const throughPgbench = (clients: number, length: number) =>
    runPgbench(pgbench ?? '', { databaseUrl, folder: folders.root, crowd, clients, seconds: length }, signal);
  return [
    ...(pgbench === undefined ? [] : probesOf('pgbench', throughPgbench)),
    ...probesOf('statements', through({ via: 'statements', databaseUrl })),
    ...probesOf('batches', through({ via: 'batches', databaseUrl })),
  ];
}

/** A process that calls the database, apart from the one that calls servers: the compiler does not have to please both. */
function startCallers(cleanUp: CleanUp) {
  const child = startChild<LoadJob, LoadResult>({ name: 'load' });
  cleanUp.add(child.stop);
  return { run: child.run, clock: treeClock(child.pid) };
}

function described(facts: RateFacts): Pick<Probe<RateFacts>, 'facts' | 'title' | 'warmedWith'> {
  const { target, workload, connections } = facts;
  const title = `${workload.padEnd(12)} ${String(connections).padStart(3)} at once, ${TARGETS[target]}`;
  return { facts, title, warmedWith: `${target} ${workload}` };
}

/** The cell with the best rate. */
export function bestOf(
  cells: readonly RateCell[],
  { targets, workload = 'play' }: { targets: readonly Target[]; workload?: Workload },
): RateCell | undefined {
  const fitting = cells.filter((cell) => targets.includes(cell.target) && cell.workload === workload);
  return fitting.sort((a, b) => b.perSecond - a.perSecond)[0];
}

import os from 'node:os';
import type { CleanUp } from '@roundhouse/service';
import { type BooksBalance, booksBalance } from '../dist/ledger/queries/booksBalance.js';
import { type BooksFigures, measureBooks } from './books/measure.ts';
import { postgresClock } from './cpu.ts';
import { createHttpGenerator } from './generators/httpGenerator.ts';
import { findTool } from './generators/tool.ts';
import type { Options } from './options.ts';
import type { Check } from './report/check.ts';
import { checksOf } from './report/checks.ts';
import type { Bench } from './sections/bench.ts';
import { type GrowthCell, measureGrowth } from './sections/growth.ts';
import { type Isolation, measureIsolation } from './sections/isolation.ts';
import { measureLatency, type OpenLoopLatency } from './sections/latency.ts';
import { openRounds } from './sections/openRounds.ts';
import { bestOf, measureRates, type RateCell } from './sections/rates.ts';
import { measureSeamless, type SeamlessCell } from './sections/seamless.ts';
import { startRoundhouse } from './servers/roundhouse.ts';
import { setStage } from './stage/stage.ts';
import { untilQuiet } from './stage/untilQuiet.ts';

/** Twice as many as there are connections, so that wrk.lua asks for no player twice at once. */
const PLAYERS = 2_048;
const QUICK_PLAYERS = 64;

export type Report = {
  machine: { cores: number; processor: string; node: string; postgres: string; generator: string; pgbench: boolean };
  seconds: number;
  rounds: number;
  rates: RateCell[];
  latency?: OpenLoopLatency;
  seamless?: SeamlessCell[];
  isolation?: Isolation;
  books?: BooksFigures;
  growth?: GrowthCell[];
  checks: Check[];
  /** The proof over every round of the run, growth apart. */
  proof: BooksBalance;
};

export type Stopping = { cleanUp: CleanUp; signal: AbortSignal };

export async function run(options: Options, { cleanUp, signal }: Stopping): Promise<Report> {
  const { seconds, rounds, connections, settings, quick } = options;
  const say = console.error;
  const players = Math.max(quick ? QUICK_PLAYERS : PLAYERS, 2 * Math.max(0, ...(connections ?? [])));
  const stage = await setStage(cleanUp, { players, warn: say });
  const roundhouse = await startRoundhouse(cleanUp, { databaseUrl: stage.url, folders: stage.folders }, settings);
  const http = await createHttpGenerator(cleanUp, { seconds, signal });
  const clock = await postgresClock(stage.db);
  const bench = {
    cleanUp,
    signal,
    stage,
    roundhouse,
    settings,
    http,
    postgresClock: clock,
    untilQuiet: () => untilQuiet(stage.db),
    seconds,
    rounds,
    connections,
    say,
  };
  const machine = await describeMachine(bench);
  say(`${describe(machine)}: ${rounds} × ${seconds} s for each figure`);

  const measured = await measureSections(bench, options);
  const proof = await booksBalance(stage.db);
  return { machine, seconds, rounds, ...measured, checks: checksOf(measured), proof };
}

type Measured = Pick<Report, 'rates' | 'latency' | 'seamless' | 'isolation' | 'books' | 'growth'>;

async function measureSections(
  bench: Bench,
  { sections, workloads, quick, bookLoads, growthSizes }: Options,
): Promise<Measured> {
  const has = (section: (typeof sections)[number]) => sections.includes(section);
  // Both of them ask how many plays there are at best.
  const needsPlays = has('latency') || has('growth');
  const chosen = workloads.filter((workload) => has('http') || has('naive') || (needsPlays && workload === 'play'));
  if (chosen.includes('event')) await openRounds(bench.roundhouse.url, bench.stage.inRound.players);
  const rates = await measureRates(bench, { floor: has('floor'), naive: has('naive'), workloads: chosen });
  const best = bestOf(rates, { targets: ['roundhouse'] });

  const measured: Measured = { rates };
  if (has('latency') && best !== undefined) {
    measured.latency = await measureLatency(bench, { ratePerSecond: best.perSecond / 2, quick });
  }
  if (has('seamless')) measured.seamless = await measureSeamless(bench);
  if (has('isolation')) measured.isolation = await measureIsolation(bench);
  if (has('books')) measured.books = await measureBooks(bench.cleanUp, bookLoads);
  if (has('growth') && best !== undefined) {
    measured.growth = await measureGrowth(bench, { sizes: growthSizes, connections: best.connections });
  }
  return measured;
}

async function describeMachine({ stage, http }: Bench): Promise<Report['machine']> {
  return {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model ?? 'unknown',
    node: process.versions.node,
    postgres: stage.postgresVersion,
    generator: http.name,
    pgbench: (await findTool('pgbench')) !== undefined,
  };
}

export function describe({ cores, processor, node, postgres, generator }: Report['machine']): string {
  return `${cores} cores (${processor}), Node ${node}, PostgreSQL ${postgres}, requests from ${generator}`;
}

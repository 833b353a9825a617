import os from 'node:os';
import type { CleanUp } from '@roundhouse/service';
import { type BooksBalance, booksBalance } from '../dist/ledger/queries/booksBalance.js';
import type { Bench } from './bench.ts';
import { type BooksResults, measureBooks } from './books.ts';
import { postgresClock } from './cpu.ts';
import { createHttpGenerator } from './load/generator.ts';
import type { Options } from './options.ts';
import * as sections from './sections.ts';
import { startRoundhouse } from './servers.ts';
import { setStage, untilQuiet } from './stage.ts';

/**
 * Twice as many as there are connections, so that wrk.lua has no two requests of one player at
 * once.
 */
const PLAYERS = 2_048;
const QUICK_PLAYERS = 64;

export type Report = {
  machine: { cores: number; processor: string; node: string; postgres: string; generator: string };
  seconds: number;
  rounds: number;
  rates: sections.RateCell[];
  seamless?: sections.SeamlessCell[];
  books?: BooksResults;
  growth?: sections.GrowthCell[];
  /** The proof over every round of the run, growth apart. */
  proof: BooksBalance;
};

export type Stopping = { cleanUp: CleanUp; signal: AbortSignal };

export async function run(options: Options, { cleanUp, signal }: Stopping): Promise<Report> {
  const { seconds, rounds, connections, settings, quick } = options;
  const say = console.error;
  const players = Math.max(quick ? QUICK_PLAYERS : PLAYERS, 2 * Math.max(0, ...(connections ?? [])));
  const stage = await setStage(cleanUp, { players, warn: say });
  const { url: databaseUrl, folders, db } = stage;
  const bench: Bench = {
    cleanUp,
    signal,
    stage,
    roundhouse: await startRoundhouse(cleanUp, { databaseUrl, folders }, settings),
    settings,
    http: createHttpGenerator(cleanUp, { seconds, folder: folders.root, signal }),
    postgresClock: await postgresClock(db),
    untilQuiet: () => untilQuiet(db),
    seconds,
    rounds,
    connections,
    say,
  };
  const machine = {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model ?? 'unknown',
    node: process.versions.node,
    postgres: stage.postgresVersion,
    generator: bench.http.name,
  };
  say(`${describe(machine)}: ${rounds} × ${seconds} s for each median`);
  const measured = await measureSections(bench, options);
  return { machine, seconds, rounds, ...measured, proof: await booksBalance(db) };
}

type Measured = Omit<Report, 'machine' | 'seconds' | 'rounds' | 'proof'>;

async function measureSections(bench: Bench, options: Options): Promise<Measured> {
  const has = (section: Options['sections'][number]) => options.sections.includes(section);
  // Growth needs the best number of connections.
  const workloads = options.workloads.filter(
    (workload) => has('http') || has('naive') || (has('growth') && workload === 'play'),
  );
  const measured: Measured = { rates: await sections.measureRates(bench, { workloads, naive: has('naive') }) };
  const best = sections.bestOf(measured.rates, 'roundhouse');
  if (has('seamless')) measured.seamless = await sections.measureSeamless(bench);
  if (has('books')) measured.books = await measureBooks(bench.cleanUp, options.bookLoads);
  if (has('growth') && best !== undefined)
    measured.growth = await sections.measureGrowth(bench, options.growthSizes, best.connections);
  return measured;
}

export function describe({ cores, processor, node, postgres, generator }: Report['machine']): string {
  return `${cores} cores (${processor}), Node ${node}, PostgreSQL ${postgres}, requests from ${generator}`;
}

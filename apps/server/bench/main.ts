import os from 'node:os';
import { type CleanUp, runUntilStopped, type Stop, StoppedEarly } from '@roundhouse/service';
import { booksBalance } from '../dist/ledger/queries/booksBalance.js';
import { measureBooks } from './books.ts';
import { startChild } from './child.ts';
import { postgresClock, treeClock } from './cpu.ts';
import { measureLatency, measureSteady } from './latency.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { benchCommand, type Options, type Section } from './options.ts';
import { measureOverload } from './overload.ts';
import { isPgbenchInstalled } from './pgbench.ts';
import type { Results } from './ratios.ts';
import { type Report, textOf } from './report.ts';
import { measureSeamless } from './seamless.ts';
import * as sections from './sections.ts';
import { startRoundhouse } from './servers.ts';
import { setStage, untilQuiet } from './stage.ts';
import { measureTimeline } from './timeline.ts';

/** Of the open loop, as a share of the best rate of a closed one. */
const LATENCY_LOAD = 0.5;
const STEADY_LOAD = 0.7;

await benchCommand(bench).parseAsync();

async function bench(options: Options): Promise<void> {
  try {
    await runUntilStopped(async (stop, cleanUp) => {
      const finished = run(options, cleanUp, stop);
      await Promise.race([finished, stop.stopped]);
      // After a signal: closing what it works on ends it, and what it was just starting is closed
      // by our caller.
      await cleanUp.run();
      const report = await finished;
      console.log(options.json ? JSON.stringify(report, bigintAsNumber, 2) : textOf(report));
      process.exitCode = report.proof.imbalances.length > 0 ? 1 : 0;
    });
  } catch (error) {
    if (!(error instanceof StoppedEarly)) throw error;
    process.exitCode = error.exitCode;
  }
}

function bigintAsNumber(_key: string, member: unknown): unknown {
  return typeof member === 'bigint' ? Number(member) : member;
}

async function run(options: Options, cleanUp: CleanUp, { signal }: Stop): Promise<Report> {
  const { seconds, rounds, workers, cpuProf } = options;
  const crowd = options.sections.includes('overload') ? options.crowd : 0;
  // The slow clients come besides, and are more than `serve` lets in by itself.
  const maxConnections = crowd > 0 ? 2 * crowd + Math.max(1_024, ...(options.connections ?? [])) : undefined;
  const stage = await setStage(cleanUp, Math.max(options.players, crowd, ...(options.connections ?? [])));
  const { url: databaseUrl, folders, db } = stage;
  const generator = startChild<LoadJob, LoadResult>(cleanUp, 'load');
  const bench: sections.Bench = {
    cleanUp,
    signal,
    options,
    stage,
    roundhouse: await startRoundhouse(cleanUp, { databaseUrl, folders, workers, cpuProf, maxConnections }),
    load: generator.run,
    pgbench: (await isPgbenchInstalled()) ? { databaseUrl, folder: folders.root, signal } : undefined,
    generatorClock: treeClock(generator.pid),
    postgresClock: await postgresClock(db),
    untilQuiet: () => untilQuiet(db),
    seconds,
    rounds,
    say: console.error,
  };
  const processor = os.cpus()[0]?.model ?? 'unknown';
  const cores = os.availableParallelism();
  const machine = `${cores} cores (${processor}), Node ${process.versions.node}, PostgreSQL ${stage.postgresVersion}`;
  bench.say(`${machine}: ${rounds} × ${seconds} s for each median`);
  const results = await measureSections(bench);
  // The naive server writes rounds, and no totals of them.
  if (options.sections.includes('naive')) await db.$executeRaw`SELECT recount_game_totals()`;
  return { machine, seconds, rounds, ...results, proof: await booksBalance(db) };
}

async function measureSections(bench: sections.Bench): Promise<Results> {
  const { options, pgbench } = bench;
  const has = (...some: Section[]) => some.some((section) => options.sections.includes(section));
  if (has('pgbench', 'latency') && pgbench === undefined) bench.say('pgbench is not installed: measured without it');
  // Some sections go by the best rates of others.
  const chosen = new Set(options.sections);
  if (has('latency', 'steady', 'overload', 'growth')) chosen.add('http');
  if (has('latency')) chosen.add('pgbench');
  const targets = sections.targetsOf(bench, [...chosen]);
  const workloads = has('naive', 'memory', 'pgbench', 'http') ? options.workloads : (['play'] as const);
  const rates = await sections.measureRates(bench, { targets, workloads });
  const best = sections.bestOf(rates, 'roundhouse');
  const floor = sections.bestOf(rates, 'pgbench');
  const arrivalsPerSecond = [best, floor].flatMap((cell) => (cell ? [cell.perSecond * LATENCY_LOAD] : []));
  return {
    rates,
    ...(has('seamless') && { seamless: await measureSeamless(bench) }),
    ...(has('timeline') && { timeline: await measureTimeline(bench) }),
    ...(has('latency') && {
      latency: await measureLatency(bench, { arrivalsPerSecond, pgbenchClients: floor?.connections ?? 1 }),
    }),
    ...(has('steady') && best && { steady: await measureSteady(bench, best.perSecond * STEADY_LOAD) }),
    ...(has('overload') && best && { overload: await measureOverload(bench, best) }),
    ...(has('books') && { books: await measureBooks(bench) }),
    ...(has('growth') && best && { growth: await sections.measureGrowth(bench, best.connections) }),
  };
}

import os from 'node:os';
import { type CleanUp, runUntilStopped, type Stop, StoppedEarly } from '@roundhouse/service';
import { booksBalance } from '../../server/dist/store/books/booksBalance.js';
import { prepareAnchors } from './anchors.ts';
import { measureBooks } from './books.ts';
import { startChild } from './child.ts';
import { measureConsole } from './console.ts';
import { measureCosts } from './costs.ts';
import { postgresClock, treeClock } from './cpu.ts';
import { measureDialects } from './dialects.ts';
import { measureGrowth } from './growth.ts';
import { measureLatency } from './latency.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { benchCommand, type Options, type Section } from './options.ts';
import { measureOverload } from './overload.ts';
import { isPgbenchInstalled } from './pgbench.ts';
import type { Bench } from './probes.ts';
import { bestOf, LEDGER, measureRates, ROUNDHOUSE } from './rates.ts';
import type { Results } from './ratios.ts';
import { type Report, textOf } from './report.ts';
import { measureSeamless } from './seamless.ts';
import { startRoundhouse } from './servers.ts';
import { openSibling, setStage, untilQuiet } from './stage.ts';

/** The open loops run at these shares of the best rate of a closed one. */
const LATENCY_LOAD = 0.5;
const CONSOLE_LOAD = 0.7;

await benchCommand(bench).parseAsync();

async function bench(options: Options): Promise<void> {
  try {
    await runUntilStopped(async (stop, cleanUp) => {
      const finished = run(options, cleanUp, stop);
      await Promise.race([finished, stop.stopped]);
      // A signal ends the bench by closing what it works on. Our caller closes what was just
      // starting.
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
  const { seconds, rounds, workers, cpuProf, sizes, connections = [] } = options;
  const crowd = options.sections.includes('overload') ? sizes.crowd : 0;
  // The slow clients come on top, and are more than `serve` lets in by default.
  const maxConnections = crowd > 0 ? 2 * crowd + Math.max(1_024, ...connections) : undefined;
  const stage = await setStage(cleanUp, Math.max(sizes.players, crowd, ...connections));
  const { url: databaseUrl, folders, db } = stage;
  const generator = startChild<LoadJob, LoadResult>(cleanUp, 'load');
  const pgbench = { folder: folders.root, signal };
  const hasAnchors = options.sections.some((section) => section === 'anchors' || section === 'latency');
  const isInstalled = hasAnchors && (await isPgbenchInstalled());
  if (hasAnchors && !isInstalled) console.error('pgbench is not installed: measured without it');
  const bench: Bench = {
    cleanUp,
    signal,
    options,
    stage,
    roundhouse: await startRoundhouse(cleanUp, { databaseUrl, folders, workers, cpuProf, maxConnections }),
    load: generator.run,
    runAnchor: isInstalled
      ? await prepareAnchors({ pgbench, url: await openSibling(stage, 'anchors'), accounts: sizes.players })
      : undefined,
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

async function measureSections(bench: Bench): Promise<Results> {
  const { options } = bench;
  const has = (...some: Section[]) => some.some((section) => options.sections.includes(section));
  // Some sections use the best rates of others.
  const sections = new Set(options.sections);
  if (has('latency', 'console', 'overload', 'growth')) sections.add('http');
  if (has('latency')) sections.add('anchors');
  const workloads = has('naive', 'anchors', 'http') ? options.workloads : (['play'] as const);
  const rates = await measureRates(bench, { sections, workloads });
  const best = bestOf(rates, ROUNDHOUSE);
  const clients = bestOf(rates, LEDGER)?.connections ?? 1;
  return {
    rates,
    ...(has('seamless') && { seamless: await measureSeamless(bench) }),
    ...(has('dialects') && { dialects: await measureDialects(bench) }),
    ...(has('costs') && { costs: await measureCosts(bench) }),
    ...(has('latency') &&
      best && {
        latency: await measureLatency(bench, { arrivalsPerSecond: best.perSecond * LATENCY_LOAD, clients }),
      }),
    ...(has('console') && best && { console: await measureConsole(bench, best.perSecond * CONSOLE_LOAD) }),
    ...(has('overload') && best && { overload: await measureOverload(bench, best) }),
    ...(has('books') && { books: await measureBooks(bench) }),
    ...(has('growth') && best && { growth: await measureGrowth(bench, best.connections) }),
  };
}

import os from 'node:os';
import { type CleanUp, runUntilStopped, type Stop, StoppedEarly } from '@roundhouse/service';
import { booksBalance } from '../dist/ledger/queries/booksBalance.js';
import { measureBooks } from './books.ts';
import { startChild } from './child.ts';
import { postgresClock, treeClock } from './cpu.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { benchCommand, type Options, type Section } from './options.ts';
import { type Report, textOf } from './report.ts';
import * as sections from './sections.ts';
import { startRoundhouse } from './servers.ts';
import { setStage, untilQuiet } from './stage.ts';

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
  const stage = await setStage(cleanUp, Math.max(options.players, ...(options.connections ?? [])));
  const { url: databaseUrl, folders, db } = stage;
  const generator = startChild<LoadJob, LoadResult>(cleanUp, 'load');
  const bench: sections.Bench = {
    cleanUp,
    signal,
    options,
    stage,
    roundhouse: await startRoundhouse(cleanUp, { databaseUrl, folders, workers, cpuProf }),
    load: generator.run,
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
  return { machine, seconds, rounds, ...(await measureSections(bench)), proof: await booksBalance(db) };
}

async function measureSections(
  bench: sections.Bench,
): Promise<Pick<Report, 'rates' | 'seamless' | 'books' | 'growth'>> {
  const { options } = bench;
  const has = (section: Section) => options.sections.includes(section);
  // Growth needs the best number of connections.
  const workloads = options.workloads.filter(
    (workload) => has('http') || has('naive') || (has('growth') && workload === 'play'),
  );
  const rates = await sections.measureRates(bench, workloads);
  const best = sections.bestOf(rates, 'roundhouse');
  return {
    rates,
    ...(has('seamless') && { seamless: await sections.measureSeamless(bench) }),
    ...(has('books') && { books: await measureBooks(bench) }),
    ...(has('growth') && best && { growth: await sections.measureGrowth(bench, best.connections) }),
  };
}

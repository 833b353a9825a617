import os from 'node:os';
import type { Cell, Fleet } from '@roundhouse/fleet';
import { type CleanUp, runUntilStopped, StoppedEarly } from '@roundhouse/service';
import { Command } from 'commander';
import { booksBalance } from '../../server/dist/store/books/booksBalance.js';
import { settleCell } from '../../server/dist/store/cells/settleCell.js';
import { type CellsReport, type Measured, type Situation, textOfCells } from './cellsReport.ts';
import { startChild } from './child.ts';
import { type CpuClock, coreClock, pinTree, postgresClock, postgresPid, sumOfClocks, treeClock } from './cpu.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { measureInTurn, type Probe } from './measureInTurn.ts';
import { positive, wholePositive } from './options.ts';
import { type GameServer, startRoundhouse } from './servers.ts';
import { type Stage, setStage, untilQuiet } from './stage.ts';

const CORES = [0, 1] as const;
type Core = (typeof CORES)[number];

/** Each database is a cell, with ids of its number. Nothing is sent to the addresses. */
const FLEET: Fleet = {
  version: 1,
  cells: CORES.map((core) => ({ name: nameOf(core), numbers: [core + 1], url: `http://${nameOf(core)}.test` })),
  placements: [{ cells: CORES.map(nameOf) }],
};

type Options = { seconds: number; rounds: number; connections: number; players: number; json: boolean };

/** A cell has a durable PostgreSQL and a node, both pinned to its core, and a load generator. */
type PinnedCell = {
  core: Core;
  stage: Stage;
  server: GameServer;
  generator: { pid: number; run(job: LoadJob): Promise<LoadResult> };
  postgresClock: CpuClock;
};

await new Command('cells')
  .description(
    'Measures one cell on one core, then two cells on two cores, in turn: plays per second, and processor time of a play.',
  )
  .option('--seconds <number>', 'length of a sample', positive, 3)
  .option('--rounds <number>', 'samples behind each median', wholePositive, 5)
  .option('--connections <number>', 'players at once in each cell', wholePositive, 128)
  .option('--players <number>', 'players in each cell', wholePositive, 1_024)
  .option('--json', 'print JSON in place of the tables', false)
  .action(bench)
  .parseAsync();

async function bench(options: Options): Promise<void> {
  try {
    await runUntilStopped(async (stop, cleanUp) => {
      const finished = run(options, cleanUp);
      await Promise.race([finished, stop.stopped]);
      await cleanUp.run();
      const report = await finished;
      console.log(options.json ? JSON.stringify(report, undefined, 2) : textOfCells(report));
      process.exitCode = report.proofs.some(({ imbalances }) => imbalances.length > 0) ? 1 : 0;
    });
  } catch (error) {
    if (!(error instanceof StoppedEarly)) throw error;
    process.exitCode = error.exitCode;
  }
}

async function run(options: Options, cleanUp: CleanUp): Promise<CellsReport> {
  if (os.availableParallelism() < CORES.length) throw new Error('two cells on two cores need two cores');
  const cells: PinnedCell[] = [];
  for (const core of CORES) cells.push(await startCell(cleanUp, { core, players: options.players }));
  const [processor] = os.cpus();
  const machine = `${os.availableParallelism()} cores (${processor?.model ?? 'unknown'}), Node ${process.versions.node}`;
  console.error(`${machine}: ${options.rounds} × ${options.seconds} s for each median`);
  const measured: Measured[] = await measureInTurn(probesOf(cells, options), {
    ...options,
    generatorClock: async () => undefined,
    postgresClock: async () => undefined,
    untilQuiet: async () => void (await Promise.all(cells.map(({ stage }) => untilQuiet(stage.db)))),
    say: console.error,
  });
  const proofs = [];
  for (const { stage } of cells) {
    const { rounds, imbalances } = await booksBalance(stage.db);
    proofs.push({ rounds: Number(rounds), imbalances });
  }
  const { seconds, rounds, connections } = options;
  return { machine, postgres: cells[0]?.stage.postgresVersion ?? '', seconds, rounds, connections, measured, proofs };
}

async function startCell(cleanUp: CleanUp, { core, players }: { core: Core; players: number }): Promise<PinnedCell> {
  const stage = await setStage(cleanUp, players);
  await settleCell({ url: stage.url, fleet: FLEET, cell: FLEET.cells[core] as Cell });
  const main = await postgresPid(stage.db);
  if (main === undefined) throw new Error('the processor time of a cell is known on Linux only');
  // This comes before the node connects, so that each of its connections begins on the core.
  await pinTree(main, core);
  const server = await startRoundhouse(cleanUp, { databaseUrl: stage.url, folders: stage.folders, workers: 1 });
  await pinTree(server.pid, core);
  const generator = startChild<LoadJob, LoadResult>(cleanUp, 'load');
  return { core, stage, server, generator, postgresClock: await postgresClock(stage.db) };
}

/**
 * Each cell alone, with its generator apart and beside it; then both at once, each with its own.
 */
function probesOf(cells: readonly PinnedCell[], options: Options): Probe<Situation>[] {
  const alone = cells.flatMap((cell) => [
    probeOf([cell], { generator: 'other core', options }),
    probeOf([cell], { generator: 'same core', options }),
  ]);
  return [...alone, probeOf(cells, { generator: 'same core', options })];
}

function nameOf(core: Core): string {
  return core === 0 ? 'a' : 'b';
}

type Placed = { generator: Situation['generator']; options: Options };

function probeOf(cells: readonly PinnedCell[], { generator, options }: Placed): Probe<Situation> {
  const names = cells.map(({ core }) => nameOf(core)).join(' and ');
  const clocks = {
    serverClock: sumOfClocks(...cells.map(({ server }) => server.clock)),
    postgresClock: sumOfClocks(...cells.map((cell) => cell.postgresClock)),
    generatorClock: sumOfClocks(...cells.map((cell) => treeClock(cell.generator.pid))),
  };
  // When the generator is apart, only the cell may be on its core.
  const onCores = generator === 'same core' ? Object.values(clocks) : [clocks.serverClock, clocks.postgresClock];
  const ours = sumOfClocks(...onCores);
  const all = sumOfClocks(...cells.map(({ core }) => coreClock(core)));
  return {
    ...clocks,
    facts: { cells: names, generator },
    title: `${names}, generator on the ${generator}`,
    warmedWith: `${names} ${generator}`,
    async load(seconds) {
      for (const cell of cells) {
        const core = generator === 'same core' ? cell.core : ((1 - cell.core) as Core);
        await pinTree(cell.generator.pid, core);
      }
      const startedMs = performance.now();
      const [oursBefore = 0, allBefore = 0] = await Promise.all([ours(), all()]);
      const results = await Promise.all(cells.map((cell) => loadCell(cell, { ...options, seconds })));
      const [oursAfter = 0, allAfter = 0] = await Promise.all([ours(), all()]);
      const wholeSeconds = ((performance.now() - startedMs) / 1000) * cells.length;
      const busy = allAfter - allBefore;
      return {
        ...together(results),
        othersPercent: (100 * Math.max(0, busy - (oursAfter - oursBefore))) / wholeSeconds,
        idlePercent: 100 * Math.max(0, 1 - busy / wholeSeconds),
      };
    },
  };
}

function loadCell({ generator, server, stage }: PinnedCell, { connections, seconds }: Options): Promise<LoadResult> {
  const { sessions } = stage;
  return generator.run({ url: server.url, workload: 'play', sessions, connections, seconds });
}

/** Rates add up; of the latencies the worse cell counts. */
function together(results: readonly LoadResult[]): LoadResult {
  const sum = (name: 'units' | 'perSecond') => results.reduce((total, result) => total + result[name], 0);
  const worst = (name: 'p50Ms' | 'p99Ms') => Math.max(...results.map((result) => result[name]));
  return { units: sum('units'), perSecond: sum('perSecond'), p50Ms: worst('p50Ms'), p99Ms: worst('p99Ms') };
}

import os from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import type { CleanUp } from '../dist/cli/cleanUp.js';
import { runUntilStopped, StoppedEarly } from '../dist/cli/untilStopped.js';
import { booksBalance } from '../dist/ledger/queries/booksBalance.js';
import { postgresClock } from './cpu.ts';
import { isolationText, measureIsolation } from './isolation.ts';
import { measure } from './measure.ts';
import { setStage } from './stage.ts';
import { summarise } from './summary.ts';
import { tablesOf } from './table.ts';
import { startTargets, TARGET_NAMES, TARGETS, type TargetName } from './targets.ts';

type Options = {
  seconds?: number;
  rounds?: number;
  connections: number[];
  targets: TargetName[];
  quick?: boolean;
  json?: boolean;
  cpuProf?: string;
};

const FULL = { seconds: 2, rounds: 3 };
/** Says that everything works, and nothing about speed. */
const QUICK = { seconds: 0.1, rounds: 1 };

const command = new Command('bench')
  .description(
    'Measures rounds over HTTP, beside the same SQL functions without HTTP and beside a naive server with the same writes. ' +
      'Every sample is taken on one durable PostgreSQL of its own; every figure is the median of its samples.',
  )
  .option('--seconds <number>', `length of a sample, default ${FULL.seconds}`, positive)
  .option('--rounds <number>', `samples behind each figure, default ${FULL.rounds}`, wholePositive)
  .option('--connections <list>', 'how many play at once, each on a connection of its own', wholeList, [1, 8, 32, 128])
  .option('--targets <list>', `of ${TARGET_NAMES.join(', ')}`, targetList, TARGET_NAMES)
  .option('--quick', `a run of seconds: ${QUICK.rounds} sample of ${QUICK.seconds} s behind each figure`)
  .option('--json', 'print JSON in place of the tables')
  .option('--cpu-prof <folder>', 'write a CPU profile of the server into this folder')
  .action(run);
await command.parseAsync();

async function run(options: Options): Promise<void> {
  try {
    await runUntilStopped(async ({ stopped }, cleanUp) => {
      const finished = bench(options, cleanUp);
      await Promise.race([finished, stopped]);
      // After a signal: closing what it works on ends it, and what it was just starting is closed by our caller.
      await cleanUp.run();
      process.exitCode = (await finished) ? 0 : 1;
    });
  } catch (error) {
    if (!(error instanceof StoppedEarly)) throw error;
    process.exitCode = error.exitCode;
  }
}

/** True when the books balance at the end. */
async function bench(
  { connections, targets: wanted, json, quick, cpuProf, ...given }: Options,
  cleanUp: CleanUp,
): Promise<boolean> {
  const { seconds, rounds } = { ...(quick ? QUICK : FULL), ...given };
  const stage = await setStage(cleanUp, { players: Math.max(...connections), warn: console.error });
  const all = await startTargets(cleanUp, stage, { profileFolder: cpuProf });
  const targets = all.filter(({ name }) => wanted.includes(name));
  const machine = {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model ?? 'unknown',
    node: process.versions.node,
    postgres: stage.postgresVersion,
  };
  const description = `${machine.cores} cores (${machine.processor}), Node ${machine.node}, PostgreSQL ${machine.postgres}`;
  console.error(`${description}: ${rounds} × ${seconds} s for each figure`);

  const samples = await measure(stage, targets, {
    seconds,
    rounds,
    connections,
    postgresClock: await postgresClock(stage.db),
    onSample: ({ target, workload, connections: count, roundsPerSecond }, { done, of }) => {
      const what = `${workload.padEnd(5)} ${String(count).padStart(3)} at once, ${TARGETS[target].padEnd(30)}`;
      console.error(`${String(done).padStart(3)}/${of}  ${what} ${Math.round(roundsPerSecond)} rounds/s`);
    },
  });

  const server = all.find(({ name }) => name === 'roundhouse');
  const isolation = server && (await measureIsolation(cleanUp, stage, { target: server, seconds }));

  const books = await booksBalance(stage.db);
  const cells = summarise(samples);
  if (json) console.log(toJson({ machine, seconds, rounds, cells, isolation, books }));
  else {
    console.log(`\n${description}\n\n${tablesOf(cells)}\n${isolation ? isolationText(isolation) : ''}\n`);
    const verdict = books.imbalances.length === 0 ? 'the books balance' : 'THE BOOKS DO NOT BALANCE';
    console.log(`${verdict}: ${books.rounds} rounds, ${books.transfers} transfers, ${books.accounts} accounts`);
    for (const { rule, subject, detail } of books.imbalances) console.log(`  ${rule}: ${subject}, ${detail}`);
  }
  return books.imbalances.length === 0;
}

function toJson(value: object): string {
  return JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? Number(member) : member), 2);
}

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above zero.');
  return number;
}

function wholePositive(text: string): number {
  const number = positive(text);
  if (!Number.isInteger(number)) throw new InvalidArgumentError('It must be a whole number.');
  return number;
}

function wholeList(text: string): number[] {
  return text.split(',').map(wholePositive);
}

function targetList(text: string): TargetName[] {
  const names = text.split(',');
  const unknown = names.find((name) => !(name in TARGETS));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no target ${unknown}.`);
  return names as TargetName[];
}

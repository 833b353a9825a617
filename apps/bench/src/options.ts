import { Command, InvalidArgumentError, Option } from 'commander';
import { WORKLOADS, type Workload } from './benchGame.ts';

/** A run has these parts, in this order; the first three are measured in one turn. */
const SECTIONS = [
  'naive',
  'anchors',
  'http',
  'seamless',
  'dialects',
  'costs',
  'latency',
  'console',
  'overload',
  'books',
  'growth',
] as const;
export type Section = (typeof SECTIONS)[number];
/** The default leaves out those that take many minutes. */
const BY_DEFAULT: readonly Section[] = ['naive', 'anchors', 'http', 'seamless', 'latency'];

/**
 * `players` is for the rates; each connection has at least one. `crowd` counts overload's
 * connections, twice the slow clients of a kind. `books` counts a mode's books. `console` has users
 * who look at past rounds.
 */
const SIZES = {
  players: 1_024,
  crowd: 4_000,
  consoleUsers: 20,
  consoleRounds: 1_000_000,
  books: 1_000_000,
  growthPlayers: [1_000, 1_000_000],
  growthRounds: [0, 10_000_000],
};
/** These sizes show that everything works, and nothing about speed. */
const QUICK_SIZES: typeof SIZES = {
  players: 64,
  crowd: 16,
  consoleUsers: 2,
  consoleRounds: 2_000,
  books: 500,
  growthPlayers: [30],
  growthRounds: [2_000],
};

/** The keys are the names of the options below. */
export type Options = {
  sections: readonly Section[];
  workloads: readonly Workload[];
  connections?: readonly number[];
  seconds: number;
  rounds: number;
  workers?: number;
  sizes: typeof SIZES;
  json: boolean;
  cpuProf?: string;
};

export function benchCommand(action: (options: Options) => Promise<void>): Command {
  return new Command('bench')
    .description(
      'Measures the server over HTTP, beside servers and programs that do less, on a separate durable PostgreSQL. ' +
        'Every result is the median of samples that are taken in turn.',
    )
    .option('--sections <list>', `of ${SECTIONS.join(', ')}`, listOf(SECTIONS), BY_DEFAULT)
    .option('--workloads <list>', `of ${WORKLOADS.join(', ')}`, listOf(WORKLOADS), [...WORKLOADS])
    .option('--connections <list>', 'how many at once, in place of the default of each section', positives)
    .option('--seconds <number>', 'length of a sample', positive, 2)
    .option('--rounds <number>', 'samples behind each median', wholePositive, 3)
    .option('--workers <number>', 'processes of the server, in place of the default', wholePositive)
    .addOption(
      new Option('--quick', 'a run of seconds, of short samples and small databases').implies({
        seconds: 0.1,
        rounds: 1,
        sizes: QUICK_SIZES,
      }),
    )
    .addOption(new Option('--full', 'all sections: an hour and some 15 GB').implies({ sections: SECTIONS }))
    .option('--json', 'print JSON in place of the tables', false)
    .option('--cpu-prof <folder>', 'write a CPU profile of each process of the server into this folder')
    .action((options: Options) => action({ ...options, sizes: options.sizes ?? SIZES }));
}

export function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above zero.');
  return number;
}

export function wholePositive(text: string): number {
  const number = positive(text);
  if (!Number.isInteger(number)) throw new InvalidArgumentError('It must be a whole number.');
  return number;
}

function positives(text: string): number[] {
  return text.split(',').map(wholePositive);
}

function listOf<Name extends string>(names: readonly Name[]): (text: string) => Name[] {
  return (text) =>
    text.split(',').map((each) => {
      const name = names.find((known) => known === each);
      if (name === undefined) throw new InvalidArgumentError(`It must be of ${names.join(', ')}.`);
      return name;
    });
}

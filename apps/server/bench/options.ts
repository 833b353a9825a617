import { Command, InvalidArgumentError, Option } from 'commander';
import { WALLETS, type Wallet, WORKLOADS, type Workload } from './benchGame.ts';

/** The parts of a run, in their order; the first four are measured in one turn. */
const SECTIONS = [
  'naive',
  'memory',
  'pgbench',
  'http',
  'seamless',
  'timeline',
  'latency',
  'steady',
  'overload',
  'books',
  'growth',
] as const;
export type Section = (typeof SECTIONS)[number];
/** Without those that take many minutes. */
const BY_DEFAULT: readonly Section[] = ['naive', 'memory', 'pgbench', 'http', 'seamless', 'timeline', 'latency'];

/** By the names of the options below. */
export type Options = {
  sections: readonly Section[];
  workloads: readonly Workload[];
  wallets: readonly Wallet[];
  connections?: readonly number[];
  seconds: number;
  rounds: number;
  players: number;
  minutes: number;
  crowd: number;
  workers?: number;
  books: number;
  growthPlayers: readonly number[];
  growthRounds: readonly number[];
  json: boolean;
  cpuProf?: string;
};

/** Says that everything works, and nothing about speed. */
const QUICK = { seconds: 0.1, rounds: 1, players: 64, minutes: 0.005, crowd: 16, books: 2_000 };

export function benchCommand(action: (options: Options) => Promise<void>): Command {
  return new Command('bench')
    .description(
      'Measures the server over HTTP, beside servers and programs that do less, on a durable PostgreSQL of its own. ' +
        'Every result is the median of samples that are taken in turn.',
    )
    .option('--sections <list>', `of ${SECTIONS.join(', ')}`, listOf(SECTIONS), BY_DEFAULT)
    .option('--workloads <list>', `of ${WORKLOADS.join(', ')}`, listOf(WORKLOADS), [...WORKLOADS])
    .option('--wallets <list>', `of ${WALLETS.join(', ')}`, listOf(WALLETS), [...WALLETS])
    .option('--connections <list>', 'how many at once, in place of the own choice of each section', positives)
    .option('--seconds <number>', 'length of a sample', positive, 2)
    .option('--rounds <number>', 'samples behind each median', wholePositive, 3)
    .option('--players <number>', 'players of the rates; at least one for each connection', wholePositive, 1_024)
    .addOption(
      new Option('--quick', `a run of seconds: one sample of ${QUICK.seconds} s behind each median`).implies(QUICK),
    )
    .option('--workers <number>', 'processes of the server, in place of its own choice', wholePositive)
    .addOption(
      new Option('--full', 'everything: also steady, books and growth: more than an hour and some 15 GB').implies({
        sections: SECTIONS,
      }),
    )
    .option('--minutes <number>', 'length of steady', positive, 30)
    .option(
      '--crowd <number>',
      'connections of overload; half as many of each kind of slow client',
      wholePositive,
      4_000,
    )
    .option('--books <number>', 'how many books of 4 KB a mode has', wholePositive, 1_000_000)
    .option('--growth-players <list>', 'numbers of players of growth', positives, [1_000, 1_000_000])
    .option('--growth-rounds <list>', 'numbers of past rounds of growth', counts, [0, 10_000_000])
    .option('--json', 'print JSON in place of the tables', false)
    .option('--cpu-prof <folder>', 'write a CPU profile of each process of the server into this folder')
    .action(action);
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

function counts(text: string): number[] {
  return text.split(',').map((each) => (each === '0' ? 0 : wholePositive(each)));
}

function listOf<Name extends string>(names: readonly Name[]): (text: string) => Name[] {
  return (text) =>
    text.split(',').map((each) => {
      const name = names.find((known) => known === each);
      if (name === undefined) throw new InvalidArgumentError(`It must be of ${names.join(', ')}.`);
      return name;
    });
}

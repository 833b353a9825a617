import { Command, InvalidArgumentError } from 'commander';
import type { BooksOptions } from './books.ts';
import type { GrowthSizes } from './sections.ts';
import type { ServeSettings } from './servers.ts';
import { WORKLOADS, type Workload } from './workload.ts';

/** The parts of a run, in their order; naive and http are measured in one turn. */
const SECTIONS = ['naive', 'http', 'seamless', 'books', 'growth'] as const;
type Section = (typeof SECTIONS)[number];
/** What takes minutes to fill, and several GB, is measured only when it is asked for. */
const BY_DEFAULT = SECTIONS.filter((section) => section !== 'books' && section !== 'growth');

export type Options = {
  seconds: number;
  rounds: number;
  connections: readonly number[] | undefined;
  sections: readonly Section[];
  workloads: readonly Workload[];
  quick: boolean;
  growthSizes: GrowthSizes;
  /** Of the mode that is loaded, and how often. */
  bookLoads: BooksOptions;
  settings: ServeSettings;
  json: boolean;
};

type Given = {
  seconds?: number;
  rounds?: number;
  connections?: number[];
  sections?: Section[];
  workloads: Workload[];
  full?: boolean;
  books?: number;
  growthPlayers: number[];
  growthRounds: number[];
  workers?: number;
  cpuProf?: string;
  quick?: boolean;
  json?: boolean;
};

const FULL = { seconds: 2, rounds: 3 };
/** Says that everything works, and nothing about speed. */
const QUICK = { seconds: 0.1, rounds: 1 };
const FULL_BOOKS = 1_000_000;
const QUICK_BOOKS = 2_000;
const BOOK_LOADS = 3;

export function benchCommand(action: (options: Options) => Promise<void>): Command {
  return new Command('bench')
    .description(
      'Measures the server over HTTP, beside a naive server with the same writes, on a durable PostgreSQL of its own. ' +
        'Every result is the median of samples that are taken in turn.',
    )
    .option('--sections <list>', `of ${SECTIONS.join(', ')}; default ${BY_DEFAULT.join(',')}`, listOf(SECTIONS))
    .option('--workloads <list>', `of ${WORKLOADS.join(', ')}; default all`, listOf(WORKLOADS), [...WORKLOADS])
    .option('--connections <list>', 'how many at once, in place of the own choice of each section', wholeList)
    .option('--seconds <number>', `length of a sample, default ${FULL.seconds}`, positive)
    .option('--rounds <number>', `samples behind each median, default ${FULL.rounds}`, wholePositive)
    .option('--quick', `a run of seconds: ${QUICK.rounds} sample of ${QUICK.seconds} s behind each median`)
    .option('--workers <number>', 'processes of the server, in place of its own choice', wholePositive)
    .option('--full', 'everything: also books and growth, which take many minutes and some 15 GB to fill')
    .option('--books <number>', 'how many books of 4 KB a mode has', wholePositive)
    .option('--growth-players <list>', 'their numbers of players', wholeList, [1_000, 1_000_000])
    .option('--growth-rounds <list>', 'their numbers of past rounds', countList, [0, 10_000_000])
    .option('--json', 'print JSON in place of the tables')
    .option('--cpu-prof <folder>', 'write a CPU profile of each process of the server into this folder')
    .action((given: Given) => action(optionsOf(given)));
}

function optionsOf({ sections, full, quick, workers, books, cpuProf, json, ...given }: Given): Options {
  const { growthPlayers, growthRounds, workloads, connections } = given;
  const chosen = full ? SECTIONS : (sections ?? BY_DEFAULT);
  const length = quick ? QUICK : FULL;
  return {
    seconds: given.seconds ?? length.seconds,
    rounds: given.rounds ?? length.rounds,
    connections,
    sections: SECTIONS.filter((section) => chosen.includes(section)),
    workloads: WORKLOADS.filter((workload) => workloads.includes(workload)),
    quick: quick ?? false,
    growthSizes: { players: growthPlayers, pastRounds: growthRounds },
    bookLoads: {
      books: books ?? (quick ? QUICK_BOOKS : FULL_BOOKS),
      runs: quick ? 1 : BOOK_LOADS,
      seconds: given.seconds ?? length.seconds,
    },
    settings: { ...(workers !== undefined && { workers }), ...(cpuProf !== undefined && { profileFolder: cpuProf }) },
    json: json ?? false,
  };
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

/** As wholeList, and none at all counts as well. */
function countList(text: string): number[] {
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

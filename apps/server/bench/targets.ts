import type { CleanUp } from '../dist/cli/cleanUp.js';
import { startChild } from './child.ts';
import { type CpuClock, processClock } from './cpu.ts';
import type { LoadJob, LoadResult, Path } from './processes/load.ts';
import type { NaiveJob } from './processes/naive.ts';
import type { ServerJob } from './processes/roundhouse.ts';
import type { Stage } from './stage.ts';

export const TARGETS = {
  roundhouse: 'Roundhouse over HTTP',
  statements: 'its SQL functions, one by one',
  batches: 'its SQL functions, in batches',
  naive: 'naive server over HTTP',
} as const;

export type TargetName = keyof typeof TARGETS;

export const TARGET_NAMES = Object.keys(TARGETS) as TargetName[];

/** Something that plays rounds, the process that loads it and, when that is another one, the process that serves it. */
export type Target = {
  name: TargetName;
  path: Path;
  load(job: LoadJob): Promise<LoadResult>;
  loadClock: CpuClock;
  serverClock: CpuClock | undefined;
};

/** Its best: 10 and 32 measured the same, 64 a third less. */
const NAIVE_DATABASE_CONNECTIONS = 10;

export async function startTargets(
  cleanUp: CleanUp,
  stage: Stage,
  { profileFolder }: { profileFolder: string | undefined },
): Promise<Target[]> {
  const { databaseUrl, gameFolder, storeFolder } = stage;
  const execArgv = profileFolder === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileFolder];
  const roundhouse = startChild<ServerJob, { url: string }>({ name: 'roundhouse', execArgv });
  cleanUp.add(roundhouse.stop);
  // Prisma's own way of reading relations inside a transaction makes pg warn.
  const naive = startChild<NaiveJob, { url: string }>({ name: 'naive', execArgv: ['--no-deprecation'] });
  cleanUp.add(naive.stop);
  const { url } = await roundhouse.run({ databaseUrl, gameFolder, storeFolder });
  const { url: naiveUrl } = await naive.run({ databaseUrl, connections: NAIVE_DATABASE_CONNECTIONS });

  // Started last, so that they end first: a server finishes what is asked of it. One for each kind of path, so that the
  // compiler does not have to please both.
  const http = startLoad(cleanUp);
  const sql = startLoad(cleanUp);

  return [
    { name: 'roundhouse', path: { via: 'http', url }, ...http, serverClock: processClock(roundhouse.pid) },
    { name: 'statements', path: { via: 'statements', databaseUrl }, ...sql, serverClock: undefined },
    { name: 'batches', path: { via: 'batches', databaseUrl }, ...sql, serverClock: undefined },
    { name: 'naive', path: { via: 'http', url: naiveUrl }, ...http, serverClock: processClock(naive.pid) },
  ];
}

function startLoad(cleanUp: CleanUp): Pick<Target, 'load' | 'loadClock'> {
  const child = startChild<LoadJob, LoadResult>({ name: 'load' });
  cleanUp.add(child.stop);
  return { load: child.run, loadClock: processClock(child.pid) };
}

import { spawnSync } from 'node:child_process';
import type { CleanUp } from '@roundhouse/service';
import { startChild } from '../child.ts';
import { type CpuClock, endedProgramsClock, treeClock } from '../cpu.ts';
import { type HttpLoad, REQUESTS_OF, type Workload } from '../workload.ts';
import type { LoadResult } from './closedLoop.ts';
import type { LoadJob } from './process.ts';
import { runWrk } from './wrk.ts';

/** Loads a server over HTTP from a process of its own. */
export type HttpGenerator = {
  load(load: HttpLoad): Promise<LoadResult>;
  clockFor(workload: Workload): CpuClock;
  /** Where single requests come from. */
  name: string;
};

/** It counts in whole seconds. */
const SHORTEST_WRK_SECONDS = 1;

/**
 * wrk where it is installed, for whatever is a single request. The rest comes from a loop of our
 * own, because it costs less than what npm has: 19 µs a request, autocannon 24, undici 34.
 */
export function createHttpGenerator(
  cleanUp: CleanUp,
  { seconds, folder, signal }: { seconds: number; folder: string; signal: AbortSignal },
): HttpGenerator {
  const hasWrk = seconds >= SHORTEST_WRK_SECONDS && spawnSync('wrk', ['--version']).error === undefined;
  const child = startChild<LoadJob, LoadResult>('load/process');
  cleanUp.add(child.stop);
  const childClock = treeClock(child.pid);
  const byWrk = (workload: Workload) => hasWrk && REQUESTS_OF[workload].length === 1;
  return {
    name: hasWrk ? 'wrk' : 'the own closed loop',
    load(load) {
      if (byWrk(load.workload)) return runWrk(load, { folder, signal });
      return child.run({ ...load, sessions: load.sessions.slice(0, load.connections) });
    },
    clockFor: (workload) => (byWrk(workload) ? endedProgramsClock : childClock),
  };
}

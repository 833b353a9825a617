import type { CleanUp } from '@roundhouse/service';
import { startChild } from '../child.ts';
import { type CpuClock, endedProgramsClock, treeClock } from '../cpu.ts';
import type { LoadJob } from '../processes/load.ts';
import { REQUESTS_OF, type Workload } from '../workload.ts';
import type { LoadResult } from './closedLoop.ts';
import type { HttpLoad } from './httpLoad.ts';
import { findTool } from './tool.ts';
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
 * wrk where it is installed, for whatever is a single request. What is more than one, and all where there is no wrk, comes from the
 * bench's own closed loop, which is cheaper than the generators on npm: a request costs it 19 µs, autocannon 24, undici 34.
 */
export async function createHttpGenerator(
  cleanUp: CleanUp,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): Promise<HttpGenerator> {
  const wrk = seconds < SHORTEST_WRK_SECONDS ? undefined : await findTool('wrk');
  const own = startChild<LoadJob, LoadResult>({ name: 'load' });
  cleanUp.add(own.stop);
  const ownClock = treeClock(own.pid);
  const toolFor = (workload: Workload) => (REQUESTS_OF[workload].length === 1 ? wrk : undefined);
  return {
    name: wrk === undefined ? 'the own closed loop' : 'wrk',
    load(load) {
      const tool = toolFor(load.workload);
      if (tool !== undefined) return runWrk(tool, load, signal);
      const { url, workload, crowd, connections } = load;
      const players = crowd.players.slice(0, connections);
      return own.run({ path: { via: 'http', url }, players, workload, seconds: load.seconds });
    },
    clockFor: (workload) => (toolFor(workload) === undefined ? ownClock : endedProgramsClock),
  };
}

import { serveParent } from '../child.ts';
import type { Workload } from '../workload.ts';
import { closedLoop, type LoadResult } from './closedLoop.ts';
import { openHttpCaller } from './httpCaller.ts';

/** One connection for each session. */
export type LoadJob = {
  url: string;
  sessions: readonly string[];
  workload: Workload;
  seconds: number;
};

serveParent<LoadJob, LoadResult>(async ({ url, sessions, workload, seconds }) => {
  const callers = await Promise.all(sessions.map((sessionID) => openHttpCaller(url, { sessionID, workload })));
  try {
    return await closedLoop(callers, { seconds });
  } finally {
    await Promise.all(callers.map((caller) => caller.close()));
  }
});

import { openHttpCaller } from '../callers/httpCaller.ts';
import { serveParent } from '../child.ts';
import { type Arrivals, type OpenLoopResult, openLoop } from '../generators/openLoop.ts';

/** A connection for each sessionID. */
export type ArrivalsJob = Arrivals & { url: string; sessionIDs: readonly string[] };

serveParent<ArrivalsJob, OpenLoopResult>(
  async ({ url, sessionIDs, ...arrivals }) => {
    const callers = await Promise.all(
      sessionIDs.map((sessionID) => openHttpCaller(url, { sessionID, workload: 'play' })),
    );
    try {
      return await openLoop(callers, arrivals);
    } finally {
      await Promise.all(callers.map((caller) => caller.close()));
    }
  },
  { close: async () => {} },
);

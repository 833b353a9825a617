import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { REQUESTS_OF, type Workload } from './benchGame.ts';
import { serveParent } from './child.ts';
import { type Connection, openConnection, requestsOf } from './connection.ts';
import { closedLoop, openLoop, type Player } from './loops.ts';

/** A job takes one sample of a server, loaded over HTTP from this process. */
export type LoadJob = {
  url: string;
  workload: Workload;
  /** There is at least one for each connection. */
  sessions: readonly string[];
  connections: number;
  seconds: number;
  /**
   * Units begin at this rate, at random times (Poisson), whether or not earlier ones have ended.
   * Without it each connection begins its next unit when the last one has ended.
   */
  arrivalsPerSecond?: number | undefined;
  /** A refusal does not end the bench: the queue to a slow wallet may be full. */
  countsRefusals?: boolean;
  /**
   * The load drops a unit for which no connection is free. Each refusal must have a Retry-After.
   */
  givesUp?: boolean;
};

export type LoadResult = {
  /** Units of work that were done, also those that were not measured. */
  units: number;
  perSecond: number;
  /** The latency of the unit's first request. */
  p50Ms: number;
  p99Ms: number;
  /** The latency of its second request, the end-round of a round. */
  endRoundP50Ms?: number;
  endRoundP99Ms?: number;
  /** A share of all units that were sent. */
  refusedPercent?: number;
  /** A share of all units that fell due. */
  gaveUpPercent?: number;
};

serveParent<LoadJob, LoadResult>(async (job) => {
  const histograms = REQUESTS_OF[job.workload].map(() => createHistogram());
  const connections: Connection[] = [];
  try {
    // Connections open one by one: more at once than the server's backlog would wait for seconds.
    while (connections.length < job.connections) connections.push(await openConnection(job.url));
    const players = connections.map((connection, index) => playerOf(job, { connection, index, histograms }));
    // The server compiles statements and plans for the first unit.
    const warmed = (await Promise.all(players.map((play) => play()))).filter(Boolean).length;
    for (const histogram of histograms) histogram.reset();
    const startedMs = performance.now();
    const loop = job.arrivalsPerSecond === undefined ? closedLoop : openLoop;
    const { done, refused, gaveUp } = await loop(players, job);
    const perSecond = (done * 1000) / (performance.now() - startedMs);
    const [first, endRound] = histograms;
    return {
      units: done + warmed,
      perSecond,
      p50Ms: msOf(first, 50),
      p99Ms: msOf(first, 99),
      ...(endRound && { endRoundP50Ms: msOf(endRound, 50), endRoundP99Ms: msOf(endRound, 99) }),
      ...(job.countsRefusals && { refusedPercent: (100 * refused) / Math.max(1, done + refused) }),
      ...(job.givesUp && { gaveUpPercent: (100 * gaveUp) / Math.max(1, done + refused + gaveUp) }),
    };
  } finally {
    for (const connection of connections) connection.close();
  }
});

/** A server that has too much to do refuses in this way. */
const SAYS_WHEN = /^HTTP\/1\.1 500 .*\r\nRetry-After: \d/s;

type PlayerDeps = { connection: Connection; index: number; histograms: readonly RecordableHistogram[] };

/** Each player has its own share of the sessions, so that no session has two requests at once. */
function playerOf(job: LoadJob, { connection, index, histograms }: PlayerDeps): Player {
  const units: Buffer[][] = [];
  for (let at = index; at < job.sessions.length; at += job.connections) {
    units.push(requestsOf(job, job.sessions[at] as string));
  }
  if (units.length === 0)
    throw new Error(`${job.sessions.length} sessions are too few for ${job.connections} connections`);
  let turn = 0;
  return async (dueMs) => {
    const requests = units[turn++ % units.length] ?? [];
    let beganMs = dueMs ?? performance.now();
    for (const [place, request] of requests.entries()) {
      const refusal = await connection.send(request);
      if (refusal !== undefined && job.countsRefusals && (!job.givesUp || SAYS_WHEN.test(refusal))) return false;
      if (refusal !== undefined) throw new Error(`${job.workload} got ${refusal}`);
      const endedMs = performance.now();
      // A histogram takes whole microseconds from 1 on.
      histograms[place]?.record(Math.max(1, Math.round((endedMs - beganMs) * 1000)));
      beganMs = endedMs;
    }
    return true;
  };
}

function msOf(histogram: RecordableHistogram | undefined, percentile: number): number {
  return (histogram?.percentile(percentile) ?? 0) / 1000;
}

import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { REQUESTS_OF, type Workload } from './benchGame.ts';
import { serveParent } from './child.ts';
import { type Connection, openConnection } from './connection.ts';

/** One sample of a server, loaded over HTTP from this process. */
export type LoadJob = {
  url: string;
  workload: Workload;
  /** At least one for each connection. */
  sessions: readonly string[];
  connections: number;
  seconds: number;
  /**
   * Units begin at this rate, at random times (Poisson), whether or not earlier ones have ended.
   * Left out: each connection begins its next unit when the last one has ended.
   */
  arrivalsPerSecond?: number | undefined;
  /** A refusal does not end the bench: the queue to a slow wallet may be full. */
  countsRefusals?: boolean;
};

export type LoadResult = {
  /** Units of work that were done, also those that were not measured. */
  units: number;
  perSecond: number;
  /** Of the unit's first request. */
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Of its second request, the end-round of a round. */
  endRoundP50Ms?: number;
  endRoundP99Ms?: number;
  /** Of all units. */
  refusedPercent?: number;
};

/** Does one unit of work. Its latency counts from beganMs. Resolves with whether it was done. */
type Player = (beganMs?: number) => Promise<boolean>;

/** How long a refused player waits. */
const REFUSED_MS = 100;
/** Timers are no finer. What falls due meanwhile is sent late, so no latency is too short. */
const TICK_MS = 1;

serveParent<LoadJob, LoadResult>(async (job) => {
  const histograms = REQUESTS_OF[job.workload].map(() => createHistogram());
  const connections: Connection[] = [];
  try {
    // One after the other: more at once than the server's backlog would wait for seconds.
    while (connections.length < job.connections) connections.push(await openConnection(job.url));
    const players = connections.map((connection, index) => playerOf(job, { connection, index, histograms }));
    // The server compiles statements and plans for the first unit.
    await Promise.all(players.map((play) => play()));
    for (const histogram of histograms) histogram.reset();
    const startedMs = performance.now();
    const loop = job.arrivalsPerSecond === undefined ? closedLoop : openLoop;
    const { done, refused } = await loop(players, job, startedMs);
    const perSecond = (done * 1000) / (performance.now() - startedMs);
    const [first, endRound] = histograms;
    return {
      units: done + players.length,
      perSecond,
      p50Ms: msOf(first, 50),
      p99Ms: msOf(first, 99),
      maxMs: msOf(first, 100),
      ...(endRound && { endRoundP50Ms: msOf(endRound, 50), endRoundP99Ms: msOf(endRound, 99) }),
      ...(job.countsRefusals && { refusedPercent: (100 * refused) / Math.max(1, done + refused) }),
    };
  } finally {
    for (const connection of connections) connection.close();
  }
});

type Counts = { done: number; refused: number };

/** Each connection does one unit after the other, and waits for its responses. */
async function closedLoop(players: readonly Player[], { seconds }: LoadJob, startedMs: number): Promise<Counts> {
  const counts = { done: 0, refused: 0 };
  const endsMs = startedMs + seconds * 1000;
  await Promise.all(
    players.map(async (play) => {
      while (performance.now() < endsMs) {
        if (await play()) counts.done += 1;
        else {
          counts.refused += 1;
          await new Promise((resolve) => setTimeout(resolve, REFUSED_MS));
        }
      }
    }),
  );
  return counts;
}

/**
 * A latency counts from when its unit was due: a server that stands still for a second makes
 * everybody wait who comes in that second. A closed loop would send nothing meanwhile.
 */
function openLoop(
  players: readonly Player[],
  { seconds, arrivalsPerSecond = 1 }: LoadJob,
  startedMs: number,
): Promise<Counts> {
  const counts = { done: 0, refused: 0 };
  const free = [...players];
  const late: number[] = [];
  const endsMs = startedMs + seconds * 1000;
  let dueMs = startedMs;
  let running = 0;
  return new Promise((resolve, reject) => {
    const begin = async (play: Player, unitDueMs: number) => {
      running += 1;
      counts[(await play(unitDueMs)) ? 'done' : 'refused'] += 1;
      running -= 1;
      const next = late.shift();
      if (next === undefined) free.push(play);
      else void begin(play, next).catch(reject);
      if (dueMs >= endsMs && running === 0) resolve(counts);
    };
    const tick = () => {
      for (const nowMs = performance.now(); dueMs <= nowMs && dueMs < endsMs; dueMs += untilNextMs(arrivalsPerSecond)) {
        // The one that has rested longest: a server closes idle connections.
        const play = free.shift();
        if (play === undefined) late.push(dueMs);
        else void begin(play, dueMs).catch(reject);
      }
      if (dueMs < endsMs) setTimeout(tick, TICK_MS);
      else if (running === 0) resolve(counts);
    };
    tick();
  });
}

function untilNextMs(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1000) / perSecond;
}

type PlayerDeps = { connection: Connection; index: number; histograms: readonly RecordableHistogram[] };

/** Has its own share of the sessions, so that no session has two requests at once. */
function playerOf(job: LoadJob, { connection, index, histograms }: PlayerDeps): Player {
  const own = job.sessions.filter((_, session) => session % job.connections === index);
  if (own.length === 0)
    throw new Error(`${job.sessions.length} sessions are too few for ${job.connections} connections`);
  const units = own.map((sessionID) => requestsOf(job, sessionID));
  let turn = 0;
  return async (dueMs) => {
    const requests = units[turn++ % units.length] ?? [];
    let beganMs = dueMs ?? performance.now();
    for (const [place, request] of requests.entries()) {
      const refusal = await connection.send(request);
      if (refusal !== undefined && job.countsRefusals) return false;
      if (refusal !== undefined) throw new Error(`${job.workload} got ${refusal}`);
      const endedMs = performance.now();
      // In whole microseconds, of which a histogram takes 1 and more.
      histograms[place]?.record(Math.max(1, Math.round((endedMs - beganMs) * 1000)));
      beganMs = endedMs;
    }
    return true;
  };
}

function requestsOf({ url, workload }: LoadJob, sessionID: string): Buffer[] {
  return REQUESTS_OF[workload].map(({ path, fields }) => {
    const body = JSON.stringify({ sessionID, ...fields });
    const lines = [
      `POST ${path} HTTP/1.1`,
      `Host: ${new URL(url).host}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

function msOf(histogram: RecordableHistogram | undefined, percentile: number): number {
  return (histogram?.percentile(percentile) ?? 0) / 1000;
}

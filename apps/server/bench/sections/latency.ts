import { startChild } from '../child.ts';
import type { OpenLoopResult } from '../generators/openLoop.ts';
import type { ArrivalsJob } from '../processes/arrivals.ts';
import type { Bench } from './bench.ts';
import { median } from './median.ts';

/** So many that a free one is always there. */
const MOST_CONNECTIONS = 256;
const SHORTEST_SECONDS = 10;
const WARM_UP_SECONDS = 1;

/** Medians of the samples. */
export type OpenLoopLatency = OpenLoopResult & {
  ratePerSecond: number;
  seconds: number;
  connections: number;
  samples: OpenLoopResult[];
};

/** Plays that arrive at a fixed rate, whether or not the server keeps up. */
export async function measureLatency(
  { cleanUp, stage, roundhouse, seconds, rounds, say }: Bench,
  { ratePerSecond, quick }: { ratePerSecond: number; quick: boolean },
): Promise<OpenLoopLatency> {
  const length = quick ? seconds : Math.max(seconds, SHORTEST_SECONDS);
  const generator = startChild<ArrivalsJob, OpenLoopResult>({ name: 'arrivals' });
  cleanUp.add(generator.stop);
  // Each is used about once a second, so that none is closed as an idle one.
  const connections = Math.min(MOST_CONNECTIONS, Math.ceil(ratePerSecond));
  const sessionIDs = stage.crowd.players.slice(0, connections).map(({ sessionID }) => sessionID);
  const job = { url: roundhouse.url, sessionIDs, ratePerSecond, seconds: length };
  const samples: OpenLoopResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sample = await generator.run({ ...job, warmUpSeconds: Math.min(length, WARM_UP_SECONDS) });
    samples.push(sample);
    say(
      `${String(round + 1).padStart(4)}/${rounds}  ${Math.round(ratePerSecond)} plays/s arrive: p99 ${sample.p99Ms.toFixed(2)} ms`,
    );
  }
  await generator.stop();
  const of = (pick: (sample: OpenLoopResult) => number) => median(samples.map(pick)) ?? 0;
  return {
    ratePerSecond,
    seconds: length,
    connections: sessionIDs.length,
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    p999Ms: of(({ p999Ms }) => p999Ms),
    waited: of(({ waited }) => waited),
    samples,
  };
}

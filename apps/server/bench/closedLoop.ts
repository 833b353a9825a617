import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Caller, Workload } from './workload.ts';

export type Latency = { p50Ms: number; p99Ms: number };

export type LoopResult = {
  rounds: number;
  roundsPerSecond: number;
  play: Latency;
  /** Only where the workload calls it. */
  endRound: Latency | undefined;
};

/** Every caller plays round after round for this long, each waiting for its answer; rounds are never left open. */
export async function closedLoop(
  callers: readonly Caller[],
  { workload, seconds }: { workload: Workload; seconds: number },
): Promise<LoopResult> {
  const play = createHistogram();
  const endRound = createHistogram();
  // A new connection's first call compiles statements and plans; it is not what is measured.
  await Promise.all(callers.map((caller) => oneRound(caller, workload)));

  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1000;
  let rounds = 0;
  await Promise.all(
    callers.map(async (caller) => {
      while (performance.now() < endsMs) {
        await oneRound(caller, workload, { play, endRound });
        rounds += 1;
      }
    }),
  );
  const elapsedSeconds = (performance.now() - startedMs) / 1000;
  return {
    rounds,
    roundsPerSecond: rounds / elapsedSeconds,
    play: latencyOf(play),
    endRound: workload === 'round' ? latencyOf(endRound) : undefined,
  };
}

type Clocks = { play: RecordableHistogram; endRound: RecordableHistogram };

async function oneRound(caller: Caller, workload: Workload, clocks?: Clocks): Promise<void> {
  await timed(caller.play, clocks?.play);
  if (workload === 'round') await timed(caller.endRound, clocks?.endRound);
}

async function timed(call: () => Promise<unknown>, clock: RecordableHistogram | undefined): Promise<void> {
  const startedMs = performance.now();
  await call();
  clock?.record(Math.max(1, Math.round((performance.now() - startedMs) * 1000)));
}

function latencyOf(histogramUs: RecordableHistogram): Latency {
  return { p50Ms: histogramUs.percentile(50) / 1000, p99Ms: histogramUs.percentile(99) / 1000 };
}

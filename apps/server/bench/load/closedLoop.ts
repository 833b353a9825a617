import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Caller } from './httpCaller.ts';

export type Latency = { p50Ms: number; p99Ms: number };

/** What a generator has seen. */
export type LoadResult = {
  /** Units of work that were done, also those that were not measured. */
  units: number;
  perSecond: number;
  /** Of the unit's first request. */
  latency: Latency | undefined;
  /** Of its second request, the end-round of a round. */
  endRound: Latency | undefined;
};

/** Every caller does one unit of work after the other, each waiting for its responses. */
export async function closedLoop(callers: readonly Caller[], { seconds }: { seconds: number }): Promise<LoadResult> {
  const clocks = (callers[0]?.calls ?? []).map(() => createHistogram());
  // The first call of a new connection compiles statements and plans. It is not measured.
  await Promise.all(callers.map((caller) => oneUnit(caller)));
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1000;
  let units = 0;
  await Promise.all(
    callers.map(async (caller) => {
      while (performance.now() < endsMs) {
        await oneUnit(caller, clocks);
        units += 1;
      }
    }),
  );
  const elapsedSeconds = (performance.now() - startedMs) / 1000;
  const [latency, endRound] = clocks.map((clock) => ({
    p50Ms: clock.percentile(50) / 1000,
    p99Ms: clock.percentile(99) / 1000,
  }));
  return { units: units + callers.length, perSecond: units / elapsedSeconds, latency, endRound };
}

async function oneUnit({ calls }: Caller, clocks: readonly RecordableHistogram[] = []): Promise<void> {
  for (const [place, call] of calls.entries()) {
    const startedMs = performance.now();
    await call();
    const clock = clocks[place];
    // In whole microseconds, of which a histogram takes 1 and more.
    clock?.record(Math.max(1, Math.round((performance.now() - startedMs) * 1000)));
  }
}

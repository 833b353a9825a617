import { createHistogram } from 'node:perf_hooks';
import type { Caller } from '../workload.ts';
import { recordMs } from './closedLoop.ts';

export type OpenLoopResult = {
  /** Answers a second. It is the rate that was asked for where the server keeps up. */
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  /** Requests for which no connection was free when they were due. Their waiting counts, too. */
  waited: number;
};

export type Arrivals = { ratePerSecond: number; seconds: number; warmUpSeconds: number };

/** Timers are no finer. What falls due within it is sent at its end, so that a latency is up to this much too long, never too short. */
const TICK_MS = 1;

/**
 * Requests fall due at fixed times, whether or not earlier ones were answered, and a latency counts from when its request was due:
 * a server that stands still for a second has made everybody wait who came in that second. Callers that wait for their answers would
 * have sent nothing meanwhile.
 */
export async function openLoop(
  callers: readonly Caller[],
  { ratePerSecond, seconds, warmUpSeconds }: Arrivals,
): Promise<OpenLoopResult> {
  const clock = createHistogram();
  const free = [...callers];
  const late: number[] = [];
  const total = Math.round(ratePerSecond * (warmUpSeconds + seconds));
  const startedMs = performance.now();
  const measuredFromMs = startedMs + warmUpSeconds * 1000;
  const dueMs = (request: number) => startedMs + (request * 1000) / ratePerSecond;
  let due = 0;
  let answered = 0;
  let waited = 0;

  return new Promise((resolve, reject) => {
    const send = (caller: Caller, requestDueMs: number) => {
      caller.calls[0]?.().then(() => {
        answered += 1;
        const nowMs = performance.now();
        if (requestDueMs >= measuredFromMs) recordMs(clock, nowMs - requestDueMs);
        const next = late.shift();
        if (next === undefined) free.push(caller);
        else send(caller, next);
        if (answered === total) finish(nowMs);
      }, fail);
    };
    const tick = setInterval(() => {
      for (const nowMs = performance.now(); due < total && dueMs(due) <= nowMs; due += 1) {
        // The one that has rested longest: a server closes connections that it hears nothing from.
        const caller = free.shift();
        if (caller !== undefined) {
          send(caller, dueMs(due));
          continue;
        }
        late.push(dueMs(due));
        waited += 1;
      }
    }, TICK_MS);
    const fail = (error: unknown) => {
      clearInterval(tick);
      reject(error);
    };
    const finish = (nowMs: number) => {
      clearInterval(tick);
      const at = (percentile: number) => clock.percentile(percentile) / 1000;
      const perSecond = (total * 1000) / (nowMs - startedMs);
      resolve({ perSecond, p50Ms: at(50), p99Ms: at(99), p999Ms: at(99.9), waited });
    };
  });
}

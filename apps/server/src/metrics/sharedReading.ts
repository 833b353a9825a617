import { setTimeout as wait } from 'node:timers/promises';

type ReadingOptions = {
  /** A value is read again after so long, or after 20 times as long as its reading took. */
  pauseMs?: number;
  /** A caller waits for so long. */
  waitMs?: number;
};

const PAUSE_MS = 5_000;
/** Prometheus waits for a few seconds only. */
const WAIT_MS = 2_000;
/** So readings take 5 % of the time of one connection at most, however much there is to read. */
const PAUSE_PER_READING = 20;

/**
 * Returns a function that several callers share. There is one reading at a time. It returns undefined
 * when the reading fails, or takes too long and there is no recent value.
 */
export function shareReading<Value>(
  read: () => Promise<Value>,
  { pauseMs = PAUSE_MS, waitMs = WAIT_MS }: ReadingOptions = {},
): () => Promise<Value | undefined> {
  let last: { value: Value; atMs: number; pauseMs: number } | undefined;
  let reading: Promise<void> | undefined;
  const ageInPauses = () =>
    last === undefined ? Number.POSITIVE_INFINITY : (performance.now() - last.atMs) / last.pauseMs;

  async function readAgain(): Promise<void> {
    const startedMs = performance.now();
    try {
      const value = await read();
      const endedMs = performance.now();
      last = { value, atMs: endedMs, pauseMs: Math.max(pauseMs, PAUSE_PER_READING * (endedMs - startedMs)) };
    } catch {
      last = undefined;
    }
    reading = undefined;
  }
  return async () => {
    if (ageInPauses() < 1) return last?.value;
    reading ??= readAgain();
    await Promise.race([reading, wait(waitMs, undefined, { ref: false })]);
    return ageInPauses() < 2 ? last?.value : undefined;
  };
}

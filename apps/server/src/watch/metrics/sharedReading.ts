/**
 * A value is read again after this pause, or after 20 times as long as readings take, at most a
 * minute.
 */
const PAUSE_MS = 5_000;
/** The time for which a caller waits: Prometheus waits only for a few seconds. */
const WAIT_MS = 2_000;
/**
 * A slow reading repeats after 20 times its time, so it takes 5 % of one connection (decision 030).
 */
const PAUSE_PER_READING = 20;
/** A slow database may be fast again by then. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Returns a function that several callers share. There is one reading at a time. It returns
 * undefined when the reading fails, or takes too long and there is no recent value. `known` is
 * aborted when the source is away: then nobody waits for it, and it has no value. One caller alone
 * waits for a source that is silent: the others see that the reading is late already.
 */
export function shareReading<Value>(
  read: () => Promise<Value>,
  known: () => AbortSignal = () => NEVER,
): () => Promise<Value | undefined> {
  let last: { value: Value; atMs: number; pauseMs: number } | undefined;
  let lastTookMs = Number.POSITIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let readingSinceMs = 0;
  let waiting: Promise<void> | undefined;
  const ageInPauses = () =>
    last === undefined ? Number.POSITIVE_INFINITY : (performance.now() - last.atMs) / last.pauseMs;

  const pauseAfter = (tookMs: number) => Math.max(PAUSE_MS, Math.min(PAUSE_PER_READING * tookMs, LONGEST_PAUSE_MS));

  async function readAgain(): Promise<void> {
    const startedMs = performance.now();
    try {
      const value = await read();
      const endedMs = performance.now();
      const tookMs = endedMs - startedMs;
      // One slow reading says little: it may have waited for another server to take over, and its
      // value must not stay for a minute.
      const usualMs = Math.min(tookMs, lastTookMs);
      lastTookMs = tookMs;
      last = { value, atMs: endedMs, pauseMs: pauseAfter(usualMs) };
    } catch {
      last = undefined;
    }
    reading = undefined;
  }
  return async () => {
    const signal = known();
    if (signal.aborted) return undefined;
    if (ageInPauses() < 1) return last?.value;
    if (reading === undefined) {
      readingSinceMs = performance.now();
      reading = readAgain();
    }
    // All who wait share one listener: a report has a caller for each of its metrics.
    waiting ??= Promise.race([
      reading,
      elapsed(Math.max(0, readingSinceMs + WAIT_MS - performance.now()), signal),
    ]).finally(() => {
      waiting = undefined;
    });
    await waiting;
    return ageInPauses() < 2 && !signal.aborted ? last?.value : undefined;
  };
}

const NEVER = new AbortController().signal;

/** Resolves after `ms`, and at once when the signal is aborted. */
function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms).unref();
    signal.addEventListener('abort', end);
  });
}

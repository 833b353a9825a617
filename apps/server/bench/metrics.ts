/** What the server's own /metrics say of a sample. The event loop is looked at every 10 ms. */
export type ServerDelays = { loopP99Ms: number; loopMaxMs: number; gcPercent: number };

/** How often the server's event loop is late without any load: the interval of its measurement. */
const LOOP_INTERVAL_MS = 10;

/** Delays of the server's event loop and its garbage collection while `work` ran. */
export async function withDelays<Result>(url: string, work: () => Promise<Result>): Promise<Result & ServerDelays> {
  // Reading the delays of the event loop begins them anew.
  const before = await readMetrics(url);
  const startedMs = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedMs) / 1000;
  const after = await readMetrics(url);
  const lateMs = (name: string) => Math.max(0, sumOf(after, name) * 1000 - LOOP_INTERVAL_MS);
  const gcSeconds = sumOf(after, 'nodejs_gc_duration_seconds_sum') - sumOf(before, 'nodejs_gc_duration_seconds_sum');
  return {
    ...result,
    loopP99Ms: lateMs('nodejs_eventloop_lag_p99_seconds'),
    loopMaxMs: lateMs('nodejs_eventloop_lag_max_seconds'),
    gcPercent: (100 * gcSeconds) / seconds,
  };
}

export function sumOf(metrics: string, name: string): number {
  const lines = metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'));
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
}

export async function readMetrics(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  return response.text();
}

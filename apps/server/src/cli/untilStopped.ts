const REPEATED_WITHIN_MS = 1_000;

/**
 * SIGINT, SIGTERM or SIGHUP, as a promise and for what can be aborted. A second one ends the process at once, for whoever
 * does not want to wait for requests in flight; but within the first second it is the first one again, sent by a terminal
 * and by npm.
 */
export function untilStopped(): { stopped: Promise<NodeJS.Signals>; signal: AbortSignal } {
  const abort = new AbortController();
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      const nowMs = performance.now();
      if (firstAtMs === undefined) {
        firstAtMs = nowMs;
        abort.abort();
        resolve(signal);
      } else if (nowMs - firstAtMs > REPEATED_WITHIN_MS) process.exit(1);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
  return { stopped, signal: abort.signal };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// Under `npm start` one Ctrl-C arrives several times: from the terminal, and handed on by npm and by our own script.
const SAME_WISH_MS = 1000;

/**
 * Calls `stop` once, on the first signal that asks this process to end. Who insists a second later no longer waits for
 * requests in flight: the process ends at once with the signal's usual exit code.
 */
export function onShutdownSignal(stop: (signal: NodeJS.Signals) => void): void {
  let firstMs: number | undefined;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (firstMs === undefined) {
        firstMs = Date.now();
        stop(signal);
      } else if (Date.now() - firstMs >= SAME_WISH_MS) {
        process.exit(130);
      }
    });
  }
}

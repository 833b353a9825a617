import { setTimeout as wait } from 'node:timers/promises';
import type { IRouter } from 'express';

/** Load balancers wait 2 seconds. */
const PROBE_TIMEOUT_MS = 1_500;

/**
 * Tells within 2 seconds whether a probe succeeds; false when it takes longer. Runs one probe at a
 * time, however often it is called: a probe without an end holds a connection.
 */
export function singleProbe(probe: () => Promise<unknown>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return () => {
    running ??= probe()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running = undefined;
      });
    return Promise.race([running, wait(PROBE_TIMEOUT_MS, false, { ref: false })]);
  };
}

/**
 * `/healthz`: the process is alive. `/readyz`: it may have traffic, or 503 with the reason from
 * `notReady`. The caller makes the router: a command without a server does not load Express, which
 * takes a tenth of a second.
 */
export function addHealth(router: IRouter, notReady: () => Promise<string | undefined>): void {
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const reason = await notReady();
    res.status(reason === undefined ? 200 : 503).json({ status: reason ?? 'ok' });
  });
}

import { setTimeout as wait } from 'node:timers/promises';
import { Router } from 'express';
import { type Database, isReachable } from '../ledger/database.ts';

/** Whoever asks has given us 2 seconds. */
const PROBE_TIMEOUT_MS = 1_500;

/** For whoever runs the process: is it alive, may it have traffic. */
export function healthRouter(db: Database): Router {
  const router = Router();
  let probe: Promise<boolean> | undefined;
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    // One at a time: a probe without an answer holds a connection.
    probe ??= isReachable(db).finally(() => {
      probe = undefined;
    });
    const ready = await Promise.race([probe, wait(PROBE_TIMEOUT_MS, false, { ref: false })]);
    res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'the database cannot be reached' });
  });
  return router;
}

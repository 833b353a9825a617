import { Router } from 'express';
import type { Database } from '../ledger/database.ts';
import { isReachable } from '../ledger/queries/isReachable.ts';
import type { Metrics } from './metrics.ts';

/** For the platform that runs the server: is it alive, may it have traffic, how does it do. */
export function healthRouter({ db, metrics }: { db: Database; metrics: Metrics }): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const ready = await isReachable(db);
    res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'the database cannot be reached' });
  });
  router.get('/metrics', async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

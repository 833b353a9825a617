import { Router } from 'express';
import type { Database } from '../ledger/database.ts';
import { isReachable } from '../ledger/queries/isReachable.ts';
import type { Metrics } from './metrics.ts';

type HealthParts = { db: Database; metrics: Metrics; isDraining(): boolean };

/** For the platform that runs the server: is it alive, may it have traffic, how does it do. */
export function healthRouter({ db, metrics, isDraining }: HealthParts): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const obstacle = isDraining() ? 'draining' : (await isReachable(db)) ? undefined : 'the database cannot be reached';
    res.status(obstacle === undefined ? 200 : 503).json({ status: obstacle ?? 'ok' });
  });
  router.get('/metrics', async (_req, res) => {
    res.type(metrics.contentType).send(await metrics.report());
  });
  return router;
}

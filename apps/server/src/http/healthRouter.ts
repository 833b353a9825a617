import { Router } from 'express';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Metrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';

type HealthParts = { db: Database; ledger: Ledger; metrics: Metrics; isDraining(): boolean };

/** For the platform that runs the server: is it alive, may it have traffic, how does it do. */
export function healthRouter(parts: HealthParts): Router {
  const router = Router();
  const obstacleNow = createReadiness(parts);
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const obstacle = await obstacleNow();
    res.status(obstacle === undefined ? 200 : 503).json({ status: obstacle ?? 'ok' });
  });
  router.get('/metrics', async (_req, res) => {
    const { metrics } = parts;
    res.type(metrics.contentType).send(await metrics.report());
  });
  return router;
}

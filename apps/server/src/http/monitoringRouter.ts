import { healthRouter, singleProbe } from '@roundhouse/service';
import { Router } from 'express';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ping } from '../ledger/queries/databaseHome.ts';
import type { Metrics } from './metrics.ts';

/** Of the oldest command. One batch takes milliseconds. */
const MAX_COMMAND_AGE_MS = 3_000;

type HealthDeps = { db: Database; ledger: Ledger; metrics: Metrics; isDraining(): boolean };

/** For the platform that runs the server: is the process alive, may it have traffic, and its metrics. */
export function monitoringRouter({ db, ledger, metrics, isDraining }: HealthDeps): Router {
  const isReachable = singleProbe(() => ping(db));
  const router = Router();
  router.use(
    healthRouter(async () => {
      if (isDraining()) return 'draining';
      if (ledger.oldestMs() > MAX_COMMAND_AGE_MS) return 'the database keeps players waiting';
      return (await isReachable()) ? undefined : 'the database cannot be reached';
    }),
  );
  router.get('/metrics', async (_req, res) => {
    res.type(metrics.contentType).send(await metrics.report());
  });
  return router;
}

import { Router } from 'express';
import { type Database, isReachable } from '../ledger/database.ts';

/** For whoever runs the process: is it alive, may it have traffic. */
export function healthRouter(db: Database): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const ready = await isReachable(db);
    res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'the database cannot be reached' });
  });
  return router;
}

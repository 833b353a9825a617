import { setTimeout as wait } from 'node:timers/promises';
import { Router } from 'express';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isReachable } from '../ledger/queries/databaseHome.ts';
import type { Metrics } from './metrics.ts';
import { sendJson } from './responses.ts';

/** The platform waits 2 seconds for a response. */
const PROBE_TIMEOUT_MS = 1_500;
/** Age of the oldest command. One batch takes milliseconds. */
const MAX_COMMAND_AGE_MS = 3_000;

export type HealthDeps = {
  db: Database;
  ledger: Pick<Ledger, 'oldestMs'>;
  metrics: Pick<Metrics, 'contentType' | 'report'>;
  isDraining(): boolean;
};

/** For the platform that runs the server: is it alive, may it have traffic, how does it do. */
export function healthRouter(deps: HealthDeps): Router {
  const router = Router();
  const readiness = createReadiness(deps);
  router.get('/healthz', (_req, res) => sendJson(res, { status: 200, body: { status: 'ok' } }));
  router.get('/readyz', async (_req, res) => {
    const status = await readiness();
    sendJson(res, { status: status === 'ok' ? 200 : 503, body: { status } });
  });
  router.get('/metrics', async (_req, res) => {
    const { metrics } = deps;
    res.type(metrics.contentType).send(await metrics.report());
  });
  return router;
}

/** "ok", or what keeps this process from serving players. Takes at most 2 seconds. */
function createReadiness({ db, ledger, isDraining }: HealthDeps): () => Promise<string> {
  let probe: Promise<boolean> | undefined;
  return async () => {
    if (isDraining()) return 'draining';
    if (ledger.oldestMs() > MAX_COMMAND_AGE_MS) return 'the database keeps players waiting';
    // One at a time, however often the platform asks: a probe without a response holds a connection.
    probe ??= isReachable(db).finally(() => {
      probe = undefined;
    });
    const reachable = await Promise.race([probe, wait(PROBE_TIMEOUT_MS, false, { ref: false })]);
    return reachable ? 'ok' : 'the database cannot be reached';
  };
}

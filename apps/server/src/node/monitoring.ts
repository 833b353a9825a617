import { addHealth, singleProbe } from '@roundhouse/service';
import { Router } from 'express';
import type { Ledger } from '../ledger/ledger.ts';
import type { Database } from '../store/database/database.ts';
import { ping } from '../store/database/databaseHome.ts';
import type { Metrics } from '../watch/metrics/metrics.ts';
import { contentTypeOf } from '../watch/metrics/report.ts';

/** The reasons for which the node opens no rounds. */
type RoundStops = { readonly reasons: ReadonlySet<string> };

/** The oldest command may have this age. One batch takes milliseconds. */
const MAX_COMMAND_AGE_MS = 3_000;

type HealthDeps = {
  db: Database;
  ledger: Ledger;
  metrics: Metrics;
  roundStops: RoundStops;
  isDraining(): boolean;
  isFull(): boolean;
};

/** Serves /healthz, /readyz and /metrics to the platform that runs the server. */
export function monitoringRouter({ db, ledger, metrics, roundStops, isDraining, isFull }: HealthDeps): Router {
  const isReachable = singleProbe(() => ping(db));
  const router = Router();
  addHealth(router, async () => {
    if (isDraining()) return 'draining';
    if (roundStops.reasons.size > 0) return `new rounds are stopped: ${[...roundStops.reasons].join(', ')}`;
    if (isFull()) return 'too many connections are open';
    if (ledger.oldestMs() > MAX_COMMAND_AGE_MS) return `a command has waited for more than ${MAX_COMMAND_AGE_MS} ms`;
    if (!db.writer.isKnown) return 'no database takes writes';
    return (await isReachable()) ? undefined : 'the database cannot be reached';
  });
  router.get('/metrics', async ({ headers }, res) => {
    // Prometheus prefers OpenMetrics, with parameters that change from version to version.
    const format = { isOpenMetrics: headers.accept?.includes('application/openmetrics-text') ?? false };
    const text = await metrics.report(format);
    res.setHeader('Content-Type', contentTypeOf(format));
    res.send(text);
  });
  return router;
}

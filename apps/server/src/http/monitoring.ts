import { setTimeout as wait } from 'node:timers/promises';
import { droppedLogLines, healthRouter, type ObservedResponse, singleProbe } from '@roundhouse/service';
import { Router } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ping } from '../ledger/queries/databaseHome.ts';
import { countRtpAlarms } from '../ledger/queries/gameTotals.ts';
import { countUnsettled } from '../ledger/queries/walletTransactions.ts';

const BUCKETS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/** Metrics do not wait for a database that is away: Prometheus waits a few seconds only. */
const COUNT_TIMEOUT_MS = 2_000;

/** Several processes that serve together share them. */
export type SharedMetrics = {
  share(own: Registry): void;
  /** Returns the metrics of all processes, in the format of Prometheus. */
  report(): Promise<string>;
};

export type Metrics = {
  contentType: string;
  /** Reports this process, or all that serve together, in the format of Prometheus. */
  report(): Promise<string>;
  observeRequest(response: ObservedResponse): void;
  overloads: Counter<'queue'>;
  /** The health tests of the random number generator call it with their result. */
  observeRandomTest(result: 'passed' | 'failed'): void;
  /** The wallet client calls it after every request. */
  observeWalletRequest(request: { operator: string; name: string; result: { kind: string }; ms: number }): void;
};

/** The node opens no rounds for these reasons. */
type RoundStops = { readonly reasons: ReadonlySet<string> };

type MetricsDeps = {
  db: Database;
  roundStops: RoundStops;
  /** Returns undefined while the offset is not known. */
  clockOffsetSeconds?: (() => number | undefined) | undefined;
};

export function createMetrics(
  { db, roundStops, clockOffsetSeconds = () => undefined }: MetricsDeps,
  shared?: SharedMetrics,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'roundhouse_request_duration_ms',
    help: 'Time from reading a request to its response, by route and HTTP status, in milliseconds.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS_MS,
    registers: [registry],
  });
  const overloads = new Counter({
    name: 'roundhouse_overloads_total',
    help: 'Requests that were refused, with nothing done, because too many waited for the database, they had waited too long, or too many connections were open, by queue.',
    labelNames: ['queue'],
    registers: [registry],
  });
  const randomTests = new Counter({
    name: 'roundhouse_random_tests_total',
    help: 'Runs of the health tests of the random number generator, by result (passed, failed).',
    labelNames: ['result'],
    registers: [registry],
  });
  const walletRequests = new Histogram({
    name: 'roundhouse_wallet_request_duration_ms',
    help: 'Time from a request to an operator to its result, by operator, route and result (accepted, refused, uncertain, not_sent), in milliseconds.',
    labelNames: ['operator', 'route', 'result'],
    buckets: BUCKETS_MS,
    registers: [registry],
  });
  const droppedLines = new Counter({
    name: 'roundhouse_log_lines_dropped_total',
    help: 'Log lines that could not be written: the disk is full, or what reads the log is gone or too slow.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  droppedLines.reset();
  const unsettled = new Gauge({
    name: 'roundhouse_wallet_transactions_unsettled',
    help: 'Wallet transactions without a certain result: pending ones are retried, parked ones wait for a person.',
    labelNames: ['operator', 'kind', 'state'],
    // Every process reads the same rows.
    aggregator: 'max',
    registers: [],
    async collect() {
      this.reset();
      // A database that is away must not take the other metrics with it: its own metrics are then
      // missing, which is not zero.
      const nothing = wait(COUNT_TIMEOUT_MS, [], { ref: false });
      const counts = await Promise.race([countUnsettled(db).catch(() => []), nothing]);
      for (const { operator, kind, state, count } of counts) this.set({ operator, kind, state }, count);
    },
  });
  registry.registerMetric(unsettled);
  const rtpAlarms = new Gauge({
    name: 'roundhouse_rtp_alarms',
    help: 'Lives, months and days in which the RTP of a game has left its bounds, by game, version, mode and currency.',
    labelNames: ['game', 'version', 'mode', 'currency'],
    aggregator: 'max',
    registers: [],
    async collect() {
      this.reset();
      const nothing = wait(COUNT_TIMEOUT_MS, [], { ref: false });
      const alarms = await Promise.race([countRtpAlarms(db).catch(() => []), nothing]);
      for (const { game, version, mode, currency, count } of alarms) this.set({ game, version, mode, currency }, count);
    },
  });
  registry.registerMetric(rtpAlarms);
  const stops = new Gauge({
    name: 'roundhouse_round_stops',
    help: 'The node opens no new rounds, by reason; nothing when it does.',
    labelNames: ['reason'],
    aggregator: 'max',
    registers: [],
    collect() {
      this.reset();
      for (const reason of roundStops.reasons) this.set({ reason }, 1);
    },
  });
  registry.registerMetric(stops);
  const clockOffset = new Gauge({
    name: 'roundhouse_clock_offset_seconds',
    help: 'How far the clock of the database is ahead of that of this machine, by half of a round trip; nothing while the database is away.',
    aggregator: 'average',
    registers: [],
    collect() {
      const offset = clockOffsetSeconds();
      if (offset === undefined) this.remove();
      else this.set(offset);
    },
  });
  registry.registerMetric(clockOffset);
  shared?.share(registry);
  return {
    contentType: registry.contentType,
    report: () => (shared === undefined ? registry.metrics() : shared.report()),
    observeRequest: ({ route, status, durationMs }) => requests.observe({ route, status }, durationMs),
    overloads,
    observeRandomTest: (result) => randomTests.inc({ result }),
    observeWalletRequest: ({ operator, name, result, ms }) =>
      walletRequests.observe({ operator, route: name, result: result.kind }, ms),
  };
}

/** The oldest command may be this old. One batch takes milliseconds. */
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
  router.use(
    healthRouter(async () => {
      if (isDraining()) return 'draining';
      if (roundStops.reasons.size > 0) return `new rounds are stopped: ${[...roundStops.reasons].join(', ')}`;
      if (isFull()) return 'too many connections are open';
      if (ledger.oldestMs() > MAX_COMMAND_AGE_MS) return `a command has waited for more than ${MAX_COMMAND_AGE_MS} ms`;
      if (!db.writer.isKnown) return 'no database takes writes';
      return (await isReachable()) ? undefined : 'the database cannot be reached';
    }),
  );
  router.get('/metrics', async (_req, res) => {
    res.type(metrics.contentType).send(await metrics.report());
  });
  return router;
}

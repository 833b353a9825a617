import { droppedLogLines, type ObservedResponse } from '@roundhouse/service';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../ledger/database.ts';
import { registerDatabaseMetrics } from './databaseMetrics.ts';
import { type ReportFormat, reportText } from './report.ts';

const BUCKETS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/** Several processes that serve together share them. */
export type SharedMetrics = {
  share(own: Registry): void;
  /** Returns the metrics of all processes. */
  report(format: ReportFormat): Promise<string>;
};

export type Metrics = {
  /** Reports this process, or all that serve together. */
  report(format: ReportFormat): Promise<string>;
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
  registerDatabaseMetrics(registry, db);
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
    report: async (format) =>
      shared === undefined ? reportText([await registry.getMetricsAsJSON()], format) : shared.report(format),
    observeRequest: ({ route, status, durationMs }) => requests.observe({ route, status }, durationMs),
    overloads,
    observeRandomTest: (result) => randomTests.inc({ result }),
    observeWalletRequest: ({ operator, name, result, ms }) =>
      walletRequests.observe({ operator, route: name, result: result.kind }, ms),
  };
}

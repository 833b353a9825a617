import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

const BUCKETS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

export type Metrics = { registry: Registry; requests: Histogram<'route' | 'status'> };

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'roundhouse_request_duration_ms',
    help: 'Time from reading a request to its answer, by route and HTTP status, in milliseconds.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS_MS,
    registers: [registry],
  });
  return { registry, requests };
}

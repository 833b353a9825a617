import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../ledger/database.ts';
import { countWalletCalls } from '../ledger/queries/countWalletCalls.ts';
import type { CallObserver } from '../wallets/walletClient.ts';

const BUCKETS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

export type Metrics = {
  registry: Registry;
  requests: Histogram<'route' | 'status'>;
  observeWalletCall: CallObserver;
};

export function createMetrics(db: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'roundhouse_request_duration_ms',
    help: 'Time from reading a request to its answer, by route and HTTP status, in milliseconds.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS_MS,
    registers: [registry],
  });
  const walletCalls = new Histogram({
    name: 'roundhouse_wallet_call_duration_ms',
    help: 'Time from a call to an operator to its answer, by operator, call and result (accepted, refused, uncertain, not_sent), in milliseconds.',
    labelNames: ['operator', 'call', 'result'],
    buckets: BUCKETS_MS,
    registers: [registry],
  });
  const openCalls = new Gauge({
    name: 'roundhouse_wallet_calls_open',
    help: 'Money movements that no operator has answered for certain: pending ones are repeated, parked ones wait for a person.',
    labelNames: ['operator', 'kind', 'state'],
    registers: [],
    async collect() {
      this.reset();
      // A database that is away must not take the other figures with it: these are then missing, which is not zero.
      const counts = await countWalletCalls(db).catch(() => []);
      for (const { operator, kind, state, count } of counts) this.set({ operator, kind, state }, count);
    },
  });
  registry.registerMetric(openCalls);
  return {
    registry,
    requests,
    observeWalletCall: ({ operator, name, result, ms }) => walletCalls.observe({ operator, call: name, result }, ms),
  };
}

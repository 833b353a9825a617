import { Gauge, Histogram, type Registry } from 'prom-client';
import { createHistogram } from './histogram.ts';
import type { Readings } from './readings.ts';

export type ObservedWalletRequest = {
  operator: string;
  /** The name of the route in the wallet's contract. */
  name: string;
  result: { kind: string };
  ms: number;
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CLOSINGS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const MS_PER_SECOND = 1_000;

/** Counts what the wallets of operators do. */
export function walletMetrics(registry: Registry, readings: Partial<Readings>) {
  const registers = [registry];
  const requests = createHistogram({
    name: 'roundhouse_wallet_request_duration_seconds',
    help: 'Time from a request to an operator to its result.',
    labelNames: ['operator', 'route', 'result'],
    buckets: SECONDS,
    registry,
  });
  const closings = new Histogram({
    name: 'roundhouse_closings_per_request',
    help: 'Closings of losing rounds in one request to an operator.',
    buckets: CLOSINGS,
    registers,
  });
  new Gauge({
    name: 'roundhouse_closings_waiting',
    help: 'Closings of losing rounds that wait for their group.',
    registers,
    collect() {
      this.set(readings.closingsWaiting?.() ?? 0);
    },
  });
  const labelNames = ['operator', 'pool'];
  new Gauge({
    name: 'roundhouse_wallet_requests_in_flight',
    help: 'Requests to an operator that wait for their response.',
    labelNames,
    registers,
    collect() {
      for (const { operator, pool, inFlight } of readings.walletPools?.() ?? []) this.set({ operator, pool }, inFlight);
    },
  });
  new Gauge({
    name: 'roundhouse_wallet_requests_waiting',
    help: 'Requests to an operator that wait for a connection.',
    labelNames,
    registers,
    collect() {
      for (const { operator, pool, waiting } of readings.walletPools?.() ?? []) this.set({ operator, pool }, waiting);
    },
  });
  new Gauge({
    name: 'roundhouse_wallet_paused',
    help: 'Is 1 while a process sends an operator no requests because too many in a row have failed, else 0.',
    labelNames,
    registers,
    aggregator: 'max',
    collect() {
      for (const { operator, pool, isPaused } of readings.walletPools?.() ?? [])
        this.set({ operator, pool }, isPaused ? 1 : 0);
    },
  });

  return {
    observeWalletRequest: ({ operator, name, result, ms }: ObservedWalletRequest) =>
      requests.at(operator, name, result.kind).observe(ms / MS_PER_SECOND),
    observeClosings: (request: { closings: number }) => closings.observe(request.closings),
  };
}

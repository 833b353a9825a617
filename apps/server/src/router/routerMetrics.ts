import type { ObservedResponse } from '@roundhouse/service';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type ObservedCell = { cell: string; outcome: 'responded' | 'misdirected' | 'away'; ms: number };

export type RouterMetrics = ReturnType<typeof createRouterMetrics>;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const HOPS = [1, 2, 3, 4, 8, 16, 64];
const MS_PER_SECOND = 1_000;

type Readings = { fleetVersion(): number; pausedCells(): { name: string; isPaused: boolean }[] };

/** Counts what the launch router does, by route and by cell. */
export function createRouterMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const readings: Partial<Readings> = {};
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'roundhouse_router_request_duration_seconds',
    help: 'Time from a request to the launch router to the end of its response.',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'roundhouse_router_errors_total',
    help: 'Error responses of the launch router itself.',
    labelNames: ['route', 'code'],
    registers,
  });
  const cells = new Histogram({
    name: 'roundhouse_router_cell_duration_seconds',
    help: 'Time from a request to a cell to the head of its response.',
    labelNames: ['cell', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const hops = new Histogram({
    name: 'roundhouse_router_hops',
    help: 'Cells tried for one request.',
    buckets: HOPS,
    registers,
  });
  const reloads = new Counter({
    name: 'roundhouse_router_reloads_total',
    help: 'Reloads of the fleet file by the launch router.',
    labelNames: ['result'],
    registers,
  });
  new Gauge({
    name: 'roundhouse_router_fleet_version',
    help: 'Version of the fleet file that the launch router uses.',
    aggregator: 'min',
    registers,
    collect() {
      const version = readings.fleetVersion?.();
      if (version !== undefined) this.set(version);
    },
  });
  new Gauge({
    name: 'roundhouse_router_cell_paused',
    help: 'Is 1 while the launch router sends a cell no requests because too many in a row have failed, else 0.',
    labelNames: ['cell'],
    aggregator: 'max',
    registers,
    collect() {
      this.reset();
      for (const { name, isPaused } of readings.pausedCells?.() ?? []) this.set({ cell: name }, isPaused ? 1 : 0);
    },
  });
  return {
    registry,
    readFrom: (more: Readings) => void Object.assign(readings, more),
    observeRequest({ route, status, error, durationMs }: ObservedResponse) {
      requests.observe({ route, status: String(status) }, durationMs / MS_PER_SECOND);
      if (error !== undefined) errors.inc({ route, code: error });
    },
    observeCell({ cell, outcome, ms }: ObservedCell) {
      cells.observe({ cell, outcome }, ms / MS_PER_SECOND);
    },
    observeHops: (count: number) => hops.observe(count),
    observeReload: (result: 'taken' | 'refused') => reloads.inc({ result }),
    report: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

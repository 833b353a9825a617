import { Counter, Gauge, type MetricObject, Registry } from 'prom-client';

export type PrimaryMetrics = {
  workerDied(): void;
  /** `serving` is the number of workers that have sent their metrics. */
  collect(serving: number): Promise<MetricObject[]>;
};

/** Creates the metrics that the primary of a node counts itself. */
export function createPrimaryMetrics(registry = new Registry()): PrimaryMetrics {
  const registers = [registry];
  const workers = new Gauge({
    name: 'roundhouse_workers',
    help: 'Worker processes of the node that serve, without those that are starting, or hang and send no metrics.',
    registers,
  });
  const deaths = new Counter({
    name: 'roundhouse_worker_deaths_total',
    help: 'Worker processes that ended unexpectedly. The node replaces each of them.',
    registers,
  });
  return {
    workerDied: () => deaths.inc(),
    collect(serving) {
      workers.set(serving);
      return Promise.all([workers.get(), deaths.get()]);
    },
  };
}

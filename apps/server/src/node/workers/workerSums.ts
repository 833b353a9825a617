import type { MetricObject } from 'prom-client';
import { sumsWithExemplars } from '../../watch/metrics/report.ts';

/**
 * Returns whether the values are those that a process has counted itself, which only grow. A total
 * that is read from the database has another aggregator: it does not end with its reader.
 */
export function isCounted({ type, aggregator }: MetricObject): boolean {
  // prom-client declares the type as a number; it is a word.
  return ['counter', 'histogram'].includes(String(type)) && aggregator === 'sum';
}

/** A worker takes the place of one that has died, so that each place has one living worker. */
type Place = { ofTheDead: Promise<MetricObject[]>; ofTheLiving: MetricObject[] };

/** Keeps what the worker in a place has counted. */
export type WorkerCounts = {
  /** Keeps the counters and histograms that the worker has sent, and returns its other metrics. */
  keep(metrics: readonly MetricObject[]): MetricObject[];
  /** The worker has died: what it had counted goes to that of the dead ones of its place. */
  end(): void;
};

/**
 * Keeps what the workers of a node have counted, so that the sums do not fall when one dies. What a
 * worker has counted after its last message is lost with it.
 */
export function createWorkerSums() {
  const places: Place[] = [];
  return {
    /** The worker that had the place before must have ended. */
    take(index: number): WorkerCounts {
      const place = places[index] ?? { ofTheDead: Promise.resolve([]), ofTheLiving: [] };
      places[index] = place;
      let hasEnded = false;
      return {
        keep(metrics) {
          // A last message may still be in the channel of a worker that has ended.
          if (!hasEnded) place.ofTheLiving = metrics.filter(isCounted);
          return metrics.filter((metric) => !isCounted(metric));
        },
        end() {
          hasEnded = true;
          place.ofTheDead = sumOf(place);
          place.ofTheLiving = [];
        },
      };
    },
    /** Returns the counters and histograms of each place: those of its living worker and the dead. */
    counted(): Promise<MetricObject[][]> {
      // One order of additions: in another one the same numbers make a sum of seconds that is lower by
      // a rounding error, and Prometheus takes that for a counter that has begun anew.
      return Promise.all(places.map(sumOf));
    },
  };
}

/** Both parts are of the moment of the call: a worker is in one of them. */
async function sumOf({ ofTheDead, ofTheLiving }: Place): Promise<MetricObject[]> {
  const dead = await ofTheDead;
  if (dead.length === 0) return ofTheLiving;
  return (await sumsWithExemplars([dead, ofTheLiving])).getMetricsAsJSON();
}

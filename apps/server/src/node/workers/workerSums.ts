import type { MetricObject } from 'prom-client';
import { sumsWithExemplars } from '../../watch/metrics/report.ts';

/**
 * Returns whether a process has counted the values itself, so that they only grow. A total that is
 * read from the database has another aggregator: it outlives its reader.
 */
export function isCounted({ type, aggregator }: MetricObject): boolean {
  // prom-client declares the type as a number, but it is a word.
  return ['counter', 'histogram'].includes(String(type)) && aggregator === 'sum';
}

/** Sums of a worker and of the dead ones that it has replaced. */
type Place = { ofTheDead: Promise<MetricObject[]>; ofTheLiving: MetricObject[] };

/** Keeps what one worker has counted. */
export type WorkerCounts = {
  /** Keeps the counters and histograms that the worker has sent, and returns its other metrics. */
  keep(metrics: readonly MetricObject[]): MetricObject[];
  /** The worker has died: its counts are added to those of the workers that it replaced. */
  end(): void;
};

/**
 * Keeps what the workers of a node have counted, so that the sums do not fall when one dies. What a
 * worker has counted after its last message is lost.
 */
export function createWorkerSums() {
  const places: Place[] = [];
  return {
    /** The earlier worker with this index must have ended. */
    take(index: number): WorkerCounts {
      const place = places[index] ?? { ofTheDead: Promise.resolve([]), ofTheLiving: [] };
      places[index] = place;
      let hasEnded = false;
      return {
        keep(metrics) {
          // The last message of a worker may arrive after its end.
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
    /**
     * Returns the counters and histograms by index: those of the living worker and of its dead
     * predecessors.
     */
    counted(): Promise<MetricObject[][]> {
      // The order of additions is always the same: a rounding error must not lower a sum
      // (decision 011).
      return Promise.all(places.map(sumOf));
    },
  };
}

/** Both parts are read at the moment of the call: a worker is in one of them. */
async function sumOf({ ofTheDead, ofTheLiving }: Place): Promise<MetricObject[]> {
  const dead = await ofTheDead;
  if (dead.length === 0) return ofTheLiving;
  return (await sumsWithExemplars([dead, ofTheLiving])).getMetricsAsJSON();
}

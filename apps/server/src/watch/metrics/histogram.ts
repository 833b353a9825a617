import type { Metric, Registry } from 'prom-client';
import { ByLabels } from './byLabels.ts';

type HistogramOptions = {
  name: string;
  help: string;
  /** There are one to three. */
  labelNames: readonly string[];
  /** The upper bounds, ascending. */
  buckets: readonly number[];
  registry: Registry;
};

type Exemplar = { labelSet: { trace_id: string }; value: number; timestamp: number };

const MS_PER_SECOND = 1_000;

/** Each combination of labels has one. */
class Series {
  readonly #buckets: readonly number[];
  /** The last one is of the values above all bounds. */
  readonly counts: number[];
  readonly exemplars: (Exemplar | undefined)[] = [];
  sum = 0;

  constructor(buckets: readonly number[]) {
    this.#buckets = buckets;
    this.counts = new Array<number>(buckets.length + 1).fill(0);
  }

  /** `traceID` becomes the exemplar of the bucket. */
  observe(value: number, traceID?: string): void {
    let bucket = 0;
    while (bucket < this.#buckets.length && value > (this.#buckets[bucket] as number)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.sum += value;
    if (traceID === undefined) return;
    this.exemplars[bucket] = { labelSet: { trace_id: traceID }, value, timestamp: Date.now() / MS_PER_SECOND };
  }
}

/**
 * Makes a histogram as prom-client's, at a tenth of the cost of an observation (decision 030). A
 * registry reports it like its own.
 */
export function createHistogram({ registry, name, help, labelNames, buckets }: HistogramOptions): ByLabels<Series> {
  const series = new ByLabels(labelNames, () => new Series(buckets));
  const facts = { name, help, type: 'histogram', aggregator: 'sum' };
  const get = async () => ({ ...facts, values: series.all().flatMap((each) => valuesOf(name, buckets, each)) });
  registry.registerMetric({ ...facts, labelNames, get } as unknown as Metric);
  return series;
}

type Labelled = ReturnType<ByLabels<Series>['all']>[number];

/** Returns the samples in the form of prom-client's JSON: the counts of buckets add up. */
function valuesOf(name: string, buckets: readonly number[], { labels, value }: Labelled) {
  let count = 0;
  const counted = value.counts.map((more, index) => {
    count += more;
    const le = buckets[index] ?? '+Inf';
    const exemplar = value.exemplars[index] ?? null;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count, exemplar };
  });
  return [
    ...counted,
    { metricName: `${name}_sum`, labels, value: value.sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

import { AggregatorRegistry, type MetricObject, Registry } from 'prom-client';

export type ReportFormat = {
  /** True for OpenMetrics 1.0, which has exemplars; false for the text format of Prometheus. */
  isOpenMetrics: boolean;
};

type Exemplar = { labelSet: object; value: number; timestamp: number };
type Value = { labels: Record<string, unknown>; metricName?: string; exemplar?: Exemplar | null | undefined };
type Collected = MetricObject & { values?: Value[] };

export function contentTypeOf({ isOpenMetrics }: ReportFormat): string {
  return isOpenMetrics ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
}

/**
 * Returns the metrics of several processes as one text, each by the aggregator of its metric.
 * `collected` has the metrics of each process, as `registry.getMetricsAsJSON()` returns them.
 */
export async function reportText(
  collected: readonly (readonly MetricObject[])[],
  format: ReportFormat,
): Promise<string> {
  if (!format.isOpenMetrics) return AggregatorRegistry.aggregate([...collected]).metrics();
  // In OpenMetrics the name of a counter has no _total, and its samples have it. prom-client adds
  // _total to the samples. It removes it from the name of a metric that it made, not from that of a
  // sum.
  const renamed = collected.map((metrics) =>
    metrics.map((metric) =>
      String(metric.type) === 'counter' ? { ...metric, name: metric.name.replace(/_total$/, '') } : metric,
    ),
  );
  const registry = await sumsWithExemplars(renamed);
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry.metrics();
}

/** The aggregation drops exemplars: each bucket gets back the newest one of all processes. */
export async function sumsWithExemplars(collected: readonly (readonly Collected[])[]) {
  const registry = AggregatorRegistry.aggregate<typeof Registry.OPENMETRICS_CONTENT_TYPE>([...collected]);
  const newest = new Map<string, Exemplar>();
  for (const { exemplar, ...value } of collected.flat().flatMap(({ values = [] }) => values)) {
    if (!exemplar) continue;
    const key = keyOf(value);
    if (exemplar.timestamp > (newest.get(key)?.timestamp ?? 0)) newest.set(key, exemplar);
  }
  if (newest.size === 0) return registry;
  for (const { values } of (await registry.getMetricsAsJSON()) as Required<Collected>[]) {
    // Only values of histograms carry a name.
    for (const value of values) if (value.metricName?.endsWith('_bucket')) value.exemplar = newest.get(keyOf(value));
  }
  return registry;
}

function keyOf({ metricName, labels }: Value): string {
  return JSON.stringify([metricName, Object.entries(labels).sort()]);
}

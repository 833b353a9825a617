import { Counter, Histogram, type MetricObject, Registry } from 'prom-client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { reportText } from './report.ts';

/**
 * Returns the metrics of a process in which requests of these traces took 30 ms, as a worker sends
 * them.
 */
async function processWith(traceIDs: readonly string[]): Promise<MetricObject[]> {
  const registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  const counter = new Counter({ name: 'things_total', help: 'Things.', labelNames: ['kind'], registers });
  const histogram = new Histogram<'route' | 'trace_id'>({
    name: 'duration_seconds',
    help: 'Time.',
    labelNames: ['route'],
    buckets: [0.01, 0.1],
    enableExemplars: true,
    registers,
  });
  for (const trace_id of traceIDs) {
    counter.inc({ kind: 'a' });
    histogram.observe({ labels: { route: '/play' }, value: 0.03, exemplarLabels: { trace_id } });
  }
  histogram.observe({ labels: { route: '/other' }, value: 0.03 });
  return JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()));
}

it('OpenMetrics of several processes has sums, and in each bucket the newest exemplar', async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_125 });
  const first = await processWith(['a1', 'a2']);
  vi.advanceTimersByTime(5);
  const second = await processWith(['b1']);
  const text = await reportText([second, first], { isOpenMetrics: true });
  expect(text.split('\n').map((line) => line.replace(/ \d+\.\d+$/, ''))).toEqual([
    '# HELP things Things.',
    '# TYPE things counter',
    'things_total{kind="a"} 3',
    '# HELP duration_seconds Time.',
    '# TYPE duration_seconds histogram',
    'duration_seconds_bucket{le="0.01",route="/play"} 0',
    'duration_seconds_bucket{le="0.1",route="/play"} 3 # {trace_id="b1"} 0.03',
    'duration_seconds_bucket{le="+Inf",route="/play"} 3',
    'duration_seconds_sum{route="/play"}',
    'duration_seconds_count{route="/play"} 3',
    'duration_seconds_bucket{le="0.01",route="/other"} 0',
    'duration_seconds_bucket{le="0.1",route="/other"} 2',
    'duration_seconds_bucket{le="+Inf",route="/other"} 2',
    'duration_seconds_sum{route="/other"}',
    'duration_seconds_count{route="/other"} 2',
    '# EOF',
    '',
  ]);
});

it('the text format has no exemplars, and counters by their whole names', async () => {
  const text = await reportText([await processWith(['a1'])], { isOpenMetrics: false });
  expect(text).toContain('# TYPE things_total counter\nthings_total{kind="a"} 1\n');
  expect(text).not.toMatch(/trace_id|EOF/);
});

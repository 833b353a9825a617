import { createRequire } from 'node:module';
import { droppedLogLines } from '@roundhouse/service';
import { Counter, Gauge, type Registry } from 'prom-client';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

type ProcessMetricsDeps = {
  /** The node opens no rounds for these reasons. */
  roundStops: { readonly reasons: ReadonlySet<string> };
  clockOffsetSeconds?: (() => number | undefined) | undefined;
};

/** Reports the state of the node: its build, its log, its clock, and why it opens no rounds. */
export function processMetrics(
  registry: Registry,
  { roundStops, clockOffsetSeconds = () => undefined }: ProcessMetricsDeps,
) {
  const registers = [registry];
  new Gauge({
    name: 'roundhouse_build_info',
    help: 'Always 1. The labels have the versions of Roundhouse and Node.',
    labelNames: ['version', 'node_version'],
    aggregator: 'first',
    registers,
  }).set({ version, node_version: process.version }, 1);
  const randomTests = new Counter({
    name: 'roundhouse_random_tests_total',
    help: 'Health tests run on the random number generator.',
    labelNames: ['result'],
    registers,
  });
  new Counter({
    name: 'roundhouse_log_lines_dropped_total',
    help: 'Log lines that could not be written: the disk is full, or the reader of the log is gone or too slow.',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  new Gauge({
    name: 'roundhouse_round_stops',
    help: 'Is 1 while the node opens no new rounds; missing while it does.',
    labelNames: ['reason'],
    aggregator: 'max',
    registers,
    collect() {
      this.reset();
      for (const reason of roundStops.reasons) this.set({ reason }, 1);
    },
  });
  new Gauge({
    name: 'roundhouse_clock_offset_seconds',
    help: 'How far the database clock is ahead of the node clock, accurate to half a round trip. Missing while the database is away.',
    aggregator: 'average',
    registers,
    collect() {
      const offset = clockOffsetSeconds();
      if (offset === undefined) this.remove();
      else this.set(offset);
    },
  });
  return { observeRandomTest: (result: 'passed' | 'failed') => randomTests.inc({ result }) };
}

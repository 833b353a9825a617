import fc from 'fast-check';
import { Counter, Histogram, type MetricObject, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { reportText } from '../../watch/metrics/report.ts';
import { createWorkerSums } from './workerSums.ts';

/**
 * Makes a process that counts. The total comes from a database, so that each process has all of it.
 */
function createProcess() {
  const registers = [new Registry()];
  const seconds = new Histogram({ name: 'seconds', help: '.', buckets: [1], registers });
  const total = new Counter({ name: 'total', help: '.', aggregator: 'max', registers });
  total.inc(100);
  const collect = (): Promise<MetricObject[]> => Promise.all([seconds.get(), total.get()]);
  return { seconds, collect };
}

const textOf = (collected: MetricObject[][]) => reportText(collected, { isOpenMetrics: false });
const sampleOf = (text: string, name: string) => Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1]);

/** Two workers observe times, report and die in any order. */
const step = fc.record({
  place: fc.constantFrom(0, 1),
  does: fc.constantFrom('observe', 'observe', 'report', 'die'),
  seconds: fc.double({ min: 0, max: 10, noNaN: true }),
});

it('no sum falls, not by a rounding error, and none counts twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const sums = createWorkerSums();
      const start = (place: number) => ({ ...createProcess(), counts: sums.take(place) });
      const workers = [start(0), start(1)];
      let last = 0;
      let observed = 0;
      for (const { place, does, seconds } of steps) {
        const worker = workers[place] as (typeof workers)[number];
        if (does === 'observe') {
          worker.seconds.observe(seconds);
          observed += 1;
        }
        const others = worker.counts.keep(await worker.collect());
        if (does === 'die') {
          worker.counts.end();
          workers[place] = start(place);
        }
        const text = await textOf([...(await sums.counted()), others, others]);
        expect(sampleOf(text, 'seconds_sum')).toBeGreaterThanOrEqual(last);
        expect(sampleOf(text, 'seconds_count')).toBe(observed);
        expect(sampleOf(text, 'total')).toBe(100);
        last = sampleOf(text, 'seconds_sum');
      }
    }),
  );
});

it('a message that comes after the end of its worker counts no more', async () => {
  const sums = createWorkerSums();
  const worker = createProcess();
  const counts = sums.take(0);
  worker.seconds.observe(1);
  counts.keep(await worker.collect());
  counts.end();
  counts.keep(await worker.collect());
  expect(sampleOf(await textOf(await sums.counted()), 'seconds_count')).toBe(1);
});

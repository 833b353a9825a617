import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createHistogram } from './histogram.ts';

it("a registry reports it as prom-client's own histogram", async () => {
  const options = { name: 'a_seconds', help: 'Time.', labelNames: ['route', 'status', 'result'], buckets: [0.1, 1, 5] };
  const [theirs, ours] = [new Registry(), new Registry()];
  const expected = new Histogram({ ...options, registers: [theirs] });
  const histogram = createHistogram({ ...options, registry: ours });
  for (const [route, status, result] of [
    ['/play', 200, 'ok'],
    ['/play', 400, 'ERR_VAL'],
    ['/end', 200, 'ok'],
  ] as const) {
    // These values are on each bound, between them, and above all.
    for (const value of [0, 0.1, 0.100001, 1, 4.5, 5, 5.5, 100]) {
      expected.observe({ route, status, result }, value);
      histogram.at(route, status, result).observe(value);
    }
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});

import { Gauge, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { readSamples } from './prometheusText.ts';

it('reads what prom-client writes, with all that a label may hold', async () => {
  const registry = new Registry();
  const gauge = new Gauge({
    name: 'a_gauge',
    help: 'Help {with="braces"} 1',
    labelNames: ['x'],
    registers: [registry],
  });
  const texts = ['plain', 'quote " and } and ,', 'back\\slash', 'line\nend', 'ends with \\', '日本'];
  for (const [index, x] of texts.entries()) gauge.set({ x }, index + 0.5);
  const histogram = new Histogram({ name: 'h', help: 'h', buckets: [0.1], registers: [registry] });
  histogram.observe(3);
  const samples = readSamples(await registry.metrics());
  expect(samples.filter(({ name }) => name === 'a_gauge')).toEqual(
    texts.map((x, index) => ({ name: 'a_gauge', labels: { x }, value: index + 0.5 })),
  );
  expect(samples).toContainEqual({ name: 'h_bucket', labels: { le: '+Inf' }, value: 1 });
  expect(samples).toContainEqual({ name: 'h_sum', labels: {}, value: 3 });
});

it.each([
  ['a_total 3', { name: 'a_total', labels: {}, value: 3 }],
  ['a_total{x="1"} 3 1700000000', { name: 'a_total', labels: { x: '1' }, value: 3 }],
  ['a_total{x="1",} 3 # {trace_id="00f0"} 0.5 1700000000.1', { name: 'a_total', labels: { x: '1' }, value: 3 }],
  ['a 1.5e-3', { name: 'a', labels: {}, value: 0.0015 }],
  ['a +Inf', { name: 'a', labels: {}, value: Number.POSITIVE_INFINITY }],
  ['a -Inf', { name: 'a', labels: {}, value: Number.NEGATIVE_INFINITY }],
  ['a NaN', { name: 'a', labels: {}, value: Number.NaN }],
])('reads %s', (line, sample) => {
  expect(readSamples(`# HELP a b\n${line}\n# EOF\n`)).toEqual([sample]);
});

it.each(['', '# a 1', 'a', 'a b', '<html>', '{x="1"} 1', 'a{x="1} 1', '\0\x01 1', '1a 2'])('leaves out %j', (line) => {
  expect(readSamples(line)).toEqual([]);
});

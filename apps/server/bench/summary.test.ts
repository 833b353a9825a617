import { expect, test } from 'vitest';
import type { Sample } from './measure.ts';
import { median, summarise } from './summary.ts';

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[undefined, 7], 7],
  [[undefined], undefined],
])('the median of %j is %s', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('each figure is the median of its samples, and the ratio is that of the medians', () => {
  const sample = (target: Sample['target'], roundsPerSecond: number): Sample => ({
    target,
    roundsPerSecond,
    workload: 'play',
    connections: 8,
    play: { p50Ms: 1, p99Ms: 2 },
    endRound: undefined,
    cpu: { generatorMicros: undefined, serverMicros: undefined, postgresMicros: undefined },
  });
  const cells = summarise([
    ...[900, 1000, 5000].map((rate) => sample('roundhouse', rate)),
    ...[100, 100, 10].map((rate) => sample('naive', rate)),
  ]);
  expect(cells.map(({ target, roundsPerSecond, roundhouseIs }) => [target, roundsPerSecond, roundhouseIs])).toEqual([
    ['roundhouse', 1000, 1],
    ['naive', 100, 10],
  ]);
});

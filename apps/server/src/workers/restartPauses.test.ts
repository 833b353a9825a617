import { expect, test } from 'vitest';
import { RestartPauses } from './restartPauses.ts';

test('who dies once is replaced at once, who keeps dying later and later, but not later than half a minute', () => {
  const pauses = new RestartPauses();
  const series = Array.from({ length: 11 }, () => pauses.afterLifeOf(29_999));
  expect(series).toEqual([0, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 30_000, 30_000]);
});

test('a life of half a minute makes up for those before it', () => {
  const pauses = new RestartPauses();
  for (let death = 0; death < 10; death += 1) pauses.afterLifeOf(100);
  expect([pauses.afterLifeOf(30_000), pauses.afterLifeOf(100)]).toEqual([0, 128]);
});

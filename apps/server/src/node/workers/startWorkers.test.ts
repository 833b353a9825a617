import { expect, it } from 'vitest';
import { nextPauseMs } from './startWorkers.ts';

it('a worker that keeps dying is replaced later and later, at most half a minute later', () => {
  const pauses: number[] = [];
  for (let death = 0; death < 11; death += 1) pauses.push(nextPauseMs(pauses.at(-1), { livedMs: 29_999 }));
  expect(pauses).toEqual([0, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 30_000, 30_000]);
});

it('a worker that lived for half a minute is replaced at once, and the pauses begin anew', () => {
  expect(nextPauseMs(16_384, { livedMs: 30_000 })).toBe(0);
  expect(nextPauseMs(0, { livedMs: 100 })).toBe(128);
});

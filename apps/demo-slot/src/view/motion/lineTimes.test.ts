import { expect, it } from 'vitest';
import { lineShowTimes } from './lineTimes.ts';

it('shows lines one by one only at the normal pace, and only when there are several', () => {
  expect(lineShowTimes(3, 'normal').eachMs).toBeGreaterThan(0);
  expect(lineShowTimes(1, 'normal').eachMs).toBe(0);
  expect(lineShowTimes(3, 'turbo').eachMs).toBe(0);
});

it('never takes more than five seconds for all turns together', () => {
  for (let lines = 2; lines <= 20; lines++) {
    expect(lineShowTimes(lines, 'normal').eachMs * lines).toBeLessThanOrEqual(5000);
  }
});

it('shows nothing of a line that is only to be there', () => {
  const { drawMs, staggerMs, allMs, eachMs } = lineShowTimes(4, 'instant');
  expect([drawMs, staggerMs, allMs, eachMs]).toEqual([0, 0, 0, 0]);
});

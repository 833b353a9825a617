import { expect, it } from 'vitest';
import { createRealityCheck } from './duties.ts';

it('is due when the interval is over, and again an interval after the player has seen it', () => {
  let nowMs = 1_000;
  const check = createRealityCheck({ startedAtMs: 1_000, intervalMs: 60_000, now: () => nowMs });
  const dueAt = (ms: number) => {
    nowMs = ms;
    return check.isDue();
  };
  expect([dueAt(60_999), dueAt(61_000), dueAt(90_000)]).toEqual([false, true, true]);
  expect(check.elapsedMs()).toBe(89_000);
  check.acknowledge();
  expect([dueAt(149_999), dueAt(150_000)]).toEqual([false, true]);
  expect(check.elapsedMs()).toBe(149_000);
});

it('is never due without an interval, and counts no time below zero', () => {
  const check = createRealityCheck({ startedAtMs: 5_000, intervalMs: 0, now: () => 1_000 });
  expect(check.isDue()).toBe(false);
  expect(check.elapsedMs()).toBe(0);
  const late = createRealityCheck({ startedAtMs: 0, intervalMs: 0 });
  expect(late.isDue()).toBe(false);
});

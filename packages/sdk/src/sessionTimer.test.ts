import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSessionTimer, formatElapsed } from './duties.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

describe('createSessionTimer', () => {
  it('ticks at once and then with each full second of the session', () => {
    const ticks: number[] = [];
    const timer = createSessionTimer({ startedAtMs: 999_300, onTick: (elapsedMs) => ticks.push(elapsedMs) });
    expect(ticks).toEqual([700]);
    vi.advanceTimersByTime(299);
    expect(ticks).toEqual([700]);
    vi.advanceTimersByTime(1);
    expect(ticks).toEqual([700, 1000]);
    vi.advanceTimersByTime(2000);
    expect(ticks).toEqual([700, 1000, 2000, 3000]);
    timer.stop();
  });

  it('stops', () => {
    const onTick = vi.fn();
    createSessionTimer({ startedAtMs: 1_000_000, onTick }).stop();
    vi.advanceTimersByTime(10_000);
    expect(onTick).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('can be stopped from its own tick', () => {
    const timer = createSessionTimer({
      startedAtMs: 1_000_000,
      onTick: (elapsedMs) => {
        if (elapsedMs >= 1000) timer.stop();
      },
    });
    vi.advanceTimersByTime(5000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stays aligned after a pause in which timers were late, as in a hidden tab', () => {
    let nowMs = 0;
    const ticks: number[] = [];
    const timer = createSessionTimer({ startedAtMs: 0, onTick: (ms) => ticks.push(ms), now: () => nowMs });
    nowMs = 60_400;
    vi.advanceTimersByTime(1000);
    nowMs = 61_000;
    vi.advanceTimersByTime(600);
    expect(ticks).toEqual([0, 60_400, 61_000]);
    timer.stop();
  });

  it('does not tick twice for one second when a timer fires early', () => {
    let nowMs = 0;
    const ticks: number[] = [];
    const timer = createSessionTimer({ startedAtMs: 0, onTick: (ms) => ticks.push(ms), now: () => nowMs });
    nowMs = 999;
    vi.advanceTimersByTime(1000);
    nowMs = 1000;
    vi.advanceTimersByTime(1);
    expect(ticks).toEqual([0, 1000]);
    timer.stop();
  });

  it('never shows a time below zero', () => {
    const ticks: number[] = [];
    const timer = createSessionTimer({ startedAtMs: 1_005_000, onTick: (elapsedMs) => ticks.push(elapsedMs) });
    vi.advanceTimersByTime(2000);
    expect(ticks).toEqual([0]);
    timer.stop();
  });
});

it.each([
  [0, '0:00:00'],
  [999, '0:00:00'],
  [61_000, '0:01:01'],
  [3_599_999, '0:59:59'],
  [36_000_000, '10:00:00'],
  [360_000_000, '100:00:00'],
])('formatElapsed writes %i ms as %s', (elapsedMs, text) => expect(formatElapsed(elapsedMs)).toBe(text));

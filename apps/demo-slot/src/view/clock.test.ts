import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock, FrameBudget } from './clock.ts';

/** The test drives the browser's frames by hand. */
let frames: FrameRequestCallback[] = [];
let timeMs = 0;

function frame(deltaMs: number): void {
  timeMs += deltaMs;
  const due = frames;
  frames = [];
  for (const callback of due) callback(timeMs);
}

beforeEach(() => {
  frames = [];
  timeMs = 1000;
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
});
afterEach(() => vi.unstubAllGlobals());

async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  return settled;
}

describe('the clock of the picture', () => {
  it('tweens with the frames and ends exactly on the goal', async () => {
    const clock = new Clock(() => undefined);
    clock.start();
    frame(16);
    const target = { x: 0 };
    const done = clock.tween(target, { x: 10 }, { ms: 100 });
    frame(50);
    expect(target.x).toBeCloseTo(5, 5);
    expect(await isSettled(done)).toBe(false);
    frame(60);
    expect(target.x).toBe(10);
    expect(await isSettled(done)).toBe(true);
    expect(clock.busy).toBe(false);
  });

  it('jumps to the goal when it is cut short, also while it waits to begin', async () => {
    const clock = new Clock(() => undefined);
    clock.start();
    frame(16);
    const target = { x: 0 };
    const abort = new AbortController();
    const done = clock.tween(target, { x: 10 }, { ms: 100, delayMs: 500, signal: abort.signal });
    frame(20);
    abort.abort();
    expect(target.x).toBe(10);
    expect(await isSettled(done)).toBe(true);
  });

  it('is at the goal at once when it was cut short before', async () => {
    const clock = new Clock(() => undefined);
    const target = { x: 0 };
    const done = clock.tween(target, { x: 10 }, { ms: 100, signal: AbortSignal.abort() });
    expect(target.x).toBe(10);
    expect(await isSettled(done)).toBe(true);
  });

  it('counts a very long frame as one second', () => {
    const deltas: number[] = [];
    const clock = new Clock((deltaMs) => deltas.push(deltaMs));
    clock.start();
    frame(16);
    frame(90_000);
    expect(deltas).toEqual([16, 1000]);
  });

  it.each([60, 90, 120, 144])(
    'with a limit skips frames of a screen with %i, and the time stays right',
    (perSecond) => {
      const deltas: number[] = [];
      const clock = new Clock((deltaMs) => deltas.push(deltaMs));
      clock.shortestFrameMs = 1000 / 30;
      clock.start();
      for (let count = 0; count < perSecond; count++) frame(1000 / perSecond);
      expect(deltas.length).toBeGreaterThanOrEqual(28);
      expect(deltas.length).toBeLessThanOrEqual(31);
      expect(clock.nowMs).toBeGreaterThan(950);
      expect(clock.nowMs).toBeLessThan(1020);
    },
  );

  it('ends all waits when it stops', async () => {
    const clock = new Clock(() => undefined);
    clock.start();
    frame(16);
    const target = { x: 0 };
    const waits = [clock.wait(1e9), clock.tween(target, { x: 3 }, { ms: 1e9 })];
    clock.stop();
    expect(await isSettled(Promise.all(waits).then(() => undefined))).toBe(true);
    expect(target.x).toBe(3);
    expect(await isSettled(clock.wait(1e9))).toBe(true);
    expect(frames).toEqual([]);
  });
});

function firstExceeded(budget: FrameBudget, frameMs: number, frames: number): number {
  for (let frame = 0; frame < frames; frame++) if (budget.exceeded(frameMs)) return frame;
  return -1;
}

it('reports no machine that keeps up', () => {
  expect(firstExceeded(new FrameBudget(), 1000 / 60, 5000)).toBe(-1);
});

it('ignores slow first frames', () => {
  const budget = new FrameBudget();
  for (let frame = 0; frame < 4; frame++) expect(budget.exceeded(190)).toBe(false);
  expect(firstExceeded(budget, 12, 3000)).toBe(-1);
});

it('recognises a slow machine within three seconds, and reports it once', () => {
  const budget = new FrameBudget();
  const frame = firstExceeded(budget, 60, 1000);
  expect(frame).toBeGreaterThan(0);
  expect(frame * 60).toBeLessThan(3000);
  expect(firstExceeded(budget, 200, 1000)).toBe(-1);
});

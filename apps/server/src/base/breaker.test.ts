import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gate } from '../../test/support/gate.ts';
import { createBreaker } from './breaker.ts';

const PAUSE_MS = 2_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** A breaker that opens after three failures in a row, and lists what it reports. */
function open() {
  const told: string[] = [];
  const breaker = createBreaker<string>({
    isFailure: (result) => result.startsWith('failed'),
    ...{ failuresInARow: 3, pauseMs: PAUSE_MS },
    onBreak: (failure) => told.push(`break: ${failure}`),
    onReset: () => told.push('reset'),
  });
  const run = async (...results: string[]) => {
    for (const result of results) await breaker.run(async () => result);
    return breaker.isOpen();
  };
  return { breaker, told, run };
}

it('opens after this number of failures in a row, for the pause', async () => {
  const { breaker, told, run } = open();
  expect(await run('failed 1', 'failed 2', 'done', 'failed 3', 'failed 4')).toBe(false);
  expect(await run('failed 5')).toBe(true);
  expect(breaker.run(async () => 'done')).toBeUndefined();
  vi.advanceTimersByTime(PAUSE_MS - 1);
  expect(breaker.isOpen()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(breaker.isOpen()).toBe(false);
  expect(told).toEqual(['break: failed 5']);
});

it('lets one caller try after the pause, and refuses all others at once, as long as that takes', async () => {
  const { breaker, told, run } = open();
  await run('failed', 'failed', 'failed');
  vi.advanceTimersByTime(PAUSE_MS);
  let works = 0;
  const trial = gate();
  const answers = Array.from({ length: 1000 }, () =>
    breaker.run(() => {
      works += 1;
      return trial.opened.then(() => 'failed again');
    }),
  );
  vi.advanceTimersByTime(10 * PAUSE_MS);
  expect([works, answers.filter((answer) => answer === undefined).length, breaker.isOpen()]).toEqual([1, 999, true]);
  trial.open();
  expect(await answers[0]).toBe('failed again');
  expect(breaker.run(async () => 'done')).toBeUndefined();
  vi.advanceTimersByTime(PAUSE_MS);
  expect(await run('done')).toBe(false);
  expect(await run('failed', 'failed')).toBe(false);
  expect(told).toEqual(['break: failed', 'break: failed again', 'reset']);
});

it('what was sent before the pause neither ends nor prolongs it', async () => {
  const { breaker, told, run } = open();
  const late = gate();
  const sent = ['failed late', 'done late'].map((result) => breaker.run(() => late.opened.then(() => result)));
  await run('failed', 'failed', 'failed');
  vi.advanceTimersByTime(PAUSE_MS - 1);
  late.open();
  await Promise.all(sent);
  expect(breaker.isOpen()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(breaker.isOpen()).toBe(false);
  expect(told).toEqual(['break: failed']);
});

it('a trial that throws leaves the turn to the next caller', async () => {
  const { breaker, run } = open();
  await run('failed', 'failed', 'failed');
  vi.advanceTimersByTime(PAUSE_MS);
  await expect(breaker.run(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
  expect(breaker.isOpen()).toBe(false);
  expect(await run('done', 'failed', 'failed')).toBe(false);
});

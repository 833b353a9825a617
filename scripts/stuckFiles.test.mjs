import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import StuckFiles from './stuckFiles.mjs';

const MINUTE_MS = 60_000;
const cancelCurrentRun = vi.fn();
const { exitCode } = process;
let reporter;

beforeEach(() => {
  vi.useFakeTimers();
  cancelCurrentRun.mockReset();
  vi.spyOn(console, 'error').mockReturnValue();
  reporter = new StuckFiles();
  reporter.onInit({ cancelCurrentRun });
  for (const moduleId of ['long.test.ts', 'stuck.test.ts']) reporter.onTestModuleQueued({ moduleId });
});
afterEach(() => {
  process.exitCode = exitCode;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a file that ends within 15 minutes is left alone', () => {
  vi.advanceTimersByTime(14 * MINUTE_MS);
  for (const moduleId of ['long.test.ts', 'stuck.test.ts']) reporter.onTestModuleEnd({ moduleId });
  vi.advanceTimersByTime(60 * MINUTE_MS);
  expect(cancelCurrentRun).not.toHaveBeenCalled();
});

it('a file that does not end is named with its tests, and the run ends with an error', () => {
  const tests = [
    { fullName: 'one', result: () => ({ state: 'failed' }) },
    { fullName: 'two', result: () => ({ state: 'pending' }) },
  ];
  reporter.onTestModuleStart({ moduleId: 'stuck.test.ts', children: { allTests: () => tests } });
  vi.advanceTimersByTime(14 * MINUTE_MS);
  reporter.onTestModuleEnd({ moduleId: 'long.test.ts' });
  vi.advanceTimersByTime(MINUTE_MS);
  expect(console.error.mock.calls).toEqual([
    ['\nstuck.test.ts still runs after 15 minutes:\n  failed: one\n  pending: two'],
  ]);
  // Vitest kills the process of a file at the second signal.
  expect(cancelCurrentRun).toHaveBeenCalledTimes(2);
  expect(process.exitCode).toBe(1);
});

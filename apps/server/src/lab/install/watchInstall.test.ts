import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/roundhouse.ts';
import type { CheckJob, CheckResult } from './check.ts';
import type { InstallReport } from './installReport.ts';
import { askNodes, type OnMismatch, watchInstall } from './watchInstall.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const REPORT: InstallReport = {
  ...{ ok: true, expected: 'a', found: 'a', files: 1, elements: 0, bytes: 1, durationMs: 1 },
  ...{ changed: [], missing: [], extra: [], unreadable: {} },
};
const GOOD: CheckResult = { report: REPORT };
const BAD: CheckResult = { report: { ...REPORT, ok: false, found: 'b', changed: ['install/x'] } };
const UNUSABLE: CheckResult = { error: 'the manifest was changed' };

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await temporaryFolder('watch');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

/** Starts a watch whose checks have these results in turn, and then the last one for ever. */
async function watch(
  results: CheckResult[],
  { onMismatch = 'stop-rounds' as OnMismatch, recorded = [true] as (true | string)[] } = {},
) {
  const jobs: CheckJob[] = [];
  const lines: string[] = [];
  const node = await watchInstall({
    ...{ onMismatch, dataFolder, manifest: 'm.json', gamesFolder: '/games', database: 'postgresql://x' },
    log: pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line).msg) }),
    start(job) {
      jobs.push(job);
      const pick = async <Each>(list: Each[]) => list[Math.min(jobs.length, list.length) - 1] as Each;
      return { result: pick(results), recorded: pick(recorded), stop: async () => {} };
    },
  });
  const triggers = () => jobs.map(({ trigger }) => trigger);
  return { node, jobs, lines, triggers };
}

/** Moves the clock on, and gives the next look time to run. */
async function pass(ms: number, until: () => void) {
  vi.advanceTimersByTime(ms);
  await vi.waitFor(
    async () => {
      vi.advanceTimersByTime(1_000);
      await new Promise((resolve) => setTimeout(resolve, 2));
      until();
    },
    { timeout: 100_000, interval: 2 },
  );
}

it('a good installation is checked at start and every 24 hours', async () => {
  const { node, triggers } = await watch([GOOD]);
  expect(node.stopsRounds()).toBe(false);
  vi.advanceTimersByTime(DAY_MS / 2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(triggers()).toEqual(['start']);
  await pass(DAY_MS / 2, () => expect(triggers()).toEqual(['start', 'daily']));
  await pass(DAY_MS, () => expect(triggers()).toEqual(['start', 'daily', 'daily']));
  await node.stop();
});

it('after a mismatch the check comes again every minute, until it passes', async () => {
  const { node, triggers, lines, jobs } = await watch([BAD, BAD, GOOD]);
  let told = 0;
  node.onChecked(() => {
    told += 1;
  });
  expect(node.stopsRounds()).toBe(true);
  await pass(MINUTE_MS, () => expect(told).toBe(1));
  expect(node.stopsRounds()).toBe(true);
  await pass(MINUTE_MS, () => expect(told).toBe(2));
  expect(node.stopsRounds()).toBe(false);
  expect(triggers()).toEqual(['start', 'again', 'again']);
  // The last outcome lets the thread leave out the second event, which says the same.
  expect(jobs.map(({ lastOutcome }) => lastOutcome)).toEqual([undefined, 'false a b', 'false a b']);
  expect(lines).toEqual(['the installation does not match its manifest', 'the installation matches its manifest']);
  await node.stop();
});

it('a check comes when a person asks for it, and its result is a metric', async () => {
  const { node, triggers } = await watch([GOOD, BAD]);
  const verified = async () => (await node.metrics()).find(({ name }) => name === 'roundhouse_install_verified');
  expect(await verified()).toMatchObject({ values: [{ value: 1 }] });
  await askNodes(dataFolder);
  await pass(1_000, () => expect(triggers()).toEqual(['start', 'asked']));
  expect(await verified()).toMatchObject({ values: [{ value: 0 }] });
  expect(node.stopsRounds()).toBe(true);
  await node.stop();
});

it('with the policy log a mismatch stops no rounds', async () => {
  const { node, lines } = await watch([BAD], { onMismatch: 'log' });
  expect(node.stopsRounds()).toBe(false);
  expect(lines).toContain('the installation does not match its manifest');
  await node.stop();
});

it('a manifest that cannot be used is refused at start, and is a mismatch later', async () => {
  await expect(watch([UNUSABLE])).rejects.toThrow('the manifest was changed');
  const { node, lines } = await watch([GOOD, UNUSABLE]);
  await pass(DAY_MS, () => expect(node.stopsRounds()).toBe(true));
  expect(lines).toContain('the installation cannot be checked');
  await node.stop();
});

it('an event that cannot be recorded makes the check come again soon', async () => {
  const { node, triggers, lines } = await watch([GOOD], { recorded: ['no database', true] });
  await pass(MINUTE_MS, () => expect(triggers()).toEqual(['start', 'again']));
  expect(lines).toContain('the check of the installation could not be recorded; it is repeated');
  expect(node.stopsRounds()).toBe(false);
  await node.stop();
});

it('the event of a day that could not be recorded is not taken for that of the day before', async () => {
  const { node, jobs } = await watch([GOOD], { recorded: [true, 'no database', true] });
  await pass(DAY_MS, () => expect(jobs).toHaveLength(2));
  await pass(MINUTE_MS, () => expect(jobs).toHaveLength(3));
  expect(jobs[2]).toMatchObject({ trigger: 'again', lastOutcome: undefined });
  await node.stop();
});

it('a check cannot be requested in a folder that is not there', async () => {
  await expect(askNodes(path.join(dataFolder, 'nothing'))).rejects.toThrow(/^No node can be asked in .*: ENOENT\.$/);
});

import { Overload } from '@roundhouse/service';
import { beforeEach, expect, it, vi } from 'vitest';
import { createOperatorDirectory, type OperatorVersions } from './operatorDirectory.ts';
import type { CallingOperator } from './operatorSecrets.ts';

const SECOND_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** A directory over operators whose versions the test sets. */
function openDirectory(first: Record<string, string>) {
  const now = { versions: first, readings: 0, operators: 0, fails: false };
  const directory = createOperatorDirectory({
    async versions(): Promise<OperatorVersions> {
      now.readings += 1;
      if (now.fails) throw new Error('no database');
      return new Map(Object.entries(now.versions).map(([code, version]) => [code, { operatorID: 1, version }]));
    },
    async operator(code) {
      now.operators += 1;
      return { code } as CallingOperator;
    },
    walletOperator: async () => undefined,
  });
  return { directory, now };
}

it('an operator is read once, and again when its version has changed', async () => {
  const { directory, now } = openDirectory({ acme: '1' });
  const first = await directory.find('acme');
  await first.known?.caller();
  await first.known?.caller();
  expect((await directory.find('acme')).known).toBe(first.known);
  expect(now.operators).toBe(1);
  now.versions = { acme: '2' };
  const second = await directory.find('acme');
  await second.known?.caller();
  expect([second.known === first.known, now.operators]).toEqual([false, 2]);
  now.versions = {};
  expect((await directory.find('acme')).known).toBeUndefined();
});

it('a change is seen within 100 ms also after many fresh readings', async () => {
  const { directory, now } = openDirectory({ acme: '1' });
  for (let reading = 0; reading < 300; reading += 1) {
    const found = directory.findFresh('acme');
    await vi.advanceTimersByTimeAsync(10);
    await found;
  }
  now.versions = { acme: '2' };
  const before = (await directory.find('acme')).known;
  vi.advanceTimersByTime(100);
  const after = await directory.find('acme');
  expect([after.isFresh, after.known === before]).toEqual([true, false]);
});

it('any number of requests cost few readings, also of operators that nobody knows', async () => {
  const { directory, now } = openDirectory({ acme: '1' });
  for (let request = 0; request < 1_000; request += 1) await directory.find(request % 2 === 0 ? 'acme' : `x${request}`);
  expect(now.readings).toBe(50);
  expect(await directory.find('acme')).toMatchObject({ isFresh: false, known: {} });
  // A change is seen soon.
  now.versions = { acme: '1', beta: '1' };
  vi.advanceTimersByTime(100);
  expect(await directory.find('beta')).toMatchObject({ isFresh: true, known: {} });
  // After a while without requests all of them are fresh again.
  vi.advanceTimersByTime(10 * SECOND_MS);
  const before = now.readings;
  for (let request = 0; request < 50; request += 1) expect((await directory.find('acme')).isFresh).toBe(true);
  expect(now.readings - before).toBe(50);
});

it('those who wait share one reading, which begins after they came', async () => {
  const { directory, now } = openDirectory({ acme: '1' });
  for (let request = 0; request < 100; request += 1) await directory.find('acme');
  const { readings } = now;
  const found = Promise.all([1, 2, 3].map(() => directory.findFresh('beta')));
  now.versions = { acme: '1', beta: '1' };
  await vi.advanceTimersByTimeAsync(10);
  const [one, ...others] = await found;
  expect(one).toBeDefined();
  expect(others).toEqual([one, one]);
  expect(now.readings).toBe(readings + 1);
});

it('too many that wait are an overload', async () => {
  const { directory } = openDirectory({ acme: '1' });
  const waiting = Array.from({ length: 501 }, () => directory.findFresh('acme').catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(10);
  const outcomes = await Promise.all(waiting);
  expect(outcomes.filter((outcome) => outcome instanceof Overload)).toHaveLength(1);
});

it('a reading that fails fails its callers alone', async () => {
  const { directory, now } = openDirectory({ acme: '1' });
  now.fails = true;
  await expect(directory.find('acme')).rejects.toThrow('no database');
  now.fails = false;
  expect((await directory.find('acme')).known).toBeDefined();
});

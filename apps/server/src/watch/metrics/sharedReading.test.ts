import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shareReading } from './sharedReading.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => vi.useRealTimers());

/** Counts the readings; each takes `tookMs()`. */
function createSource(tookMs: () => number) {
  const source = { readings: 0, fails: false };
  const read = async () => {
    source.readings += 1;
    const { readings, fails } = source;
    await new Promise((resolve) => setTimeout(resolve, tookMs()));
    if (fails) throw new Error('away');
    return readings;
  };
  return Object.assign(source, { read });
}

it('callers at the same time share one reading, and for 5 seconds its value', async () => {
  const source = createSource(() => 100);
  const reading = shareReading(source.read);
  const both = Promise.all([reading(), reading()]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await both).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(await reading()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  const next = reading();
  await vi.advanceTimersByTimeAsync(100);
  expect(await next).toBe(2);
});

it('a reading of a second is repeated after 20 seconds', async () => {
  const source = createSource(() => 1_000);
  const reading = shareReading(source.read);
  void reading();
  await vi.advanceTimersByTimeAsync(1_000 + 19_999);
  expect(await reading()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  const next = reading();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next).toBe(2);
});

it('one slow reading, as while another server takes over, is repeated as soon as others', async () => {
  const times = [10, 8_000, 10];
  const source = createSource(() => times[source.readings - 1] as number);
  const reading = shareReading(source.read);
  for (const [place, tookMs] of times.entries()) {
    void reading();
    await vi.advanceTimersByTimeAsync(tookMs);
    expect(await reading()).toBe(place + 1);
    await vi.advanceTimersByTimeAsync(5_000);
  }
});

it('what fails is missing, and read again by the next caller', async () => {
  const source = createSource(() => 10);
  const reading = shareReading(source.read);
  source.fails = true;
  const failing = reading();
  await vi.advanceTimersByTimeAsync(10);
  expect(await failing).toBeUndefined();
  source.fails = false;
  const next = reading();
  await vi.advanceTimersByTimeAsync(10);
  expect(await next).toBe(2);
});

it('nobody waits for more than 2 seconds, and the value of a database that is silent goes away', async () => {
  let isSilent = false;
  const reading = shareReading(async () => (isSilent ? new Promise<number>(() => {}) : 7));
  expect(await reading()).toBe(7);
  isSilent = true;
  await vi.advanceTimersByTimeAsync(5_000);
  const seen: (number | undefined)[] = [];
  void reading().then((value) => seen.push(value));
  await vi.advanceTimersByTimeAsync(1_999);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual([7]);
  await vi.advanceTimersByTimeAsync(3_000);
  void reading().then((value) => seen.push(value));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(seen).toEqual([7, undefined]);
});

it('nobody waits for a source that is away, and one caller alone for one that is silent', async () => {
  let known = new AbortController();
  let readings = 0;
  const read = () => {
    readings += 1;
    return new Promise<number>(() => {});
  };
  const reading = shareReading(read, () => known.signal);
  const waiting = reading();
  // It goes away while a caller waits.
  known.abort();
  expect(await waiting).toBeUndefined();
  expect(await reading()).toBeUndefined();
  expect(readings).toBe(1);

  known = new AbortController();
  const silent = shareReading(read, () => known.signal);
  const first = silent();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await first).toBeUndefined();
  const second = silent();
  await vi.advanceTimersByTimeAsync(0);
  expect(await second).toBeUndefined();
});

it('a source that is away has no value, however recent the last one is', async () => {
  const known = new AbortController();
  const reading = shareReading(
    async () => 7,
    () => known.signal,
  );
  expect(await reading()).toBe(7);
  known.abort();
  expect(await reading()).toBeUndefined();
});

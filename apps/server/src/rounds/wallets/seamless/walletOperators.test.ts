import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WalletOperator } from '../../../store/operators/operators.ts';
import { createWalletOperators } from './walletOperators.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Each read takes 10 ms, and returns the URL at its beginning. */
function world() {
  const settings = { url: 'http://a' as string | undefined, isBroken: false };
  const reads: number[] = [];
  const operators = createWalletOperators(async (operatorID) => {
    const { url, isBroken } = settings;
    reads.push(operatorID);
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (isBroken) throw new Error('gone');
    return url === undefined ? undefined : ({ operatorID, url } as WalletOperator);
  });
  const find = async (operatorID = 1) => (await operators.find(operatorID)).url;
  const passing = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { settings, reads, find, passing };
}

it('callers at once cause one read for each operator', async () => {
  const { reads, find, passing } = world();
  const found = Promise.all([find(), find(), find(2)]);
  await passing(10);
  expect(await found).toEqual(['http://a', 'http://a', 'http://a']);
  expect(reads).toEqual([1, 2]);
});

it('a change is used within a second, and no frequent caller waits for it', async () => {
  const { settings, reads, find, passing } = world();
  void find();
  await passing(10);
  settings.url = 'http://b';
  await passing(480);
  expect([await find(), reads.length]).toEqual(['http://a', 1]);
  await passing(10);
  // These return the known settings at once: no time passes here.
  expect([await find(), await find(), reads.length]).toEqual(['http://a', 'http://a', 2]);
  await passing(10);
  expect([await find(), reads.length]).toEqual(['http://b', 2]);
});

it('settings of a second ago are not used: the caller waits for the new ones, or gets the error', async () => {
  const { settings, find, passing } = world();
  void find();
  await passing(10);
  settings.url = 'http://b';
  await passing(990);
  const found = find();
  await passing(10);
  expect(await found).toBe('http://b');

  settings.isBroken = true;
  await passing(500);
  expect(await find()).toBe('http://b');
  await passing(500);
  const failed = expect(find()).rejects.toThrow('gone');
  await passing(10);
  await failed;
  Object.assign(settings, { isBroken: false, url: undefined });
  const unknown = expect(find()).rejects.toThrow('operator 1 has no wallet');
  await passing(10);
  await unknown;
});

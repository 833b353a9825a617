import { expect, it } from 'vitest';
import { gather } from '../src/ledger/gather.ts';

/** A call that is under way until the test ends it. */
type Call = { requests: readonly number[]; end: (results: string[]) => void; fail: (error: Error) => void };

function gathered(options: { maxRequests: number; maxCalls: number }) {
  const calls: Call[] = [];
  const run = (requests: readonly number[]) =>
    new Promise<string[]>((end, fail) => void calls.push({ requests, end, fail }));
  return { calls, submit: gather(run, options) };
}

const nextTurn = () => new Promise(setImmediate);
const requestsOf = (calls: Call[]) => calls.map(({ requests }) => requests);

it('requests of one turn share a call, and each gets its own result', async () => {
  const { calls, submit } = gathered({ maxRequests: 10, maxCalls: 1 });
  const results = [1, 2, 3].map(submit);
  await nextTurn();
  expect(requestsOf(calls)).toEqual([[1, 2, 3]]);
  calls[0]?.end(['one', 'two', 'three']);
  expect(await Promise.all(results)).toEqual(['one', 'two', 'three']);
});

it('while calls are under way the next one fills, up to the most requests of a call', async () => {
  const { calls, submit } = gathered({ maxRequests: 2, maxCalls: 1 });
  const first = submit(1);
  await nextTurn();
  const others = [2, 3, 4].map(submit);
  await nextTurn();
  expect(requestsOf(calls)).toEqual([[1]]);
  calls[0]?.end(['one']);
  await first;
  await nextTurn();
  expect(requestsOf(calls)).toEqual([[1], [2, 3]]);
  calls[1]?.end(['two', 'three']);
  await Promise.all(others.slice(0, 2));
  expect(requestsOf(calls)).toEqual([[1], [2, 3], [4]]);
  calls[2]?.end(['four']);
  expect(await others[2]).toBe('four');
});

it('no more calls are under way than allowed', async () => {
  const { calls, submit } = gathered({ maxRequests: 1, maxCalls: 2 });
  for (const request of [1, 2, 3]) void submit(request);
  await nextTurn();
  expect(requestsOf(calls)).toEqual([[1], [2]]);
  calls[1]?.end(['two']);
  await nextTurn();
  expect(requestsOf(calls)).toEqual([[1], [2], [3]]);
});

it('a call that fails fails its requests, and the next one runs', async () => {
  const { calls, submit } = gathered({ maxRequests: 1, maxCalls: 1 });
  const [first, second] = [submit(1), submit(2)];
  await nextTurn();
  calls[0]?.fail(new Error('no database'));
  await expect(first).rejects.toThrow('no database');
  calls[1]?.end(['two']);
  expect(await second).toBe('two');
});

import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '../../../store/database/database.ts';
import { createDebitLeases } from './recovery.ts';
import { createFailureWarnings } from './walletClient.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function captured() {
  const lines: string[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

it('a debit is renewed every half second while its work lasts, never twice at once', async () => {
  const renewed: unknown[] = [];
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const query = (_: string, [ids]: [string[]]) => {
    renewed.push(ids);
    return new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  };
  const { lines, log } = captured();
  const leases = createDebitLeases({ db: { leases: { query } } as unknown as Database, log });
  let release = () => {};
  const first = leases.hold('first', () => new Promise<void>((resolve) => (release = resolve)));
  await vi.advanceTimersByTimeAsync(251);
  // It is stored less than 250 ms before the next renewal, so its lease is new.
  const second = leases.hold('second', () => new Promise<void>(() => {}));
  expect([leases.holds('first'), leases.holds('second'), leases.holds('third')]).toEqual([true, true, false]);
  await vi.advanceTimersByTimeAsync(249);
  expect(renewed).toEqual([['first']]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(renewed).toHaveLength(1);
  ends[0]?.reject(new Error('gone'));
  await vi.advanceTimersByTimeAsync(500);
  expect(lines).toMatchObject([{ err: { message: 'gone' }, msg: 'could not renew the leases of debits' }]);
  expect(renewed).toEqual([['first'], ['first', 'second']]);
  release();
  await first;
  expect(leases.holds('first')).toBe(false);

  let isStopped = false;
  const stopped = leases.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect({ isStopped, renewals: renewed.length }).toEqual({ isStopped: false, renewals: 2 });
  ends[1]?.resolve();
  await stopped;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(renewed).toHaveLength(2);
  void second;
});

it('a process that waits for no debit renews nothing', async () => {
  const query = vi.fn();
  const leases = createDebitLeases({ db: { leases: { query } } as unknown as Database, log: captured().log });
  await leases.hold('short', async () => {});
  await vi.advanceTimersByTimeAsync(5_000);
  expect(query).not.toHaveBeenCalled();
  await leases.stop();
});

it('a wallet that fails is one warning in ten seconds for its operator, with the count of the others', () => {
  const { lines, log } = captured();
  const warn = createFailureWarnings(log);
  const fail = (operator: string, ms = 0) => {
    vi.advanceTimersByTime(ms);
    warn({ operator, name: 'debit', result: { kind: 'uncertain', code: 'timeout' }, ms: 1 });
  };
  const accepted = { kind: 'accepted', httpStatus: 200, body: { balance: 5 } } as const;
  warn({ operator: 'acme', name: 'debit', result: accepted, ms: 1 });
  fail('acme');
  fail('acme');
  fail('other');
  fail('acme', 9_999);
  fail('acme', 1);
  fail('acme', 10_000);
  const warning = { level: 40, route: 'debit', response: 'timeout', msg: 'the wallet of an operator fails' };
  const unnamed = { pid: expect.anything(), hostname: expect.anything(), time: expect.anything() };
  expect(lines).toEqual([
    { ...unnamed, ...warning, operator: 'acme' },
    { ...unnamed, ...warning, operator: 'other' },
    { ...unnamed, ...warning, operator: 'acme', failuresBefore: 2 },
    { ...unnamed, ...warning, operator: 'acme' },
  ]);
});

import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { retryConflicts, sqlState } from './sqlRetry.ts';

const ofDriver = (code: string) => Object.assign(new DatabaseError('refused', 0, 'error'), { code });
const ofPrisma = (code: string) =>
  Object.assign(new Error('refused'), { meta: { driverAdapterError: { cause: { originalCode: code } } } });

it.each<[state: string, times: number, expected: number | string, alsoAfter?: string[]]>([
  ['40001', 3, 4],
  ['40P01', 3, 4],
  ['40P01', 4, 'an error after 4'],
  ['23505', 1, 'an error after 1'],
  ['23505', 1, 2, ['23505']],
  ['57014', 1, 'an error after 1'],
])('a transaction that ends with %s, %i times, runs so often: %s', async (state, times, expected, alsoAfter = []) => {
  for (const errorOf of [ofDriver, ofPrisma]) {
    let attempts = 0;
    const run = async () => {
      attempts += 1;
      if (attempts <= times) throw errorOf(state);
      return attempts;
    };
    expect(await retryConflicts(run, { alsoAfter }).catch(() => `an error after ${attempts}`)).toBe(expected);
  }
});

it('an error from elsewhere has no SQLSTATE', () => expect(sqlState(new Error('x'))).toBeUndefined());

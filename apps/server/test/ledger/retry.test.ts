import { retryConflicts, sqlState } from '@roundhouse/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

/** Fails the way PostgreSQL fails, a number of times. */
function failing(state: string, times: number) {
  let attempts = 0;
  const run = async () => {
    attempts += 1;
    if (attempts <= times) await db.$executeRawUnsafe(`DO $$ BEGIN RAISE SQLSTATE '${state}'; END $$`);
    return attempts;
  };
  return { run, attempts: () => attempts };
}

describe('retryConflicts', () => {
  test.each(['40001', '40P01'])('runs a transaction again that ended with %s', async (state) => {
    expect(await retryConflicts(failing(state, 3).run)).toBe(4);
  });

  test('gives up after the third repetition', async () => {
    const always = failing('40P01', 99);
    await expect(retryConflicts(always.run)).rejects.toThrow('40P01');
    expect(always.attempts()).toBe(4);
  });

  test.each(['23505', '57014', 'XX000'])('does not repeat %s', async (state) => {
    const always = failing(state, 99);
    await expect(retryConflicts(always.run)).rejects.toThrow();
    expect(always.attempts()).toBe(1);
  });

  test('two transactions that wait for each other both succeed in the end', async () => {
    await db.$executeRawUnsafe(
      `INSERT INTO maintenance (scope, target, level) VALUES ('game', 'a', 'no_new_rounds'), ('game', 'b', 'no_new_rounds')`,
    );
    let first = true;
    let bothHaveLocked: () => void = () => {};
    const locked = new Promise<void>((resolve) => {
      bothHaveLocked = resolve;
    });
    let holders = 0;
    const update = (targets: readonly string[]) =>
      retryConflicts(() =>
        db.$transaction(async (tx) => {
          for (const target of targets) {
            await tx.$executeRawUnsafe(`UPDATE maintenance SET since = now() WHERE target = '${target}'`);
            holders += 1;
            if (holders === 2) bothHaveLocked();
            // Only in the first round: the transaction that is run again finds the way free.
            if (first) await locked;
          }
          first = false;
        }),
      );
    await expect(Promise.all([update(['a', 'b']), update(['b', 'a'])])).resolves.toHaveLength(2);
  });

  test('an error from elsewhere has no SQLSTATE', () => {
    expect(sqlState(new Error('x'))).toBeUndefined();
  });
});

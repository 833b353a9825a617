import { retryConflicts, sqlState } from '@roundhouse/service';
import { expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

it.each([
  ['40001', 3, 4],
  ['40P01', 3, 4],
  ['40P01', 4, 'an error after 4'],
  ['23505', 1, 'an error after 1'],
  ['57014', 1, 'an error after 1'],
])('a transaction that ends with %s, %i times, runs so often: %s', async (state, times, expected) => {
  let attempts = 0;
  const run = async () => {
    attempts += 1;
    if (attempts <= times) await database.db.$executeRawUnsafe(`DO $$ BEGIN RAISE SQLSTATE '${state}'; END $$`);
    return attempts;
  };
  expect(await retryConflicts(run).catch(() => `an error after ${attempts}`)).toBe(expected);
});

it('two transactions that wait for each other both succeed in the end', async () => {
  await database.db.maintenance.createMany({
    data: ['a', 'b'].map((target) => ({ scope: 'game' as const, target, level: 'no_new_rounds' as const })),
  });
  let holders = 0;
  let bothHaveLocked = () => {};
  const locked = new Promise<void>((resolve) => {
    bothHaveLocked = resolve;
  });
  const update = (targets: readonly string[]) =>
    retryConflicts(() =>
      database.db.$transaction(async (tx) => {
        for (const target of targets) {
          await tx.maintenance.updateMany({ where: { target }, data: { since: new Date() } });
          holders += 1;
          if (holders === 2) bothHaveLocked();
          await locked;
        }
      }),
    );
  await expect(Promise.all([update(['a', 'b']), update(['b', 'a'])])).resolves.toHaveLength(2);
});

it('an error from elsewhere has no SQLSTATE', () => expect(sqlState(new Error('x'))).toBeUndefined());

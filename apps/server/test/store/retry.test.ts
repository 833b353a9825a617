import { retryConflicts } from '@roundhouse/service';
import { expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { gate } from '../support/gate.ts';

const database = useDatabase();

it('two transactions that wait for each other both succeed in the end', async () => {
  await database.db.maintenance.createMany({
    data: ['a', 'b'].map((target) => ({ scope: 'game' as const, target, level: 'no_new_rounds' as const })),
  });
  let holders = 0;
  const { opened: locked, open: bothHaveLocked } = gate();
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

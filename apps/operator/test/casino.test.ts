import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount, setBalance } from '../src/casino.ts';
import { createLedger, type Ledger, migrate, openDatabase } from '../src/ledger/database.ts';
import { followStatement } from '../src/ledger/statement.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';

const ANN = { playerID: 'ann', currency: 'USD' };
let database: TestDatabase;
let ledger: Ledger;
let accountId: bigint;
beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  ledger = createLedger(openDatabase(database.url));
  accountId = await openAccount(ledger, ANN);
});
afterAll(async () => {
  await ledger.db.$disconnect();
  await database.drop();
});

test('however often it is told, a follower shows each row once and in order', async () => {
  const shown: bigint[] = [];
  const progress = new EventEmitter();
  const following = await followStatement(ledger, accountId, {
    after: undefined,
    onRow(row) {
      shown.push(row.balanceAfter);
      if (row.balanceAfter === 0n) progress.emit('empty');
    },
    onError: (error) => progress.emit('error', error),
  });
  for (const balances of [
    [3n, 2n, 1n, 0n],
    [9n, 0n],
  ]) {
    const empty = once(progress, 'empty');
    for (const balance of balances) {
      await setBalance(ledger, ANN, balance);
      for (let time = 0; time < 5; time += 1) ledger.feed.notify(accountId);
    }
    await empty;
  }
  expect(shown).toEqual([3n, 2n, 1n, 0n, 9n, 0n]);
  following.stop();
  await setBalance(ledger, ANN, 7n);
  expect(shown).toHaveLength(6);
});

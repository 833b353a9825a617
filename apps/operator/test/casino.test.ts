import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followStatement } from '../src/casino/followStatement.ts';
import { openAccount, setBalance } from '../src/casino/players.ts';
import { type Books, createBooks } from '../src/ledger/books.ts';
import { openDatabase } from '../src/ledger/database.ts';
import { migrate } from '../src/ledger/migrate.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';

const ANN = { playerID: 'ann', currency: 'USD' };
let database: TestDatabase;
let books: Books;
let accountId: bigint;
beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  books = createBooks(openDatabase(database.url));
  accountId = await openAccount(books, ANN);
});
afterAll(async () => {
  await books.db.$disconnect();
  await database.drop();
});

test('however often it is told, a follower shows each row once and in order', async () => {
  const shown: bigint[] = [];
  const progress = new EventEmitter();
  const following = await followStatement(books, accountId, {
    after: undefined,
    show(row) {
      shown.push(row.balanceAfter);
      if (row.balanceAfter === 0n) progress.emit('empty');
    },
    failed: (error) => progress.emit('error', error),
  });
  for (const balances of [
    [3n, 2n, 1n, 0n],
    [9n, 0n],
  ]) {
    const empty = once(progress, 'empty');
    for (const balance of balances) {
      await setBalance(books, ANN, balance);
      for (let time = 0; time < 5; time += 1) books.feed.tell(accountId);
    }
    await empty;
  }
  expect(shown).toEqual([3n, 2n, 1n, 0n, 9n, 0n]);
  following.stop();
  await setBalance(books, ANN, 7n);
  expect(shown).toHaveLength(6);
});

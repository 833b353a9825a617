import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '../src/ledger/checkLedger.ts';
import { type Database, migrate, openDatabase } from '../src/ledger/database.ts';
import { Prisma } from '../src/ledger/generated/client.ts';
import { AccountKind, BetState, TransactionKind } from '../src/ledger/generated/enums.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { useOperator } from './support/testOperator.ts';

describe('the schema', () => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
    const runs = await Promise.all([migrate(database.url), migrate(database.url)]);
    expect(runs.flat()).toHaveLength(1);
    db = openDatabase(database.url);
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  test('is its own: nothing is made outside of it', async () => {
    expect(await database.query("SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
    expect(await migrate(database.url)).toEqual([]);
  });

  test('is what schema.prisma says: every column, no more, and every value of an enum', async () => {
    const models = {
      players: [db.player, Prisma.PlayerScalarFieldEnum],
      accounts: [db.account, Prisma.AccountScalarFieldEnum],
      sessions: [db.session, Prisma.SessionScalarFieldEnum],
      bets: [db.bet, Prisma.BetScalarFieldEnum],
      transactions: [db.transaction, Prisma.TransactionScalarFieldEnum],
    } as const;
    expect(Object.keys(models)).toHaveLength(Object.keys(Prisma.ModelName).length);
    for (const [table, [model, fields]] of Object.entries(models)) {
      // Fails when a column is missing or has another type.
      await (model as typeof db.player).findMany();
      const columns = await database.query(
        "SELECT 1 FROM information_schema.columns WHERE table_schema = 'reference_operator' AND table_name = $1",
        [table],
      );
      expect(columns.length, table).toBe(Object.keys(fields).length);
    }
    const values = await database.query<{ type: string; values: string[] }>(
      'SELECT enumtypid::regtype::text AS type, array_agg(enumlabel::text ORDER BY enumsortorder) AS values FROM pg_enum GROUP BY 1 ORDER BY 1',
    );
    expect(values).toEqual([
      { type: 'account_kind', values: Object.values(AccountKind) },
      { type: 'bet_state', values: Object.values(BetState) },
      { type: 'transaction_kind', values: Object.values(TransactionKind) },
    ]);
  });

  test('a migration that was changed afterwards is refused', async () => {
    await database.query("UPDATE _prisma_migrations SET checksum = 'another'");
    await expect(migrate(database.url)).rejects.toThrow('was changed after this database applied it');
  });
});

describe('the ledger', () => {
  const operator = useOperator();
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(operator.database.url);
    const player = await operator.newPlayer();
    const [lost, givenBack, open] = [player.newBet(), player.newBet(), player.newBet()];
    await player.debit(lost, 1);
    await player.credit(lost, 0);
    await player.debit(givenBack, 2);
    await player.rollback(givenBack);
    await player.debit(open, 3);
    await player.rollback(player.newBet());
  });
  afterAll(() => db.$disconnect());

  test('balance, and are not empty', async () => {
    const { imbalances, accounts, transactions } = await checkLedger(db);
    expect(imbalances).toEqual([]);
    expect([accounts, transactions]).toEqual([3n, 7n]);
  });

  const FORGERIES: [rule: string, sql: string][] = [
    [
      'a balance is the sum of its entries',
      "UPDATE accounts SET balance_micros = balance_micros + 1 WHERE kind = 'player'",
    ],
    [
      'the balance after an entry is the sum up to it',
      "UPDATE transactions SET balance_after_micros = balance_after_micros + 1 WHERE kind = 'deposit'",
    ],
    [
      'a transaction has the accounts of its kind, in one currency',
      "UPDATE transactions SET to_account_id = (SELECT id FROM accounts WHERE kind = 'cashier') WHERE kind = 'debit'",
    ],
    ['a bet has the entries of its state', "UPDATE bets SET state = 'closed' WHERE state = 'open'"],
    ['a bet has the entries of its state', "UPDATE bets SET state = 'open' WHERE state = 'rolled_back'"],
    [
      'a bet has the entries of its state',
      "UPDATE bets SET state = 'barred', account_id = NULL WHERE state = 'closed'",
    ],
    [
      'a debit has a bet, and its credits and rollback are of the same account and round',
      "DELETE FROM bets WHERE state = 'open'",
    ],
    [
      'a debit has a bet, and its credits and rollback are of the same account and round',
      "UPDATE transactions SET round_id = 'forged' WHERE kind = 'credit'",
    ],
  ];

  test.each(FORGERIES)('%s: %s is noticed', async (rule, sql) => {
    const undone = new Error('undone');
    const forged = db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(sql);
      // The proof opens a transaction of its own; here it has to see what is not committed.
      const inside = { $transaction: (work: (inner: typeof tx) => unknown) => work(tx) } as unknown as Database;
      const { imbalances } = await checkLedger(inside);
      expect(imbalances.map((imbalance) => imbalance.rule)).toContain(rule);
      throw undone;
    });
    await expect(forged).rejects.toBe(undone);
  });

  const FORBIDDEN = [
    "UPDATE accounts SET balance_micros = -1 WHERE kind = 'player'",
    "UPDATE accounts SET balance_micros = 9007199254740992 WHERE kind = 'player'",
    "UPDATE accounts SET balance_micros = 0 WHERE kind = 'house'",
    "UPDATE transactions SET amount_micros = -1 WHERE kind = 'credit'",
    "UPDATE transactions SET amount_micros = 0 WHERE kind = 'debit'",
    "UPDATE transactions SET transaction_id = '00000000-0000-4000-8000-000000000000'",
    'UPDATE transactions SET to_account_id = from_account_id',
    "INSERT INTO bets (debit_id, state, account_id) SELECT debit_id, state, account_id FROM bets WHERE state = 'open'",
  ];

  test.each(FORBIDDEN)('the database itself refuses: %s', async (sql) => {
    await expect(operator.database.query(sql)).rejects.toThrow(/violates (check|unique) constraint/);
  });
});

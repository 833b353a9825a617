import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount, setBalance } from '../src/casino.ts';
import { checkLedger } from '../src/ledger/checkLedger.ts';
import { createLedger, type Database, migrate, openDatabase } from '../src/ledger/database.ts';
import { Prisma } from '../src/ledger/generated/client.ts';
import { AccountKind, BetState, TransactionKind } from '../src/ledger/generated/enums.ts';
import { followStatement } from '../src/ledger/statement.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { useOperator } from './support/testOperator.ts';

describe('the database', () => {
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

  it('has one schema: the migration makes nothing outside of it', async () => {
    expect(await database.query("SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
    expect(await migrate(database.url)).toEqual([]);
  });

  it('matches schema.prisma: every column, no more, and every value of an enum', async () => {
    const models = {
      players: [db.player, Prisma.PlayerScalarFieldEnum],
      accounts: [db.account, Prisma.AccountScalarFieldEnum],
      sessions: [db.session, Prisma.SessionScalarFieldEnum],
      engine_rounds: [db.engineRound, Prisma.EngineRoundScalarFieldEnum],
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
    const values = await database.query(
      `SELECT enumtypid::regtype::text AS type, array_agg(enumlabel::text ORDER BY enumsortorder) AS values
       FROM pg_enum GROUP BY 1 ORDER BY 1`,
    );
    expect(values).toEqual([
      { type: 'account_kind', values: Object.values(AccountKind) },
      { type: 'bet_state', values: Object.values(BetState) },
      { type: 'transaction_kind', values: Object.values(TransactionKind) },
    ]);
  });

  it('a follower of a statement gets each row once and in order, however often it is notified', async () => {
    const ledger = createLedger(db);
    const name = { playerID: 'ann', currency: 'USD' };
    const accountId = await openAccount(ledger, name);
    const balances: bigint[] = [];
    const errors: unknown[] = [];
    const following = await followStatement(ledger, accountId, {
      after: undefined,
      onRow: ({ balanceAfter }) => balances.push(balanceAfter),
      onError: (error) => errors.push(error),
    });
    const expected: bigint[] = [];
    for (const batch of [[3n, 2n, 1n, 0n], [9n]]) {
      for (const balance of batch) {
        await setBalance(ledger, name, balance);
        for (let time = 0; time < 5; time += 1) ledger.feed.notify(accountId);
      }
      expected.push(...batch);
      await expect.poll(() => balances).toEqual(expected);
    }
    following.stop();
    await setBalance(ledger, name, 7n);
    expect([balances.length, errors]).toEqual([5, []]);
  });

  it('the functions keep their plans: a look-up never reads a whole table', async () => {
    const settings = ['plan_cache_mode', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];
    const { rows } = await db.functions.query(
      'SELECT current_setting(name) AS value FROM unnest($1::text[]) AS s (name)',
      [settings],
    );
    expect(rows.map(({ value }) => value)).toEqual(['force_generic_plan', 'off', 'off', 'off']);
  });

  it('a migration that was changed afterwards is refused', async () => {
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
    await player.credit(await player.placeBet(1), 0);
    await player.rollback(await player.placeBet(2));
    await player.placeBet(3);
    await player.rollback(player.newBet());
    const [won, voided] = [await player.placeFreeBet('grant'), await player.placeFreeBet('grant')];
    await player.credit(won, 0, { grantID: 'grant' });
    await player.credit(won, 5, { grantID: 'grant', grantClosed: true });
    await player.rollback(voided);
  });
  afterAll(() => db.$disconnect());

  it('balances, and is not empty', async () => {
    expect(await checkLedger(db)).toEqual({ imbalances: [], accounts: 3n, transactions: 12n });
  });

  const BALANCE_IS_SUM = 'a balance is the sum of its entries';
  const BALANCE_AFTER_IS_SUM = 'the balance after an entry is the sum up to it';
  const ACCOUNTS_OF_KIND = 'a transaction has the accounts of its kind, in one currency';
  const ENTRIES_OF_STATE = 'a bet has the entries of its state';
  const ROUND_HAS_DEBIT = 'a round of the dialect has a debit, and all of its entries are of its player';
  const DEBIT_HAS_BET = 'a debit has a bet, and its credits and rollback are of the same account, round and grant';

  it.each([
    [BALANCE_IS_SUM, "UPDATE accounts SET balance_micros = balance_micros + 1 WHERE kind = 'player'"],
    [
      BALANCE_AFTER_IS_SUM,
      "UPDATE transactions SET balance_after_micros = balance_after_micros + 1 WHERE kind = 'deposit'",
    ],
    [
      ACCOUNTS_OF_KIND,
      "UPDATE transactions SET to_account_id = (SELECT id FROM accounts WHERE kind = 'cashier') WHERE kind = 'debit'",
    ],
    [ENTRIES_OF_STATE, "UPDATE bets SET state = 'closed' WHERE state = 'open'"],
    [ENTRIES_OF_STATE, "UPDATE bets SET state = 'open' WHERE state = 'rolled_back'"],
    [ENTRIES_OF_STATE, "UPDATE bets SET state = 'barred', account_id = NULL WHERE state = 'closed'"],
    [ENTRIES_OF_STATE, 'DELETE FROM transactions WHERE grant_id IS NOT NULL AND round_closed AND NOT grant_closed'],
    [
      ENTRIES_OF_STATE,
      `UPDATE transactions SET debit_id = v.debit_id FROM (SELECT debit_id FROM transactions JOIN bets USING (debit_id)
       WHERE state = 'rolled_back') v WHERE grant_closed`,
    ],
    [DEBIT_HAS_BET, "DELETE FROM bets WHERE state = 'open'"],
    [DEBIT_HAS_BET, "UPDATE transactions SET grant_id = 'another' WHERE grant_closed"],
    [DEBIT_HAS_BET, "UPDATE transactions SET round_id = 'forged' WHERE kind = 'credit'"],
    [ROUND_HAS_DEBIT, "INSERT INTO engine_rounds SELECT 'forged', session_sha256 FROM sessions"],
  ])('%s: %s is found', async (rule, sql) => {
    const undone = new Error('undone');
    const forged = db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(sql);
      // The check opens its own transaction. Here it must see uncommitted rows.
      const inside = { $transaction: (work: (inner: typeof tx) => unknown) => work(tx) } as unknown as Database;
      const { imbalances } = await checkLedger(inside);
      expect(imbalances.map((imbalance) => imbalance.rule)).toContain(rule);
      throw undone;
    });
    await expect(forged).rejects.toBe(undone);
  });

  it.each([
    "UPDATE accounts SET balance_micros = -1 WHERE kind = 'player'",
    "UPDATE accounts SET balance_micros = 9007199254740992 WHERE kind = 'player'",
    "UPDATE accounts SET balance_micros = 0 WHERE kind = 'house'",
    "UPDATE transactions SET amount_micros = -1 WHERE kind = 'credit'",
    "UPDATE transactions SET amount_micros = 0 WHERE kind = 'debit'",
    'UPDATE transactions SET amount_micros = 1 WHERE free_bet_micros > 0',
    'UPDATE transactions SET free_bet_micros = NULL WHERE free_bet_micros > 0',
    'UPDATE transactions SET grant_id = NULL WHERE grant_closed',
    "UPDATE transactions SET grant_closed = true WHERE kind = 'credit'",
    "UPDATE transactions SET transaction_id = '00000000-0000-4000-8000-000000000000'",
    'UPDATE transactions SET to_account_id = from_account_id',
    "INSERT INTO bets (debit_id, state, account_id) SELECT debit_id, state, account_id FROM bets WHERE state = 'open'",
  ])('a constraint refuses: %s', async (sql) => {
    await expect(operator.database.query(sql)).rejects.toThrow(/violates (check|unique) constraint/);
  });
});

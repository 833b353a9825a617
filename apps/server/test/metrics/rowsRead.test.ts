import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/ledger/database.ts';
import { findDays, sumDays } from '../../src/ledger/queries/moneyTotals.ts';
import { createDatabaseReading } from '../../src/metrics/databaseReading.ts';
import { createMoneyTotals } from '../../src/metrics/moneyTotals.ts';
import { withAdmin } from '../support/globalSetup.ts';
import { OPEN, ROUNDS, UNSETTLED, useMillionRounds } from '../support/millionRounds.ts';

/** So many rounds are open, each of an account and a game of its own. */
const ALL_OPEN = 100_000;
const MORE_OPEN = ALL_OPEN - OPEN;

const OPEN_MORE = `
SET session_replication_role = replica;
INSERT INTO rounds (player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros, debit_micros,
  book_id, payout_multiplier, payout_micros, balance_before_micros)
SELECT a.player_id, g.id, g.id, 1, a.id, 'BASE', 1, 1000000, 1000000, 1, 0, 0, 1000000000
FROM accounts a CROSS JOIN games g
WHERE a.kind = 'player' AND NOT EXISTS (SELECT 1 FROM rounds r WHERE r.account_id = a.id AND r.closed_at IS NULL)
ORDER BY g.id, a.id LIMIT ${MORE_OPEN};
ANALYZE rounds`;

const ledger = useMillionRounds();

beforeAll(() => withAdmin(ledger.url, (client) => client.query(OPEN_MORE)));

/** Counts the rows of the table of totals, which is not one of the large tables. */
async function totalsRead(db: Database): Promise<number> {
  const { rows } = await db.pool.query(
    `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS read FROM pg_stat_xact_user_tables WHERE relname = 'game_totals'`,
  );
  return rows[0].read;
}

it('a reading of all metrics reads the open rounds and the unsettled transactions, and nothing of the million rounds', async () => {
  let values: unknown;
  const { rows, scanned } = await ledger.rowsRead(async (db) => {
    const reading = createDatabaseReading({ db });
    await expect
      .poll(async () => {
        values = await reading();
        return values;
      })
      .toBeDefined();
  });
  expect(values).toMatchObject({
    openRounds: expect.anything(),
    unsettled: expect.anything(),
    money: expect.anything(),
  });
  expect(scanned).toEqual([]);
  expect(rows.rounds).toBeLessThanOrEqual(ALL_OPEN + UNSETTLED + 100);
  expect(rows.accounts).toBeLessThanOrEqual(ALL_OPEN + UNSETTLED + 100);
  expect(rows.wallet_transactions).toBeLessThanOrEqual(UNSETTLED + 100);
  expect(Object.keys(rows).sort()).toEqual(['accounts', 'rounds', 'wallet_transactions']);
});

it('a later reading of the money reads the totals of two days only', async () => {
  const counts: number[] = [];
  await ledger.rowsRead(async (db) => {
    const totals = createMoneyTotals({ findDays: () => findDays(db), sumDays: (days) => sumDays(db, days) });
    for (let reading = 0; reading < 3; reading += 1) {
      const before = await totalsRead(db);
      const read = await totals.read();
      expect(read?.reduce((sum, { rounds }) => sum + rounds, 0n)).toBeGreaterThan(BigInt(ROUNDS));
      counts.push((await totalsRead(db)) - before);
    }
  });
  // Three games with two modes at three operators have 18 totals a day.
  expect(counts[1]).toBeLessThanOrEqual(2 * 18 + 1);
  expect(counts[2]).toBe(counts[1]);
});

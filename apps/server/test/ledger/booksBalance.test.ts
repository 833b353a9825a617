import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { booksBalance } from '../../src/ledger/queries/booksBalance.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { expectBooksBalance, startTestServer, type TestServer } from '../support/testServer.ts';

let server: TestServer;
let undo: string[] = [];

beforeAll(async () => {
  server = await startTestServer();
  const sessionID = await server.liveSession({ token: 'winner' });
  await server.playBook(sessionID, BOOK.pays150);
  await server.post('/bet/event', { sessionID, event: 'one' });
  await server.post('/wallet/end-round', { sessionID });
  await server.playBook(await server.liveSession({ token: 'open' }), BOOK.pays150);
});
afterAll(() => server.close());

afterEach(async () => {
  for (const sql of undo.splice(0)) await server.db.$executeRawUnsafe(sql);
  await expectBooksBalance(server.db);
});

/** Spoils the books, and says how to mend them. */
async function spoil(sql: string, mend: string): Promise<string[]> {
  undo = [mend];
  await server.db.$executeRawUnsafe(sql);
  return (await booksBalance(server.db)).imbalances.map(({ rule }) => rule);
}

describe('books-balance finds', () => {
  test('nothing in sound books, and counts what it read', async () => {
    expect(await booksBalance(server.db)).toEqual({
      accounts: 4n,
      rounds: 2n,
      transfers: 5n,
      walletTransactions: 0n,
      imbalances: [],
    });
  });

  test('a balance that is not the sum of its transfers', async () => {
    const change = (by: string) =>
      `UPDATE accounts SET balance_micros = balance_micros ${by} WHERE kind = 'player' AND id = (SELECT min(id) FROM accounts WHERE kind = 'player')`;
    expect(await spoil(change('+ 1'), change('- 1'))).toContain('a balance is the sum of its transfers');
  });

  test('a round without its bet', async () => {
    await server.db.$executeRawUnsafe(
      `CREATE TABLE kept AS SELECT * FROM transfers WHERE kind = 'bet' ORDER BY id LIMIT 1`,
    );
    const rules = await spoil(
      'DELETE FROM transfers WHERE id = (SELECT id FROM kept)',
      'INSERT INTO transfers SELECT * FROM kept',
    );
    undo.push('DROP TABLE kept');
    expect(rules).toContain('a round is debited exactly once');
    expect(rules).toContain('a balance is the sum of its transfers');
  });

  test('a completed round that was not paid', async () => {
    expect(
      await spoil(
        `UPDATE rounds SET closed_at = now() WHERE closed_at IS NULL`,
        `UPDATE rounds SET closed_at = NULL WHERE id = (SELECT max(id) FROM rounds)`,
      ),
    ).toEqual(['a completed round is paid exactly its payout, an open one nothing']);
  });

  test('an open round that was paid', async () => {
    expect(
      await spoil(
        `UPDATE rounds SET closed_at = NULL WHERE id = (SELECT min(id) FROM rounds)`,
        `UPDATE rounds SET closed_at = now() WHERE id = (SELECT min(id) FROM rounds)`,
      ),
    ).toEqual(['a completed round is paid exactly its payout, an open one nothing']);
  });

  test('a movement between accounts that it must not stand between', async () => {
    const swap = `UPDATE transfers SET from_account_id = to_account_id, to_account_id = from_account_id WHERE id = (SELECT min(id) FROM transfers WHERE kind = 'deposit')`;
    expect(await spoil(swap, swap)).toContain(
      'a transfer stands between accounts of one operator and currency, of the kinds that it calls for',
    );
  });

  test('a bet of a round that is not there', async () => {
    expect(
      await spoil(
        `UPDATE transfers SET round_id = round_id + 1000 WHERE kind = 'bet'`,
        `UPDATE transfers SET round_id = round_id - 1000 WHERE kind = 'bet'`,
      ),
    ).toContain('a bet, payout or refund belongs to a round');
  });

  test('a round of another player than its account', async () => {
    expect(
      await spoil(`UPDATE rounds SET player_id = player_id + 1000`, `UPDATE rounds SET player_id = player_id - 1000`),
    ).toEqual(Array(2).fill('a round belongs to a player, a session of its account and a game version'));
  });

  test('an event of a round that is not there', async () => {
    expect(
      await spoil(
        `INSERT INTO round_events (round_id, seq, event) VALUES (999, 1, 'x')`,
        `DELETE FROM round_events WHERE round_id = 999`,
      ),
    ).toEqual(['a recorded event belongs to a round']);
  });

  test("a day's sums that are not those of its rounds", async () => {
    const change = (by: string) =>
      `UPDATE accounts SET wagered_today_micros = wagered_today_micros ${by} WHERE counted_on IS NOT NULL`;
    expect(await spoil(change('+ 1'), change('- 1'))).toEqual(
      Array(2).fill('the sums of a day are those of its rounds'),
    );
  });
});

describe('the database itself refuses', () => {
  const refuses = (name: string, sql: string, constraint: string) =>
    test(name, async () => {
      await expect(server.db.$executeRawUnsafe(sql)).rejects.toThrow(constraint);
    });

  refuses(
    'a balance below zero',
    `UPDATE accounts SET balance_micros = -1 WHERE kind = 'player'`,
    'accounts_balance_in_range',
  );
  refuses(
    'a balance beyond what JSON holds exactly',
    `UPDATE accounts SET balance_micros = 9007199254740992 WHERE kind = 'player'`,
    'accounts_balance_in_range',
  );
  refuses(
    'a house account with a balance',
    `UPDATE accounts SET balance_micros = 0 WHERE kind = 'house'`,
    'accounts_only_players_keep_a_balance',
  );
  refuses(
    'a second open round of an account in a game',
    `UPDATE rounds SET closed_at = NULL, account_id = (SELECT max(account_id) FROM rounds)`,
    'rounds_one_open_per_account_and_game',
  );
  refuses(
    'a second bet of a round',
    `INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id) SELECT kind, from_account_id, to_account_id, amount_micros, round_id FROM transfers WHERE kind = 'bet'`,
    'transfers_round_id_kind_key',
  );
  refuses(
    'a debit that is not amount × cost',
    `UPDATE rounds SET debit_micros = debit_micros + 1`,
    'rounds_debit_is_exact',
  );
  refuses(
    'a payout that is not amount × multiplier',
    `UPDATE rounds SET payout_micros = payout_micros + 1`,
    'rounds_payout_is_exact',
  );
  refuses('a transfer of nothing', `UPDATE transfers SET amount_micros = 0`, 'transfers_amount_in_range');
  refuses(
    'a transfer from an account to itself',
    `UPDATE transfers SET to_account_id = from_account_id`,
    'transfers_between_two_accounts',
  );
  refuses(
    'a bet without a round',
    `UPDATE transfers SET round_id = NULL WHERE kind = 'bet'`,
    'transfers_round_named_for_bets_and_payouts',
  );
});

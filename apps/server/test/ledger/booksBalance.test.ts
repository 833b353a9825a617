import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/ledger/database.ts';
import { booksBalance } from '../../src/ledger/queries/booksBalance.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { useTestServer } from '../support/testServer.ts';

const server = useTestServer();

beforeAll(async () => {
  const sessionID = await server.liveSession({ token: 'winner' });
  await server.playBook(sessionID, BOOK.pays150);
  await server.post('/bet/event', { sessionID, event: 'one' });
  await server.post('/wallet/end-round', { sessionID });
  await server.playBook(await server.liveSession({ token: 'open' }), BOOK.pays150);
});

const COUNTS = { accounts: 4n, rounds: 2n, transfers: 5n, walletTransactions: 0n };
const BALANCE = 'a balance is the sum of its transfers';
const PAYOUT = 'a completed round is paid exactly its payout, an open one nothing';
const DAY = 'the sums of a day are those of its rounds';
const DEBIT = 'a round is debited exactly once';
const ONE_PLAYER = "kind = 'player' AND id = (SELECT min(id) FROM accounts WHERE kind = 'player')";
const FIRST = 'id = (SELECT min(id) FROM rounds)';

const add = (table: string, column: string, where: string) =>
  `UPDATE ${table} SET ${column} = ${column} + 1000 WHERE ${where}`;

/** What the proof finds after the change, which is rolled back. */
async function proofAfter(change: string) {
  const found: Awaited<ReturnType<typeof booksBalance>>['imbalances'] = [];
  const spoilt = server.db.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(change);
    const inside = { $transaction: (work: (inner: typeof tx) => unknown) => work(tx) };
    found.push(...(await booksBalance(inside as unknown as Database)).imbalances);
    throw new Error('roll back');
  });
  await expect(spoilt).rejects.toThrow('roll back');
  return found;
}

it('the proof finds nothing in sound books, and counts what it read', async () => {
  expect(await booksBalance(server.db)).toEqual({ ...COUNTS, imbalances: [] });
});

it.each<[spoilt: string, change: string, rules: string[]]>([
  ['a balance that is not the sum of its transfers', add('accounts', 'balance_micros', ONE_PLAYER), [BALANCE]],
  [
    'a round without its bet',
    "DELETE FROM transfers WHERE kind = 'bet' AND round_id = (SELECT min(id) FROM rounds)",
    [BALANCE, DEBIT, DAY],
  ],
  ['a completed round that was not paid', 'UPDATE rounds SET closed_at = now() WHERE closed_at IS NULL', [PAYOUT]],
  ['an open round that was paid', `UPDATE rounds SET closed_at = NULL WHERE ${FIRST}`, [PAYOUT]],
  [
    'a transfer between accounts that it must not stand between',
    `UPDATE transfers SET from_account_id = to_account_id, to_account_id = from_account_id
     WHERE id = (SELECT min(id) FROM transfers WHERE kind = 'deposit')`,
    [BALANCE, 'a transfer stands between accounts of one operator and currency, of the kinds that it calls for'],
  ],
  [
    'a bet of a round that is not there',
    add('transfers', 'round_id', "kind = 'bet'"),
    ['a bet, payout or refund belongs to a round', DEBIT, DAY],
  ],
  [
    'a round of another player than its account',
    add('rounds', 'player_id', FIRST),
    ['a round belongs to a player, a session of its account and a game version'],
  ],
  [
    'an event of a round that is not there',
    "INSERT INTO round_events (round_id, seq, event) VALUES (999, 1, 'x')",
    ['a recorded event belongs to a round'],
  ],
  [
    'a round that is archived in part',
    "WITH moved AS (DELETE FROM transfers WHERE kind = 'payout' RETURNING *) INSERT INTO archived_transfers SELECT * FROM moved",
    ['a round is archived with all that belongs to it, or not at all'],
  ],
  ["a day's sums that are not those of its rounds", add('accounts', 'wagered_today_micros', ONE_PLAYER), [DAY]],
])('the proof finds %s', async (_, change, rules) => {
  const imbalances = await proofAfter(change);
  expect(new Set(imbalances.map(({ rule }) => rule))).toEqual(new Set(rules));
  expect(imbalances[0]).toEqual({
    rule: expect.any(String),
    subject: expect.stringMatching(/^(account|round|transfer) \d+$/),
    detail: expect.stringMatching(/\w/),
  });
});

it.each([
  ['a balance below zero', 'accounts_balance_in_range', "accounts SET balance_micros = -1 WHERE kind = 'player'"],
  ['a balance that JSON cannot hold', 'accounts_balance_in_range', 'accounts SET balance_micros = 9007199254740992'],
  ['a balance of the house', 'accounts_only_players_keep_a_balance', 'accounts SET balance_micros = 0'],
  [
    'a second open round of an account in a game',
    'rounds_one_open_per_account_and_game',
    'rounds SET closed_at = NULL, account_id = (SELECT max(account_id) FROM rounds)',
  ],
  [
    'a second bet of a round',
    'transfers_round_id_kind_key',
    "transfers SET round_id = (SELECT max(id) FROM rounds) WHERE kind = 'bet'",
  ],
  ['a debit that is not amount × cost', 'rounds_debit_is_exact', 'rounds SET debit_micros = debit_micros + 1'],
  ['a payout that is not the book’s', 'rounds_payout_is_exact', 'rounds SET payout_micros = payout_micros + 1'],
  ['a transfer of nothing', 'transfers_amount_in_range', 'transfers SET amount_micros = 0'],
  ['a transfer to itself', 'transfers_between_two_accounts', 'transfers SET to_account_id = from_account_id'],
  ['a bet of no round', 'transfers_round_named_for_bets_and_payouts', 'transfers SET round_id = NULL'],
])('the database itself refuses %s', async (_, constraint, change) => {
  await expect(server.db.$executeRawUnsafe(`UPDATE ${change}`)).rejects.toThrow(constraint);
});

import { beforeAll, expect, it } from 'vitest';
import { booksBalance } from '../../src/store/books/booksBalance.ts';
import { databaseIn } from '../support/database.ts';
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
const DEBIT = 'a round is debited exactly once, a free one never';
const TOTALS = 'the totals of games are those of their rounds';
const FOLDED = 'SELECT fold_game_totals()';
const BETWEEN = 'a transfer stands between accounts of one operator and currency, of the kinds that it calls for';
const BELONGS = 'a round belongs to a player, a session of its account and a game version';
const ACCOUNT = 'an account is that of a player of its operator, with a balance where the house wallet keeps the money';
const MOVED = 'a player who has moved to another cell has no account here';
const AMOUNTS = 'a round costs and pays what its amount, its mode and its book say';
const MOMENT = 'a round opens and closes when its money moves';
const BEFORE = 'the balance before a round is that of the transfers before it';
const KEPT = 'who keeps the money of a round is who keeps that of its account';
const ONE_PLAYER = "kind = 'player' AND id = (SELECT min(id) FROM accounts WHERE kind = 'player')";
const FIRST = 'id = (SELECT min(id) FROM rounds)';

const OPEN = 'ended_at IS NULL';

/** Drops the checks, as the owner of the tables can. */
const withoutChecks = (change: string) => `DO $$ BEGIN
  ALTER TABLE rounds DROP CONSTRAINT rounds_debit_is_exact, DROP CONSTRAINT rounds_payout_is_exact, DROP CONSTRAINT rounds_amounts_in_range;
  ${change};
END $$`;
const add = (table: string, column: string, where: string) =>
  `UPDATE ${table} SET ${column} = ${column} + 1000 WHERE ${where}`;

/** Returns what the proof finds after the changes, which are rolled back. */
async function proofAfter(...changes: string[]) {
  const found: Awaited<ReturnType<typeof booksBalance>>['imbalances'] = [];
  const spoilt = server.db.$transaction(async (tx) => {
    for (const change of changes) await tx.$executeRawUnsafe(change);
    found.push(...(await booksBalance(databaseIn(tx))).imbalances);
    throw new Error('roll back');
  });
  await expect(spoilt).rejects.toThrow('roll back');
  return found;
}

it('the proof finds nothing in sound books, and counts what it read', async () => {
  expect(await booksBalance(server.db)).toEqual({ ...COUNTS, imbalances: [] });
});

it.each<[spoilt: string, change: string, rules: string[]]>([
  ['an account of a player who has moved away', 'UPDATE players SET moved_to = 2', [MOVED]],
  ['a balance that is not the sum of its transfers', add('accounts', 'balance_micros', ONE_PLAYER), [BALANCE]],
  [
    'a round without its bet',
    "DELETE FROM transfers WHERE kind = 'bet' AND round_id = (SELECT min(id) FROM rounds)",
    [BALANCE, DEBIT, DAY],
  ],
  [
    'a completed round that was not paid',
    'UPDATE rounds SET ended_at = now() WHERE ended_at IS NULL',
    [PAYOUT, TOTALS],
  ],
  ['an open round that was paid', `UPDATE rounds SET ended_at = NULL WHERE ${FIRST}`, [PAYOUT, TOTALS, MOMENT]],
  [
    'a transfer between accounts that it must not stand between',
    `UPDATE transfers SET from_account_id = to_account_id, to_account_id = from_account_id
     WHERE id = (SELECT min(id) FROM transfers WHERE kind = 'deposit')`,
    [BALANCE, BETWEEN, BEFORE],
  ],
  [
    'a bet of a round that is not there',
    add('transfers', 'round_id', "kind = 'bet'"),
    ['bets, payouts, refunds and winnings belong to rounds', DEBIT, DAY],
  ],
  ['a round of another player than its account', add('rounds', 'player_id', FIRST), [BELONGS]],
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
  [
    'an account of another operator than its player',
    `WITH other AS (INSERT INTO operators (code, name) VALUES ('other', 'Other') RETURNING id)
     UPDATE accounts a SET operator_id = other.id FROM other WHERE a.id = (SELECT min(id) FROM accounts WHERE kind = 'player')`,
    [ACCOUNT, BETWEEN, TOTALS],
  ],
  [
    'an account of the house wallet without a balance',
    `UPDATE accounts SET balance_micros = NULL WHERE ${ONE_PLAYER}`,
    [ACCOUNT, KEPT, 'a round has the wallet transactions that its state calls for'],
  ],
  [
    'a balance before a round whose money the house does not keep',
    `WITH kept AS (UPDATE accounts SET balance_micros = NULL WHERE ${ONE_PLAYER}) UPDATE rounds SET wallet_state = 'credited' WHERE ${FIRST}`,
    [ACCOUNT, KEPT, 'a round has the wallet transactions that its state calls for'],
  ],
  [
    'a debit that is not amount × cost, without the check',
    withoutChecks(`UPDATE rounds SET cost_multiplier = 2 WHERE ${OPEN}`),
    [AMOUNTS],
  ],
  [
    'a payout that is not the book’s, without the check',
    withoutChecks(add('rounds', 'payout_micros', OPEN)),
    [AMOUNTS],
  ],
  ['a round of another mode', `UPDATE rounds SET mode = 'BONUS' WHERE ${OPEN}`, [AMOUNTS]],
  ['a round of no mode of its game', `UPDATE rounds SET mode = 'NONE' WHERE ${OPEN}`, [AMOUNTS]],
  [
    'a payout that no book of the mode has',
    `UPDATE rounds SET payout_multiplier = 100001, payout_micros = amount_micros / 100 * 100001 WHERE ${OPEN}`,
    [AMOUNTS],
  ],
  [
    'a round that was opened at another time than its bet',
    `UPDATE rounds SET opened_at = opened_at - interval '1 microsecond' WHERE ${FIRST}`,
    [MOMENT],
  ],
  [
    'a round that was closed at another time than its payout',
    `UPDATE rounds SET ended_at = ended_at + interval '1 microsecond' WHERE ${FIRST}`,
    [MOMENT],
  ],
  [
    'a round that the server completed at another time',
    `UPDATE rounds SET auto_completed_at = opened_at WHERE ${FIRST}`,
    [MOMENT],
  ],
  [
    'a round of another game version than its session',
    `WITH other AS (INSERT INTO game_versions (game_id, version, title, math_sha256, currencies, jurisdiction)
       SELECT game_id, '2', title, '', currencies, jurisdiction FROM game_versions RETURNING id)
     UPDATE rounds SET game_version_id = other.id FROM other WHERE ${OPEN}`,
    [BELONGS],
  ],
  [
    'a missing event of a round',
    'UPDATE round_events SET seq = 2',
    ['the events of a round are numbered without gaps'],
  ],
  [
    'an account that does not count its last day',
    `UPDATE accounts SET counted_on = counted_on - 1, wagered_today_micros = 0, won_today_micros = 0 WHERE ${ONE_PLAYER}`,
    [DAY],
  ],
  [
    'a balance before a round that is not that of its transfers',
    add('rounds', 'balance_before_micros', FIRST),
    [BEFORE],
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

it('the proof takes one process of the database, beside players', async () => {
  await server.db.$transaction(async (tx) => {
    await booksBalance(databaseIn(tx));
    expect(await tx.$queryRaw`SHOW max_parallel_workers_per_gather`).toEqual([
      { max_parallel_workers_per_gather: '0' },
    ]);
  });
});

const FREE = ['free_rounds', 'free_bets', 'free_payouts'];
const COLUMNS = ['rounds', 'bets', 'payouts', ...FREE, 'bet_squares', 'max_bet', 'void_rounds', 'void_bets'];
const EDITS_OF_TOTALS = [...COLUMNS.map((column) => `${column} = ${column} + 1`), 'day = day - 1'];
const EDITS_BEFORE_TOTALS = [
  'bet_micros = 1',
  'payout_micros = 1',
  'is_void = true',
  'is_free = true',
  'day = day - 1',
];

it.each([
  { changes: [FOLDED, 'DELETE FROM game_totals'] },
  ...EDITS_OF_TOTALS.map((edit) => ({ changes: [FOLDED, `UPDATE game_totals SET ${edit}`] })),
  ...EDITS_BEFORE_TOTALS.map((edit) => ({ changes: [`UPDATE completed_rounds SET ${edit}`] })),
])('the proof finds edited totals of a game until they are counted again: $changes', async ({ changes }) => {
  const found = await proofAfter(...changes);
  expect(found[0]?.subject).toMatch(/^game version \d+, BASE, USD, /);
  expect(new Set(found.map(({ rule }) => rule))).toEqual(new Set([TOTALS]));
  expect(await proofAfter(...changes, FOLDED, 'SELECT recount_game_totals()')).toEqual([]);
});

it.each([
  ['a balance below zero', 'accounts_balance_in_range', "accounts SET balance_micros = -1 WHERE kind = 'player'"],
  ['a balance that JSON cannot hold', 'accounts_balance_in_range', 'accounts SET balance_micros = 9007199254740992'],
  ['a balance of the house', 'accounts_only_players_keep_a_balance', 'accounts SET balance_micros = 0'],
  [
    'a second open round of an account in a game',
    'rounds_one_open_per_account_and_game',
    'rounds SET ended_at = NULL, account_id = (SELECT max(account_id) FROM rounds)',
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

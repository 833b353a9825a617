import { randomUUID } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { sha256Of } from '../../src/rounds/sessions/sessionToken.ts';
import { startSession } from '../../src/rounds/sessions/startSession.ts';
import { booksBalance } from '../../src/store/books/booksBalance.ts';
import { databaseIn } from '../support/database.ts';
import { type Given, type LedgerPlayer, useLedger } from '../support/ledgerPlay.ts';

const COUNTS = 'a grant counts its rounds and what they pay';
const SHARES = 'the rounds of a grant are used, left, expired or cancelled, as its state says';
const ENDED = 'a grant has ended exactly when nothing is left and no round is open';
const LAST = 'the last round of a grant is one that it has completed';
const WINNINGS = 'the winnings of a grant are paid once, at its end, exactly';
const FITS = 'a free round is one of its grant, and no other round says what its end pays';
const OWNER = 'a grant is that of a player of its operator, and what its campaign gives';
const AUTOMATIC = 'a play of an account with an open automatic grant takes its rounds';
const BEFORE = 'the balance before a free round is one of its account at that time';
const DEBIT = 'a round is debited exactly once, a free one never';
const BALANCE = 'a balance is the sum of its transfers';
const AMOUNT = 'a wallet transaction has the amount of its round';
const TOTALS = 'the totals of games are those of their rounds';

const database = useLedger({ house: 2, seamless: 2 });

/** The grants have these grantIDs. */
type Name = 'finished' | 'paidAtEnd' | 'campaign' | 'seamless' | 'open';

beforeAll(async () => {
  const { db, play, end, give } = database;
  const [house, , seamless, other] = database.players as [LedgerPlayer, LedgerPlayer, LedgerPlayer, LedgerPlayer];
  const grant = async (name: Name, player: LedgerPlayer, given: Given) => {
    const externalId = await give(player, given);
    await db.grant.updateMany({ where: { externalId }, data: { externalId: name } });
  };
  const win = async (player: LedgerPlayer) => {
    await play(player, { free: true, pays: true });
    await end(player);
  };
  await play(house);
  await grant('finished', house, {});
  await win(house);
  await grant('paidAtEnd', house, { rounds: 2, paidAtEnd: true });
  await win(house);
  await win(house);
  await grant('campaign', house, { rounds: 2, amount: 2, automatic: true });
  await db.$executeRaw`
    WITH campaign AS (
      INSERT INTO campaigns (operator_id, external_id, game_ids, mode, bets, rounds, starts_at, ends_at, automatic, paid_at_end)
      SELECT operator_id, 'campaign', game_ids, mode, '{"USD": 2000000}', given, starts_at, expires_at, automatic, paid_at_end
      FROM grants WHERE external_id = 'campaign' RETURNING id
    )
    UPDATE grants g SET campaign_id = campaign.id FROM campaign WHERE external_id = 'campaign'`;
  await play(house, { free: true });
  await play(house);
  await grant('seamless', seamless, { paidAtEnd: true });
  await win(seamless);
  await grant('open', other, {});
  await play(other, { free: true, pays: true });
});

/** Returns what the proof finds after the change, which is rolled back. */
async function rulesAfter(change: string): Promise<string[]> {
  const found = new Set<string>();
  const spoilt = database.db.$transaction(async (tx) => {
    await tx.$executeRaw`ALTER TABLE grants DROP CONSTRAINT grants_count_all_rounds, DROP CONSTRAINT grants_nothing_left_after_their_end`;
    await tx.$executeRawUnsafe(change);
    for (const { rule } of (await booksBalance(databaseIn(tx))).imbalances) found.add(rule);
    throw new Error('roll back');
  });
  await expect(spoilt).rejects.toThrow('roll back');
  return [...found];
}

it('the proof finds nothing in sound grants: finished, paid at the end, half played, of a campaign and open', async () => {
  expect((await booksBalance(database.db)).imbalances).toEqual([]);
  expect(await database.db.grant.findMany({ orderBy: { id: 'asc' } })).toMatchObject([
    { externalId: 'finished', state: 'finished', used: 1, left: 0, wonMicros: 2_000_000n, endedAt: expect.any(Date) },
    { externalId: 'paidAtEnd', state: 'finished', used: 2, wonMicros: 4_000_000n, endedAt: expect.any(Date) },
    { externalId: 'campaign', state: 'accepted', used: 1, left: 1, openRounds: 0, wonMicros: 0n, endedAt: null },
    { externalId: 'seamless', state: 'finished', used: 1, wonMicros: 2_000_000n, endedAt: expect.any(Date) },
    { externalId: 'open', state: 'accepted', used: 1, left: 0, openRounds: 1, endedAt: null },
  ]);
});

const grants = (name: Name, change: string) => `UPDATE grants SET ${change} WHERE external_id = '${name}'`;
const roundOf = (name: Name) =>
  `(SELECT max(r.id) FROM rounds r JOIN grants g ON g.id = r.grant_id WHERE external_id = '${name}')`;
const MOVED = `(kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
  SELECT 'KIND', a.house_account_id, a.id, r.payout_micros, r.id, r.ended_at FROM rounds r JOIN accounts a ON a.id = r.account_id`;

it.each<[spoilt: string, change: string, rules: string[]]>([
  ['a used round that is none', grants('campaign', 'used = 2, "left" = 0'), [COUNTS, ENDED]],
  ['an open round that is none', grants('campaign', 'open_rounds = 1'), [COUNTS]],
  ['an open round that is not counted', grants('open', 'open_rounds = 0'), [COUNTS, ENDED, LAST]],
  ['a sum won that is not that of the rounds', grants('finished', 'won_micros = won_micros + 1'), [COUNTS]],
  ['rounds given that are nowhere', grants('finished', 'given = 2'), [SHARES]],
  ['rounds that are left and expired', grants('campaign', 'expired = 1'), [SHARES]],
  ['an offer that has been played', grants('campaign', "state = 'offered'"), [SHARES]],
  [
    'expired rounds of a cancelled grant',
    grants('campaign', `state = 'cancelled', "left" = 0, expired = 1, ended_at = now()`),
    [SHARES],
  ],
  ['a grant that is over and not ended', grants('finished', "state = 'accepted', ended_at = NULL"), [ENDED]],
  [
    'a cancelled grant that is not ended',
    grants('campaign', `state = 'cancelled', "left" = 0, cancelled = 1`),
    [ENDED],
  ],
  ['an ended grant with a round left', grants('campaign', 'ended_at = now()'), [ENDED]],
  ['an ended grant with an open round', grants('open', "state = 'finished', ended_at = now()"), [ENDED]],
  ['no last round', grants('finished', 'last_round_id = NULL'), [LAST]],
  ['a last round of another grant', grants('finished', `last_round_id = ${roundOf('campaign')}`), [LAST]],
  ['a last round that is open', grants('open', `last_round_id = ${roundOf('open')}`), [LAST]],
  [
    'winnings that are not the sum won',
    "UPDATE wallet_transactions SET amount_micros = amount_micros + 1 WHERE kind = 'winnings'",
    [WINNINGS],
  ],
  [
    'winnings of another moment',
    "UPDATE wallet_transactions SET created_at = created_at - interval '1 microsecond' WHERE kind = 'winnings'",
    [WINNINGS],
  ],
  ['no winnings', "DELETE FROM wallet_transactions WHERE kind = 'winnings'", [WINNINGS]],
  [
    'winnings before the end of their grant',
    grants('seamless', "state = 'accepted', ended_at = NULL"),
    [ENDED, WINNINGS],
  ],
  [
    'winnings with a round that is not the last one',
    `UPDATE transfers SET round_id = ${roundOf('campaign')} WHERE kind = 'winnings'`,
    [WINNINGS],
  ],
  [
    'winnings of the house wallet that are missing',
    "DELETE FROM transfers WHERE kind = 'winnings'",
    [BALANCE, WINNINGS, 'the balance before a round is that of the transfers before it', BEFORE],
  ],
  [
    'winnings of a grant that pays each round',
    `INSERT INTO transfers ${MOVED.replace('KIND', 'winnings')} WHERE r.id = ${roundOf('finished')}`,
    [BALANCE, WINNINGS],
  ],
  [
    'a free round of another account',
    grants('open', `account_id = (SELECT account_id FROM grants WHERE external_id = 'seamless')`),
    [FITS],
  ],
  ['a free round of another mode', grants('finished', "mode = 'BONUS'"), [FITS]],
  ['a free round with another bet', grants('finished', 'amount_micros = amount_micros + 1'), [FITS]],
  ['a free round of a game that is not of the grant', grants('finished', "game_ids = '{}'"), [FITS]],
  ['a free round before the grant began', grants('finished', "starts_at = starts_at + interval '1 hour'"), [FITS]],
  ['a free round after the grant expired', grants('finished', 'expires_at = starts_at'), [FITS]],
  ['a free round of a grant that is not there', 'DELETE FROM grants WHERE id = (SELECT max(id) FROM grants)', [FITS]],
  [
    'a paid round whose end pays another sum',
    `UPDATE rounds SET credit_micros = 0 WHERE id = (SELECT max(id) FROM rounds WHERE grant_id IS NULL)`,
    [FITS],
  ],
  [
    'a round of a grant that pays it at once, and does not',
    `UPDATE rounds SET credit_micros = 0 WHERE id = ${roundOf('open')}`,
    [FITS],
  ],
  [
    'a grant at another operator',
    grants('finished', "operator_id = (SELECT id FROM operators WHERE code = 'acme')"),
    [OWNER],
  ],
  ['a grant with another bet than its campaign', `UPDATE campaigns SET bets = '{"USD": 1000000}'`, [OWNER]],
  ['a grant with fewer rounds than its campaign gives', 'UPDATE campaigns SET rounds = rounds + 1', [OWNER]],
  ['an automatic grant that no play would take', 'UPDATE accounts SET has_automatic_grant = false', [AUTOMATIC]],
  [
    'a balance before a free round that the account never had',
    `UPDATE rounds SET balance_before_micros = balance_before_micros + 1 WHERE id = ${roundOf('finished')}`,
    [BEFORE],
  ],
  [
    'a balance before a free round that the account had later',
    `UPDATE rounds SET balance_before_micros = (SELECT balance_micros FROM accounts a WHERE a.id = account_id) WHERE id = ${roundOf('finished')}`,
    [BEFORE],
  ],
  [
    'a bet of a free round',
    `INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
     SELECT 'bet', a.id, a.house_account_id, r.debit_micros, r.id, r.opened_at FROM rounds r JOIN accounts a ON a.id = r.account_id
     WHERE r.id = ${roundOf('campaign')}`,
    [BALANCE, DEBIT, 'the balance before a round is that of the transfers before it'],
  ],
  [
    'a debit of a free round',
    `UPDATE wallet_transactions SET amount_micros = 1 WHERE kind = 'debit' AND round_id = ${roundOf('open')}`,
    [AMOUNT],
  ],
  [
    'a credit of a free round that is paid at the end',
    `UPDATE wallet_transactions SET amount_micros = 2000000 WHERE kind = 'credit' AND round_id = ${roundOf('seamless')}`,
    [AMOUNT],
  ],
  ['a free round that the totals count as paid', 'UPDATE completed_rounds SET is_free = NOT is_free', [TOTALS]],
])('the proof finds %s', async (_, change, rules) => {
  expect((await rulesAfter(change)).sort()).toEqual([...rules].sort());
});

it('winnings that the balance cannot hold wait, and the proof knows it', async () => {
  const { db, play, end, give, take } = database;
  const rich = database.players[1] as LedgerPlayer;
  const setBalance = async (balance: number) => {
    const started = await startSession(db, {
      ...{ tokenSha256: sha256Of(randomUUID()), operatorCode: 'house', playerExternalID: 'player-1' },
      ...{ currency: 'USD', gameID: 'game', gameVersion: '1.0.0', country: undefined, jurisdiction: {} },
      ...{ openingBalance: toMicros(0), setBalanceTo: toMicros(balance) },
    });
    expect(started.ok).toBe(true);
  };
  const externalId = await give(rich, { paidAtEnd: true });
  await setBalance(Number.MAX_SAFE_INTEGER);
  await play(rich, { free: true, pays: true });
  await end(rich);
  const waiting = { state: 'accepted', left: 0, openRounds: 0, wonMicros: 2_000_000n, endedAt: null };
  const grant = () => db.grant.findFirst({ where: { externalId } });
  expect(await grant()).toMatchObject(waiting);
  expect((await booksBalance(db)).imbalances).toEqual([]);
  await setBalance(0);
  await take(rich, 'expired');
  expect(await grant()).toMatchObject({ state: 'finished', endedAt: expect.any(Date) });
  expect((await booksBalance(db)).imbalances).toEqual([]);
});

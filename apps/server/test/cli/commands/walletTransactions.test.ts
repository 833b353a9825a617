import { beforeAll, describe, expect, it } from 'vitest';
import {
  lastSettlement,
  type TransactionWindow,
  walkWalletTransactions,
} from '../../../src/store/operators/walletTransactionPages.ts';
import { findWalletTransactions } from '../../../src/store/rounds/walletTransactions.ts';
import { type BooksPlayer, minutesAgo, useBooks } from './books.ts';

const PAGE = 5_000;
const BURST = PAGE + 1;

const books = useBooks();
let operatorID: number;
let player: BooksPlayer;

beforeAll(async () => {
  operatorID = await books.seamlessOperator('acme', 'http://127.0.0.1:9');
  player = await books.player(operatorID, 'anna');
});

async function walk(window: TransactionWindow): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let pages = 0;
  for await (const page of walkWalletTransactions(books.db, window)) {
    ids.push(...page.map(({ transactionID }) => transactionID));
    pages += 1;
    expect(page.length).toBeLessThanOrEqual(PAGE);
  }
  return { ids, pages };
}

describe('wallet transactions of a time', () => {
  it('are each read once, a lone one and thousands of one moment, of this operator only', async () => {
    const burstAt = minutesAgo(600);
    const [first] = (await books.round(player, [{ kind: 'debit', createdAt: minutesAgo(1_400) }])).ids;
    await books.db.$executeRaw`
      WITH made AS (
        INSERT INTO rounds (player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros, debit_micros,
          book_id, payout_multiplier, payout_micros, ended_at)
        SELECT player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros, debit_micros, book_id,
          payout_multiplier, payout_micros, now()
        FROM rounds, generate_series(1, ${BURST}::integer) RETURNING id
      )
      INSERT INTO wallet_transactions (kind, round_id, amount_micros, state, result_code, result_at, settled_by, due_at, retry_until,
        created_at, settled_at)
      SELECT 'debit', id, 1, 'accepted', 'accepted', ${burstAt}, 'operator', now(), now(), ${burstAt}, ${burstAt} FROM made`;
    const other = await books.player(await books.seamlessOperator('other', 'http://127.0.0.1:9'), 'anna');
    const strangers = await books.round(other, [{ kind: 'debit', createdAt: burstAt }]);

    const day = { operatorID, from: minutesAgo(1_440), to: new Date() };
    const { ids, pages } = await walk(day);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(BURST + 1);
    expect(ids).toContain(first);
    expect(pages).toBe(1 + Math.ceil(BURST / PAGE));
    expect((await walk({ ...day, to: burstAt })).ids).toEqual([first]);
    expect((await walk({ ...day, from: burstAt, to: new Date(burstAt.getTime() + 1) })).ids).toHaveLength(BURST);
    const found = await findWalletTransactions(books.db, operatorID, [first ?? '', ...strangers.ids]);
    expect([...found.keys()]).toEqual([first]);
  });

  it('end with their last settlement, a rollback of a later time counted too, as far as it is known', async () => {
    const [debitedAt, settledAt] = [minutesAgo(3_000), minutesAgo(2_000)];
    await books.round(player, [
      { kind: 'debit', state: 'abandoned', createdAt: debitedAt },
      { kind: 'rollback', createdAt: minutesAgo(2_500), settledAt },
    ]);
    const window = { operatorID, from: minutesAgo(3_001), to: minutesAgo(2_999) };
    expect(await lastSettlement(books.db, { ...window, asOf: new Date() })).toEqual(settledAt);
    expect(await lastSettlement(books.db, { ...window, asOf: minutesAgo(2_001) })).toEqual(debitedAt);
    const later = { ...window, from: window.to, to: settledAt, asOf: debitedAt };
    expect(await lastSettlement(books.db, later)).toBeUndefined();
    const [transaction] = (await walkWalletTransactions(books.db, window).next()).value ?? [];
    const rollback = { state: 'accepted', settledAt };
    expect(transaction).toMatchObject({ kind: 'debit', externalID: 'anna', rollback });
  });
});

type Row = Parameters<typeof books.db.walletTransaction.update>[0]['data'];

/** Changes an accepted debit, or the rollback of an abandoned one. */
async function change(kind: 'debit' | 'rollback', data: Row): Promise<void> {
  const abandoned = { kind: 'debit', state: kind === 'debit' ? 'accepted' : 'abandoned' } as const;
  const { ids } = await books.round(player, [abandoned, { kind: 'rollback' }]);
  const transactionId = ids[kind === 'debit' ? 0 : 1] ?? '';
  await books.db.walletTransaction.update({ where: { transactionId }, data });
}

const OPEN = { settledAt: null, settledBy: null } as const;
/** The state before the first attempt. */
const UNTRIED = { state: 'pending', resultCode: null, resultAt: null } as const;

// The tests that settle wallet transactions show what the database takes.
it.each<[constraint: string, 'debit' | 'rollback', Row]>([
  ['amount_in_range', 'debit', { amountMicros: -1 }],
  ['amount_in_range', 'debit', { amountMicros: 2 ** 53 }],
  ['result_code_known', 'rollback', { ...OPEN, state: 'pending', resultCode: 'ERR_WHAT' }],
  ['result_has_time', 'debit', { resultAt: null }],
  ['result_has_time', 'debit', { ...OPEN, ...UNTRIED, resultAt: new Date() }],
  ['result_has_time', 'debit', { ...OPEN, ...UNTRIED, httpStatus: 200 }],
  ['result_has_time', 'debit', { ...OPEN, ...UNTRIED, resultDetail: 'a detail' }],
  ['http_status_of_a_response', 'debit', { httpStatus: 99 }],
  ['http_status_of_a_response', 'debit', { state: 'abandoned', resultCode: 'timeout', httpStatus: 500 }],
  ['settled_has_settler', 'debit', { settledAt: null }],
  ['settled_has_settler', 'debit', { settledBy: null }],
  ['settled_has_settler', 'debit', { state: 'pending', settledAt: null }],
  ['note_of_a_person', 'debit', { settlementNote: 'a note' }],
  ['note_of_a_person', 'rollback', { settledBy: 'person' }],
  ['state_agrees_with_result', 'debit', OPEN],
  ['state_agrees_with_result', 'debit', { state: 'pending' }],
  ['state_agrees_with_result', 'debit', { state: 'parked' }],
  ['state_agrees_with_result', 'debit', { state: 'accepted', settledBy: 'recovery' }],
  ['state_agrees_with_result', 'debit', { resultCode: 'ERR_BNF' }],
  ['state_agrees_with_result', 'debit', { resultCode: 'timeout' }],
  ['state_agrees_with_result', 'debit', { state: 'refused' }],
  ['state_agrees_with_result', 'debit', { state: 'refused', resultCode: 'ERR_UE' }],
  ['state_agrees_with_result', 'debit', { state: 'abandoned', resultCode: 'ERR_IPB' }],
  ['state_agrees_with_result', 'debit', { state: 'abandoned', resultCode: 'timeout', settledBy: 'recovery' }],
  ['state_agrees_with_result', 'rollback', { resultCode: 'ERR_GE' }],
  ['state_agrees_with_result', 'rollback', { state: 'refused', resultCode: 'ERR_BNF' }],
  ['state_agrees_with_result', 'rollback', { state: 'abandoned', settledBy: 'person', settlementNote: 'seen' }],
])('%s: the database refuses a %s with %j', async (constraint, kind, data) => {
  await expect(change(kind, data)).rejects.toThrow(`wallet_transactions_${constraint}`);
});

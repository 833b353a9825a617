import { beforeAll, describe, expect, it } from 'vitest';
import {
  lastSettlement,
  type TransactionWindow,
  walkWalletTransactions,
} from '../../src/ledger/queries/walletTransactionPages.ts';
import { findWalletTransactions } from '../../src/ledger/queries/walletTransactions.ts';
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
          book_id, payout_multiplier, payout_micros, closed_at)
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
    expect(
      await lastSettlement(books.db, { ...window, from: window.to, to: settledAt, asOf: debitedAt }),
    ).toBeUndefined();
    const [transaction] = (await walkWalletTransactions(books.db, window).next()).value ?? [];
    expect(transaction).toMatchObject({
      kind: 'debit',
      externalID: 'anna',
      rollback: { state: 'accepted', settledAt },
    });
  });
});

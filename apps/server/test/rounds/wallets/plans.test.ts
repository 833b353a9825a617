import { randomUUID } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { expect, it } from 'vitest';
import { acceptDebits, settleClosings, settleWalletTransactions } from '../../../src/ledger/commands.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { renewDebitLeases } from '../../../src/store/rounds/walletTransactions.ts';
import { useBooks } from '../../cli/commands/books.ts';
import { ACCEPT, BY_OPERATOR } from '../../support/seamlessServer.ts';

const books = useBooks();

it('no settlement or renewal reads the index of what is pending, where an operator that is down may leave thousands', async () => {
  const db = openDatabase({ url: books.url, connections: 1 });
  const scans = async (index: string) => {
    for (const pool of [db.leases, db.pool]) await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await db.pool.query<{ count: number }>(
      'SELECT idx_scan::integer AS count FROM pg_stat_user_indexes WHERE indexrelname = $1',
      [index],
    );
    return rows[0]?.count ?? Number.NaN;
  };
  const transactionID = randomUUID();
  const before = await scans('wallet_transactions_pkey');
  const accepted = { transactionID, httpStatus: 200, reportedBalance: toMicros(0), reference: undefined };
  await acceptDebits.run(db, [{ ...accepted, autoClose: true, walletTimeoutMs: 1_000, closed: false }]);
  await settleClosings.run(db, [{ transactionID, ...ACCEPT }]);
  const settlement = { result: 'accepted', ...ACCEPT, ...BY_OPERATOR } as const;
  await settleWalletTransactions.run(db, [{ playerID: 1n, transactionID, ...settlement }]);
  await renewDebitLeases(db, [transactionID]);
  expect(await scans('wallet_transactions_pkey')).toBe(before + 4);
  expect(await scans('wallet_transactions_due')).toBe(0);
  await db.$disconnect();
});

it('each new id of a wallet transaction is above those of earlier times, so every index grows at its end', async () => {
  const [ids] = await books.db.$queryRaw<{ first: string; second: string; version: number }[]>`
    WITH first AS MATERIALIZED (SELECT wallet_transaction_id() AS id, pg_sleep(0.002))
    SELECT id::text AS first, wallet_transaction_id()::text AS second, uuid_extract_version(id)::integer AS version FROM first`;
  expect(ids).toEqual({ first: expect.any(String), second: expect.any(String), version: 7 });
  expect(String(ids?.second) > String(ids?.first)).toBe(true);
});

import type { TransactionListRequest } from '@roundhouse/contract';
import { listTransactions, type TransactionPlace, type TransactionRow } from '../ledger/transactions.ts';
import { type Refused, refused } from './outcome.ts';
import type { WalletDeps } from './session.ts';

export const TRANSACTIONS_PER_PAGE = 50;

/** The last row of the previous page has this time in milliseconds and this id. */
const CURSOR = /^(\d{1,15})\.(\d{1,18})$/;
/** PostgreSQL and JavaScript write years BC differently. No transaction is that old. */
const EARLIEST_MS = 0;

export type TransactionPage = { ok: true; rows: TransactionRow[]; cursor: string | null };

/**
 * Returns the transactions between two instants, oldest first. A page that is not full is the last
 * one.
 */
export async function transactions(
  { ledger }: Pick<WalletDeps, 'ledger'>,
  { from, to, cursor, limit = TRANSACTIONS_PER_PAGE }: TransactionListRequest,
): Promise<TransactionPage | Refused> {
  const after = placeOf(cursor);
  if (after === 'unknown') return refused('cursor_unknown');
  const perPage = Math.min(limit, TRANSACTIONS_PER_PAGE);
  const rows = await listTransactions(ledger.db, {
    from: instantOf(from),
    to: instantOf(to),
    after,
    limit: perPage + 1,
  });
  const page = rows.slice(0, perPage);
  const last = rows.length > perPage ? page.at(-1) : undefined;
  return { ok: true, rows: page, cursor: last === undefined ? null : `${last.at.getTime()}.${last.id}` };
}

function placeOf(cursor: string | undefined): TransactionPlace | undefined | 'unknown' {
  if (cursor === undefined) return undefined;
  const [, ms, id] = CURSOR.exec(cursor) ?? [];
  return ms === undefined || id === undefined ? 'unknown' : { at: new Date(Number(ms)), id: BigInt(id) };
}

function instantOf(text: string): Date {
  return new Date(Math.max(EARLIEST_MS, Date.parse(text)));
}

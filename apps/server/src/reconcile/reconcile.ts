import { type ListedTransaction, SIGNATURE_WINDOW_SECONDS } from '@roundhouse/contract';
import { type Database, databaseClock } from '../ledger/database.ts';
import {
  countWalletTransactions,
  lastSettlement,
  walkWalletTransactions,
} from '../ledger/queries/walletTransactionPages.ts';
import { findWalletTransactions } from '../ledger/queries/walletTransactions.ts';
import type { WalletTransaction } from '../ledger/walletTransaction.ts';
import { type ComparedTime, Comparison, type Difference } from './comparison.ts';
import type { ListRefusal, OperatorList } from './operatorList.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_LENGTH_MS = 24 * HOUR_MS;
/** Most wallet transactions that are younger are not settled yet. */
const DEFAULT_AGE_MS = 60_000;
/**
 * The operator acts between our creating a wallet transaction and our settling it, by a clock that
 * signatures allow.
 */
const CLOCK_MARGIN_MS = (SIGNATURE_WINDOW_SECONDS + 60) * 1_000;
/** So many listed transactions are looked up here at once. */
const BATCH_SIZE = 1_000;

export type ReconcileOptions = {
  db: Database;
  operatorID: number;
  list: OperatorList;
  /** The clock of the database gives this time. Without it, it is 24 hours before `to`. */
  from: Date | undefined;
  /** It is exclusive. Without it, it is a minute ago; a later moment than now is now. */
  to: Date | undefined;
  onDifference: (difference: Difference) => void;
  onUnsettled: (transaction: WalletTransaction) => void;
  /** It gets the number of rows of both sides that were compared so far. */
  onProgress?: (compared: number) => void;
  /** The comparison ends at its next page, and throws. */
  signal?: AbortSignal;
};

export type Reconciled = {
  ok: true;
  time: ComparedTime;
  /** Each side has so many wallet transactions of the compared time. */
  ours: number;
  theirs: number;
  /**
   * So many of ours were younger than a minute, and not compared. It is undefined when the caller
   * chose the end of the time.
   */
  younger: number | undefined;
};
export type ReconcileRefusal = ListRefusal | { kind: 'no_time'; from: Date; to: Date };

/**
 * Compares our wallet transactions with the operator's list, and reports each difference at once.
 * Memory does not grow with the lists.
 */
export async function reconcile(
  options: ReconcileOptions,
): Promise<Reconciled | { ok: false; refusal: ReconcileRefusal }> {
  const { db, operatorID, list, onDifference, onUnsettled, onProgress, signal } = options;
  const asOf = await databaseClock(db);
  const to = new Date(Math.min(options.to?.getTime() ?? asOf.getTime() - DEFAULT_AGE_MS, asOf.getTime()));
  const from = options.from ?? new Date(to.getTime() - DEFAULT_LENGTH_MS);
  if (from >= to) return { ok: false, refusal: { kind: 'no_time', from, to } };

  const time = { from, to, asOf };
  const comparison = new Comparison(time, list);
  const theirs = await compareTheirs(options, comparison, time);
  if (!theirs.ok) return theirs;
  let ours = 0;
  for await (const page of walkWalletTransactions(db, { operatorID, from, to })) {
    const { differences, unsettled } = comparison.ours(page);
    ours += page.length;
    differences.forEach(onDifference);
    unsettled.forEach(onUnsettled);
    onProgress?.(theirs.compared + ours);
    signal?.throwIfAborted();
  }
  const younger =
    options.to === undefined ? await countWalletTransactions(db, { operatorID, from: to, to: asOf }) : undefined;
  return { ok: true, time, ours, theirs: theirs.count, younger };
}

async function compareTheirs(
  { db, operatorID, list, onDifference, onProgress, signal }: ReconcileOptions,
  comparison: Comparison,
  { from, to, asOf }: ComparedTime,
): Promise<{ ok: true; count: number; compared: number } | { ok: false; refusal: ListRefusal }> {
  const settled = await lastSettlement(db, { operatorID, from, to, asOf });
  const lastMs = Math.max(to.getTime(), settled?.getTime() ?? 0);
  const window = { from: new Date(from.getTime() - CLOCK_MARGIN_MS), to: new Date(lastMs + CLOCK_MARGIN_MS) };
  let count = 0;
  let compared = 0;
  for await (const page of list.read(window)) {
    if (!page.ok) return page;
    for (const batch of batchesOf(page.transactions)) {
      const ids = batch.map(({ transactionID }) => transactionID);
      const known = await findWalletTransactions(db, operatorID, ids);
      comparison.theirs(batch, known).forEach(onDifference);
    }
    count += page.transactions.filter(({ at }) => new Date(at) >= from && new Date(at) < to).length;
    compared += page.transactions.length;
    onProgress?.(compared);
    signal?.throwIfAborted();
  }
  return { ok: true, count, compared };
}

function* batchesOf(transactions: readonly ListedTransaction[]): Generator<readonly ListedTransaction[]> {
  for (let begin = 0; begin < transactions.length; begin += BATCH_SIZE) {
    yield transactions.slice(begin, begin + BATCH_SIZE);
  }
}

import { type ListedTransaction, SIGNATURE_WINDOW_SECONDS } from '@roundhouse/contract';
import { MS_PER_HOUR } from '../../base/durations.ts';
import { type Database, databaseClock } from '../../store/database/database.ts';
import {
  countWalletTransactions,
  lastSettlement,
  walkWalletTransactions,
} from '../../store/operators/walletTransactionPages.ts';
import type { WalletTransaction } from '../../store/rounds/walletTransaction.ts';
import { findWalletTransactions } from '../../store/rounds/walletTransactions.ts';
import { type ComparedTime, Comparison, type Difference } from './comparison.ts';
import type { ListRefusal, OperatorList } from './operatorList.ts';

const DEFAULT_LENGTH_MS = 24 * MS_PER_HOUR;
/** Most wallet transactions that are younger than this are not settled yet. */
const DEFAULT_AGE_MS = 60_000;
/**
 * The operator's clock may differ by what signatures allow, and the operator acts between the
 * creation and the settlement of a wallet transaction.
 */
const CLOCK_MARGIN_MS = (SIGNATURE_WINDOW_SECONDS + 60) * 1_000;
/** The number of listed transactions that are looked up here at once. */
const BATCH_SIZE = 1_000;

export type Books = { db: Database; operatorID: number };

export type ReconcileOptions<Own extends Books> = {
  /** The operator's list is compared with all of these together; no two of them share a row. */
  books: readonly Own[];
  list: OperatorList;
  /** A time by the clock of the database, by default 24 hours before `to`. */
  from: Date | undefined;
  /** It is exclusive. Without it, it is a minute ago; a moment in the future counts as now. */
  to: Date | undefined;
  /** `of`: the books of the difference; undefined when the transaction is in none of them. */
  onDifference: (difference: Difference, of: Own | undefined) => void;
  onUnsettled: (transaction: WalletTransaction, of: Own) => void;
  /** Gets the number of rows of both sides that were compared up to now. */
  onProgress?: (compared: number) => void;
  /** When it is aborted, the comparison ends at its next page, and throws. */
  signal?: AbortSignal;
};

export type Reconciled = {
  ok: true;
  time: ComparedTime;
  /**
   * How many wallet transactions each side has in the compared time. Ours are without those that
   * the operator has refused or never seen.
   */
  ours: number;
  theirs: number;
  /** Counts our transactions in each of the books, in their order. */
  oursIn: readonly number[];
  /**
   * The number of ours that were younger than a minute and were not compared. It is undefined when
   * the caller chose the end of the time.
   */
  younger: number | undefined;
};
export type ReconcileRefusal = ListRefusal | { kind: 'no_time'; from: Date; to: Date };

/** Each database has its own clock and its own round ids, so each has a separate comparison. */
type Side<Own extends Books> = { of: Own; comparison: Comparison; time: ComparedTime };

/**
 * Compares our wallet transactions with the operator's list, and reports each difference at once.
 * Memory does not grow with the lists.
 */
export async function reconcile<Own extends Books>(
  options: ReconcileOptions<Own>,
): Promise<Reconciled | { ok: false; refusal: ReconcileRefusal }> {
  const { books, list, onDifference, onUnsettled, onProgress, signal } = options;
  const clocks = await Promise.all(books.map(({ db }) => databaseClock(db)));
  const asOf = new Date(Math.min(...clocks.map((clock) => clock.getTime())));
  const to = new Date(Math.min(options.to?.getTime() ?? asOf.getTime() - DEFAULT_AGE_MS, asOf.getTime()));
  const from = options.from ?? new Date(to.getTime() - DEFAULT_LENGTH_MS);
  if (from >= to) return { ok: false, refusal: { kind: 'no_time', from, to } };

  const sides = books.map((of, at): Side<Own> => {
    const time = { from, to, asOf: clocks[at] ?? asOf };
    return { of, time, comparison: new Comparison(time, list) };
  });
  const theirs = await compareTheirs(options, sides, { from, to });
  if (!theirs.ok) return theirs;
  const oursIn = sides.map(() => 0);
  let [ours, younger, compared] = [0, 0, theirs.compared];
  for (const [at, { of, comparison, time }] of sides.entries()) {
    const { db, operatorID } = of;
    for await (const page of walkWalletTransactions(db, { operatorID, from, to })) {
      const { count, differences, unsettled } = comparison.ours(page);
      ours += count;
      oursIn[at] = (oursIn[at] ?? 0) + count;
      compared += page.length;
      for (const each of differences) onDifference(each, of);
      for (const each of unsettled) onUnsettled(each, of);
      onProgress?.(compared);
      signal?.throwIfAborted();
    }
    if (options.to === undefined) younger += await countWalletTransactions(db, { operatorID, from: to, to: time.asOf });
  }
  const time = { from, to, asOf };
  const counts = { ours, oursIn, theirs: theirs.count };
  return { ok: true, time, ...counts, younger: options.to === undefined ? younger : undefined };
}

async function compareTheirs<Own extends Books>(
  { list, onDifference, onProgress, signal }: ReconcileOptions<Own>,
  sides: readonly Side<Own>[],
  { from, to }: Pick<ComparedTime, 'from' | 'to'>,
): Promise<{ ok: true; count: number; compared: number } | { ok: false; refusal: ListRefusal }> {
  const settled = await Promise.all(
    sides.map(({ of: { db, operatorID }, time }) => lastSettlement(db, { operatorID, ...time })),
  );
  const lastMs = Math.max(to.getTime(), ...settled.map((moment) => moment?.getTime() ?? 0));
  const window = { from: new Date(from.getTime() - CLOCK_MARGIN_MS), to: new Date(lastMs + CLOCK_MARGIN_MS) };
  let count = 0;
  let compared = 0;
  for await (const page of list.read(window)) {
    if (!page.ok) return page;
    for (const batch of batchesOf(page.transactions)) {
      for (const { difference, of } of await compareBatch(sides, batch)) onDifference(difference, of);
    }
    count += page.transactions.filter(({ at }) => new Date(at) >= from && new Date(at) < to).length;
    compared += page.transactions.length;
    onProgress?.(compared);
    signal?.throwIfAborted();
  }
  return { ok: true, count, compared };
}

/**
 * Compares each transaction with the books that have it. A transaction in no books counts as not
 * ours.
 */
async function compareBatch<Own extends Books>(
  sides: readonly Side<Own>[],
  batch: readonly ListedTransaction[],
): Promise<{ difference: Difference; of: Own | undefined }[]> {
  const ids = batch.map(({ transactionID }) => transactionID);
  const known = await Promise.all(
    sides.map(async (side) => ({
      side,
      ours: await findWalletTransactions(side.of.db, side.of.operatorID, ids),
    })),
  );
  return batch.flatMap((theirs) => {
    const owner = known.find(({ ours }) => ours.has(theirs.transactionID.toLowerCase()));
    const { side, ours } = owner ?? (known[0] as (typeof known)[number]);
    return side.comparison.theirs([theirs], ours).map((difference) => ({ difference, of: owner?.side.of }));
  });
}

function* batchesOf(transactions: readonly ListedTransaction[]): Generator<readonly ListedTransaction[]> {
  for (let begin = 0; begin < transactions.length; begin += BATCH_SIZE) {
    yield transactions.slice(begin, begin + BATCH_SIZE);
  }
}

import { setTimeout } from 'node:timers/promises';
import { type ListedTransaction, SIGNATURE_WINDOW_SECONDS, type TransactionListResponse } from '@roundhouse/contract';
import { type Database, databaseClock } from '../ledger/database.ts';
import type { WalletOperator } from '../ledger/queries/operators.ts';
import {
  countWalletTransactions,
  lastSettlement,
  walkWalletTransactions,
} from '../ledger/queries/walletTransactionPages.ts';
import { findWalletTransactions } from '../ledger/queries/walletTransactions.ts';
import { resultText, type WalletTransaction } from '../ledger/walletTransaction.ts';
import type { WalletClient } from '../wallets/seamless/walletClient.ts';
import { storedResult, type WalletRequest } from '../wallets/seamless/walletResult.ts';
import { type ComparedTime, Comparison, type Difference } from './comparison.ts';

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
  client: WalletClient;
  operator: WalletOperator;
  /** The clock of the database gives this time. Without it, it is 24 hours before `to`. */
  from: Date | undefined;
  /** It is exclusive. Without it, it is a minute ago; a later moment than now is now. */
  to: Date | undefined;
  onDifference: (difference: Difference) => void;
  onUnsettled: (transaction: WalletTransaction) => void;
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
  const { db, onDifference, onUnsettled } = options;
  const { operatorID } = options.operator;
  const asOf = await databaseClock(db);
  const to = new Date(Math.min(options.to?.getTime() ?? asOf.getTime() - DEFAULT_AGE_MS, asOf.getTime()));
  const from = options.from ?? new Date(to.getTime() - DEFAULT_LENGTH_MS);
  if (from >= to) return { ok: false, refusal: { kind: 'no_time', from, to } };

  const time = { from, to, asOf };
  const comparison = new Comparison(time);
  const theirs = await compareTheirs(options, comparison, time);
  if (!theirs.ok) return theirs;
  let ours = 0;
  for await (const page of walkWalletTransactions(db, { operatorID, from, to })) {
    const { differences, unsettled } = comparison.ours(page);
    ours += page.length;
    differences.forEach(onDifference);
    unsettled.forEach(onUnsettled);
  }
  const younger =
    options.to === undefined ? await countWalletTransactions(db, { operatorID, from: to, to: asOf }) : undefined;
  return { ok: true, time, ours, theirs: theirs.count, younger };
}

async function compareTheirs(
  { db, client, operator, onDifference }: ReconcileOptions,
  comparison: Comparison,
  { from, to, asOf }: ComparedTime,
): Promise<{ ok: true; count: number } | { ok: false; refusal: ListRefusal }> {
  const { operatorID } = operator;
  const settled = await lastSettlement(db, { operatorID, from, to, asOf });
  const lastMs = Math.max(to.getTime(), settled?.getTime() ?? 0);
  const window = {
    from: new Date(from.getTime() - CLOCK_MARGIN_MS).toISOString(),
    to: new Date(lastMs + CLOCK_MARGIN_MS).toISOString(),
  };
  let count = 0;
  let cursor: string | null = null;
  do {
    const read = await readListPage(client, operator, cursor === null ? window : { ...window, cursor });
    if (!read.ok) return read;
    const { transactions, cursor: next } = read.page;
    for (const batch of batchesOf(transactions)) {
      const ids = batch.map(({ transactionID }) => transactionID);
      const known = await findWalletTransactions(db, operatorID, ids);
      comparison.theirs(batch, known).forEach(onDifference);
    }
    count += transactions.filter(({ at }) => new Date(at) >= from && new Date(at) < to).length;
    if (next !== null && next === cursor) return unreadable('a page of its list names itself as the next one');
    cursor = next;
  } while (cursor !== null);
  return { ok: true, count };
}

function* batchesOf(transactions: readonly ListedTransaction[]): Generator<readonly ListedTransaction[]> {
  for (let begin = 0; begin < transactions.length; begin += BATCH_SIZE) {
    yield transactions.slice(begin, begin + BATCH_SIZE);
  }
}

/**
 * not_offered: the operator has no such list. unreadable: its response is no page of a list; a
 * person reads `why`.
 */
type ListRefusal = { kind: 'not_offered' } | { kind: 'unreadable'; why: string };
type ListPage = { ok: true; page: TransactionListResponse } | { ok: false; refusal: ListRefusal };

/** A page of transactions is more work than a bet, and no player waits for it. */
const MIN_TIMEOUT_MS = 30_000;
/** Reading moves no money, so a failed request is repeated after these pauses. */
const PAUSES_MS = [500, 2_000];

/** Reads one page of the operator's list. */
async function readListPage(
  client: WalletClient,
  operator: WalletOperator,
  body: WalletRequest<'transactions'>,
): Promise<ListPage> {
  const withLongTimeout = { ...operator, timeoutMs: Math.max(operator.timeoutMs, MIN_TIMEOUT_MS) };
  for (let attempt = 0; ; attempt += 1) {
    const result = await client.send(withLongTimeout, 'transactions', body);
    if (result.kind === 'accepted') return { ok: true, page: result.body };
    if (result.kind === 'refused') return unreadable(result.code);
    if (result.kind === 'lacking') return { ok: false, refusal: { kind: 'not_offered' } };
    const pauseMs = PAUSES_MS[attempt];
    if (pauseMs === undefined) return unreadable(resultText(storedResult(result)) ?? result.kind);
    await setTimeout(pauseMs);
  }
}

function unreadable(why: string): { ok: false; refusal: ListRefusal } {
  return { ok: false, refusal: { kind: 'unreadable', why } };
}

import { type ListedTransaction, SIGNATURE_WINDOW_SECONDS, transactionListResponseSchema } from '@roundhouse/contract';
import { CheckFailure, NotTestable, parseJson, type SentTransaction, sentTransactions } from './exchange.ts';
import { unlike } from './steps.ts';
import { playerOf, type WalletRule, type WalletUnderTest } from './walletUnderTest.ts';

/** Clocks that are further apart than this fail every signature. */
const CLOCK_MARGIN_MS = SIGNATURE_WINDOW_SECONDS * 1000;
/** A list that goes on after this number of pages does not end. */
const MAX_PAGES = 500;

/**
 * Times are ISO 8601; `from` is in, `to` is not. `limit` is the most transactions of a page; the
 * wallet chooses when it is left out.
 */
type Window = { from: string; to: string; limit?: number };

/** The span begins before the run and ends after now, by any clock that signatures pass with. */
function wholeRun({ startedAtMs }: WalletUnderTest): Window {
  return {
    from: new Date(startedAtMs - CLOCK_MARGIN_MS).toISOString(),
    to: new Date(Date.now() + CLOCK_MARGIN_MS).toISOString(),
  };
}

/**
 * Returns what the wallet lists of this run, page by page. It leaves out what others have moved
 * meanwhile.
 */
async function listPages(wallet: WalletUnderTest, window = wholeRun(wallet)): Promise<ListedTransaction[][]> {
  // Without a player nothing was moved, and an empty list would pass for a right one.
  playerOf(wallet);
  const ours = new Set(sentTransactions(wallet.history()).map(({ transactionID }) => transactionID));
  const pages: ListedTransaction[][] = [];
  let cursor: string | null = null;
  do {
    const page = await readPage(wallet, cursor === null ? window : { ...window, cursor });
    pages.push(page.transactions.filter(({ transactionID }) => ours.has(transactionID)));
    if (pages.length > MAX_PAGES) throw new CheckFailure(`the list has not ended after ${MAX_PAGES} pages`);
    if (page.cursor !== null && page.cursor === cursor) throw new CheckFailure('a page names itself as the next one');
    cursor = page.cursor;
  } while (cursor !== null);
  return pages;
}

async function listTransactions(wallet: WalletUnderTest, window?: Window): Promise<ListedTransaction[]> {
  return (await listPages(wallet, window)).flat();
}

async function readPage(wallet: WalletUnderTest, body: Window & { cursor?: string }) {
  const exchange = await wallet.call('transactions', body);
  const { response } = exchange;
  if (response.came && response.status === 404)
    throw new NotTestable('the wallet has no /transactions (404), which is optional');
  if (!response.came || response.status !== 200) throw unlike(exchange, 'a page of transactions (200)');
  const page = transactionListResponseSchema.safeParse(parseJson(response.body));
  if (!page.success) throw unlike(exchange, 'a page of transactions');
  const { length } = page.data.transactions;
  if (body.limit !== undefined && length > body.limit)
    throw new CheckFailure(`a page holds ${length} transactions, its limit is ${body.limit}`);
  return page.data;
}

const COMPARED = ['roundID', 'playerID', 'currency', 'debitTransactionID'] as const;

/**
 * Returns what is wrong with how the wallet lists a transaction; undefined when nothing is. `sent`:
 * all transactions of the run.
 */
function listingIssue(
  transaction: SentTransaction,
  { listed, sent }: { listed: readonly ListedTransaction[]; sent: readonly SentTransaction[] },
): string | undefined {
  const [entry] = listed;
  const expected = expectedAmount(transaction, sent);
  if (listed.length > 1) return `listed ${listed.length} times`;
  if (transaction.outcome === 'uncertain') return undefined;
  if (entry === undefined) return expected === undefined ? undefined : 'not listed';
  if (entry.amount !== (expected ?? 0)) return `listed with ${entry.amount} micros, it moved ${expected ?? 0}`;
  if (expected === undefined) return undefined;
  if (entry.kind !== transaction.kind) return `listed as a ${entry.kind}`;
  const other = COMPARED.find((name) => entry[name] !== transaction.body[name] && transaction.body[name] !== undefined);
  return (
    other && `listed with ${other} ${JSON.stringify(entry[other])}, it was ${JSON.stringify(transaction.body[other])}`
  );
}

/** Returns micros; undefined for what moved nothing and need not be listed. */
function expectedAmount(transaction: SentTransaction, sent: readonly SentTransaction[]): number | undefined {
  if (transaction.outcome !== 'accepted') return undefined;
  if (transaction.kind !== 'rollback') return transaction.body.amount as number;
  const { debitTransactionID } = transaction.body;
  const accepted = sent.filter(({ outcome }) => outcome === 'accepted');
  const first = accepted.find(
    ({ kind, body }) => kind === 'rollback' && body.debitTransactionID === debitTransactionID,
  );
  // A second rollback of the same debit has given nothing back.
  if (first !== transaction) return undefined;
  return accepted.find(({ transactionID }) => transactionID === debitTransactionID)?.body.amount as number | undefined;
}

/** Expects no transaction earlier than the one before it. Equal instants may have any order. */
function expectRising(transactions: readonly ListedTransaction[], what: string): void {
  const atMs = transactions.map(({ at }) => Date.parse(at));
  const fall = atMs.findIndex((ms, index) => index > 0 && ms < (atMs[index - 1] ?? ms));
  if (fall === -1) return;
  const [earlier, later] = [transactions[fall - 1], transactions[fall]];
  throw new CheckFailure(
    `in ${what} ${later?.transactionID} (${later?.at}) comes after ${earlier?.transactionID} (${earlier?.at})`,
  );
}

const idsOf = (transactions: readonly ListedTransaction[]) => transactions.map(({ transactionID }) => transactionID);

/** With this limit, three transactions show whether the second page continues the first. */
const PAGE_LIMIT = 2;
/**
 * Small pages of what a busy wallet did in minutes would be thousands, so a few transactions of the
 * run have to do.
 */
const PAGED_TRANSACTIONS = 7;

/**
 * Returns a span that begins with the first of our transactions. It ends before the next one whose
 * instant is not that of the seventh.
 */
function windowOfSome(ours: readonly ListedTransaction[], { to }: Window): Window {
  const [first] = ours;
  if (first === undefined) throw new NotTestable('the wallet lists no transaction of this run');
  const lastInside = ours[PAGED_TRANSACTIONS - 1] ?? first;
  const after = ours.slice(PAGED_TRANSACTIONS).find(({ at }) => Date.parse(at) > Date.parse(lastInside.at));
  return { from: first.at, to: after?.at ?? to };
}

export const TRANSACTION_RULES: readonly WalletRule[] = [
  {
    id: 'transactions.once',
    rule: 'The list holds every transaction of this run exactly once, as it was made, and nothing that was refused.',
    async run(wallet) {
      const all = await listTransactions(wallet);
      const sent = sentTransactions(wallet.history());
      for (const transaction of sent) {
        const listed = all.filter(({ transactionID }) => transactionID === transaction.transactionID);
        const issue = listingIssue(transaction, { listed, sent });
        if (issue !== undefined) throw new CheckFailure(`${transaction.kind} ${transaction.transactionID}: ${issue}`);
      }
    },
  },
  {
    id: 'transactions.order',
    rule: 'The list is in the order in which the transactions were made.',
    async run(wallet) {
      const listed = await listTransactions(wallet);
      expectRising(listed, 'the list');
      const byID = new Map(listed.map((each) => [each.transactionID, each]));
      const made = sentTransactions(wallet.history()).filter(
        ({ outcome, atOnce }) => outcome === 'accepted' && !atOnce,
      );
      expectRising(
        made.flatMap(({ transactionID }) => byID.get(transactionID) ?? []),
        'what was made one after the other',
      );
    },
  },
  {
    id: 'transactions.paged',
    rule: 'Each page holds at most its limit and goes on where the one before ended, and the last has no cursor.',
    async run(wallet) {
      const window = windowOfSome(await listTransactions(wallet), wholeRun(wallet));
      const whole = idsOf(await listTransactions(wallet, window));
      if (whole.length <= PAGE_LIMIT)
        throw new NotTestable(`the transactions of the run fill one page of ${PAGE_LIMIT}`);
      const pages = await listPages(wallet, { ...window, limit: PAGE_LIMIT });
      const earlier = new Set<string>();
      for (const ids of pages.map(idsOf)) {
        const again = ids.find((id) => earlier.has(id));
        if (again !== undefined) throw new CheckFailure(`${again} stands on two pages`);
        for (const id of ids) earlier.add(id);
      }
      const missing = whole.find((id) => !earlier.has(id));
      if (missing !== undefined) throw new CheckFailure(`${missing} stands on no page of ${PAGE_LIMIT}`);
    },
  },
  {
    id: 'transactions.window',
    rule: 'The list holds what was made within its window: from the first instant on, and before the last.',
    async run(wallet) {
      const { from, to } = wholeRun(wallet);
      const all = await listTransactions(wallet);
      const middle = all[Math.floor(all.length / 2)];
      if (middle === undefined) throw new NotTestable('the wallet lists no transaction of this run');
      const before = idsOf(await listTransactions(wallet, { from, to: middle.at }));
      const since = idsOf(await listTransactions(wallet, { from: middle.at, to }));
      if (before.includes(middle.transactionID)) throw new CheckFailure(`${middle.at} is listed before ${middle.at}`);
      if (!since.includes(middle.transactionID))
        throw new CheckFailure(`${middle.at} is not listed from ${middle.at} on`);
      const both = before.find((id) => since.includes(id));
      if (both !== undefined) throw new CheckFailure(`${both} is listed before ${middle.at} and from then on`);
      const neither = idsOf(all).find((id) => !before.includes(id) && !since.includes(id));
      if (neither !== undefined)
        throw new CheckFailure(`${neither} is listed neither before ${middle.at} nor from then on`);
    },
  },
];

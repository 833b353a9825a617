import { SIGNATURE_WINDOW_SECONDS, transactionListResponseSchema, type WalletTransaction } from '@roundhouse/contract';
import { parseJson } from './exchange.ts';
import { unlike } from './expectations.ts';
import { sentMovements } from './sentMovements.ts';
import { CheckFailure, NotTestable } from './verdicts.ts';
import { playerOf, type WalletUnderTest } from './walletUnderTest.ts';

/** Clocks that are further apart than this fail every signature. */
const CLOCK_MARGIN_MS = SIGNATURE_WINDOW_SECONDS * 1000;
/** A list that goes on after so many pages does not end. */
const MAX_PAGES = 500;

/** ISO 8601; `from` is in, `to` is not. `limit`: the most movements of a page; the wallet chooses when left out. */
export type Window = { from: string; to: string; limit?: number };

/** From before the run until after now, by any clock that signatures pass with. */
export function wholeRun({ startedAtMs }: WalletUnderTest): Window {
  return {
    from: new Date(startedAtMs - CLOCK_MARGIN_MS).toISOString(),
    to: new Date(Date.now() + CLOCK_MARGIN_MS).toISOString(),
  };
}

/** What the wallet lists of this run, page by page. What others have moved meanwhile is left out. */
export async function listPages(wallet: WalletUnderTest, window = wholeRun(wallet)): Promise<WalletTransaction[][]> {
  // Without a player nothing was moved, and an empty list would pass for a right one.
  playerOf(wallet);
  const ours = new Set(sentMovements(wallet.history()).map(({ transactionID }) => transactionID));
  const pages: WalletTransaction[][] = [];
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

export async function listMovements(wallet: WalletUnderTest, window?: Window): Promise<WalletTransaction[]> {
  return (await listPages(wallet, window)).flat();
}

async function readPage(wallet: WalletUnderTest, body: Window & { cursor?: string }) {
  const exchange = await wallet.call('transactions', body);
  const { answer } = exchange;
  if (answer.came && answer.status === 404) throw new NotTestable('not offered by this wallet (404), and optional');
  if (!answer.came || answer.status !== 200) throw unlike(exchange, 'a page of movements (200)');
  const page = transactionListResponseSchema.safeParse(parseJson(answer.body));
  if (!page.success) throw unlike(exchange, 'a page of movements');
  const { length } = page.data.transactions;
  if (body.limit !== undefined && length > body.limit)
    throw new CheckFailure(`a page holds ${length} movements, its limit is ${body.limit}`);
  return page.data;
}

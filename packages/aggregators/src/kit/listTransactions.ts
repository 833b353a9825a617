import type { ListedTransaction } from '@roundhouse/contract';
import type { Aggregator } from './aggregator.ts';
import { toMicrosOf } from './amounts.ts';
import type { Books, Entry } from './books.ts';

const KINDS = { bet: 'debit', win: 'credit', rollback: 'rollback' } as const;

/** Lists the moves of the books with the ids and amounts of the server. */
export function listTransactions(aggregator: Aggregator, books: Books): ListedTransaction[] {
  return books.entries().map((entry) => {
    const bet = entry.kind === 'bet' ? undefined : betOf(entry, books);
    return {
      transactionID: aggregator.transactionIDOf(entry),
      kind: KINDS[entry.kind],
      ...(bet && { debitTransactionID: aggregator.transactionIDOf(bet) }),
      roundID: entry.round,
      playerID: aggregator.playerIDOf?.(entry.player) ?? entry.player,
      currency: entry.currency,
      amount: toMicrosOf(entry.amount, aggregator.scale(entry.currency)),
      at: entry.at.toISOString(),
    };
  });
}

/** Some aggregators know only the round of a win. */
function betOf({ ref, round }: Entry, books: Books): Entry | undefined {
  return ref === undefined ? books.ofRound(round).find(({ kind }) => kind === 'bet') : books.find(ref);
}

import type { ListedTransaction } from '@roundhouse/contract';
import type { Aggregator } from './aggregator.ts';
import { toMicrosOf } from './amounts.ts';
import type { Books, Entry } from './books.ts';

const KINDS = { bet: 'debit', win: 'credit', rollback: 'rollback' } as const;

/** The wins of a grant, which the aggregator knows by the grant alone. */
type ListedWinnings = Omit<ListedTransaction, 'transactionID' | 'roundID'> & { grantID: string };
export type ListedMove = ListedTransaction | ListedWinnings;

/** Lists the moves of the books with the ids and amounts of the server. */
export function listTransactions(aggregator: Aggregator, books: Books): ListedMove[] {
  return books.entries().map((entry) => {
    const grantID = aggregator.grantIDOf?.(entry);
    const move = {
      kind: KINDS[entry.kind],
      playerID: aggregator.playerIDOf?.(entry.player) ?? entry.player,
      currency: entry.currency,
      amount: toMicrosOf(entry.amount, aggregator.scale(entry.currency)),
      at: entry.at.toISOString(),
    };
    if (grantID !== undefined) return { ...move, grantID };
    const bet = entry.kind === 'bet' ? undefined : betOf(entry, books);
    return {
      ...move,
      transactionID: aggregator.transactionIDOf(entry),
      ...(bet && { debitTransactionID: aggregator.transactionIDOf(bet) }),
      roundID: entry.round,
    };
  });
}

/** Some aggregators know only the round of a win. */
function betOf({ ref, round }: Entry, books: Books): Entry | undefined {
  return ref === undefined ? books.ofRound(round).find(({ kind }) => kind === 'bet') : books.find(ref);
}

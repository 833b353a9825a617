import type { ListedTransaction } from '@roundhouse/contract';

/** The list is read from this moment to before that one. A list may have more. */
type ListWindow = { from: Date; to: Date };

/**
 * not_offered: the operator has no such list. unreadable: its response or its file is no list; a
 * person reads `why`.
 */
export type ListRefusal = { kind: 'not_offered' } | { kind: 'unreadable'; why: string };
export type ListPage = { ok: true; transactions: readonly ListedTransaction[] } | { ok: false; refusal: ListRefusal };

/** The wallet transactions that an operator knows of, in any order. */
export type OperatorList = {
  /**
   * The wallet's owner has exported it. It need not have movements of 0, and a credit or rollback
   * need not name its debit.
   */
  isExport: boolean;
  /** The first page that is not ok is the last one. */
  read(window: ListWindow): AsyncGenerator<ListPage>;
};

export function unreadable(why: string): ListPage & { ok: false } {
  return { ok: false, refusal: { kind: 'unreadable', why } };
}

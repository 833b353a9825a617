import type { ListedTransaction } from '@roundhouse/contract';

/** The list is read from `from`, up to and without `to`. A list may have more. */
type ListWindow = { from: Date; to: Date };

/**
 * not_offered: the operator has no such list. unreadable: its response or its file is not a list;
 * `why` is for people.
 */
export type ListRefusal = { kind: 'not_offered' } | { kind: 'unreadable'; why: string };
export type ListPage = { ok: true; transactions: readonly ListedTransaction[] } | { ok: false; refusal: ListRefusal };

/** The wallet transactions that an operator has, in any order. */
export type OperatorList = {
  /**
   * True when the wallet's owner has exported it. It need not have movements of 0, and a credit or
   * rollback need not name its debit.
   */
  isExport: boolean;
  /** If a page is not ok, it is the last one. */
  read(window: ListWindow): AsyncGenerator<ListPage>;
};

export function unreadable(why: string): ListPage & { ok: false } {
  return { ok: false, refusal: { kind: 'unreadable', why } };
}

import type { WalletTransaction } from '@roundhouse/contract';
import type { WalletMovement } from '../ledger/queries/walletMovements.ts';

/** What both sides say about a movement, in the words of the wallet protocol. */
export const COMPARED_FIELDS = ['kind', 'roundID', 'playerID', 'currency', 'amount', 'debitTransactionID'] as const;
export type ComparedField = (typeof COMPARED_FIELDS)[number];

/** One thing in which the two lists do not agree. */
export type Difference =
  /** Accepted by our books, and not in the operator's list. */
  | { kind: 'missing'; ours: WalletMovement }
  /** In both lists, and not the same. */
  | { kind: 'unlike'; ours: WalletMovement; theirs: WalletTransaction; fields: readonly ComparedField[] }
  /** In the operator's list more than once. */
  | { kind: 'listed_twice'; ours: WalletMovement; theirs: WalletTransaction }
  /** Refused, or never taken, by what the operator has answered; and in its list. */
  | { kind: 'never_taken'; ours: WalletMovement }
  /** A debit that the operator has taken, and not given back although its round is void. */
  | { kind: 'not_given_back'; ours: WalletMovement }
  /** In the operator's list, and nothing that we have asked for. */
  | { kind: 'not_asked'; theirs: WalletTransaction };

export function transactionIDOf(difference: Difference): string {
  return difference.kind === 'not_asked' ? difference.theirs.transactionID : difference.ours.transactionID;
}

import type { CreditRequest, DebitRequest } from '@roundhouse/contract';
import type { Is } from './breakages.ts';

type FreeRoundFields = Pick<DebitRequest, 'amount' | 'grantID' | 'freeBet'>;

/**
 * Returns whether a debit costs the player something, or is of a free round with all its fields.
 */
export function isPaidOrFree({ amount, grantID, freeBet }: FreeRoundFields, is: Is): boolean {
  if (grantID === undefined) return freeBet === undefined && (amount !== 0 || is('takes 0'));
  if (freeBet === undefined && !is('takes free debits without a freeBet')) return false;
  return amount === 0 || is('takes money for a free round');
}

/** `isOpen`: the round of the debit is. */
type Owed = { debit: DebitRequest; isClosing: boolean; isOpen: boolean };

/** Makes what the wallet keeps about grants: those whose winnings it has paid. */
export function createGrants(is: Is) {
  const paid = new Set<string>();

  /** Returns whether a credit, closing or winnings are owed to the round of this debit. */
  function isOwed(body: CreditRequest, { debit, isClosing, isOpen }: Owed): boolean {
    const { grantID, grantClosed, playerID } = body;
    const isOfDebit = grantID === debit.grantID && playerID === debit.playerID;
    if (!grantClosed)
      return isOfDebit || is(isClosing ? 'closes free rounds of another grant' : 'pays wins of another grant');
    if (is('pays no winnings') || (is('pays no winnings of an open round') && isOpen)) return false;
    if (grantID === undefined || !isOfDebit) return is('pays winnings of any debit');
    return !paid.has(grantID) || is('pays winnings of a grant twice');
  }

  return {
    isOwed,
    keep({ grantID, grantClosed }: CreditRequest): void {
      if (grantClosed && grantID !== undefined) paid.add(grantID);
    },
  };
}

import type { WalletTransaction } from '@roundhouse/contract';
import type { WalletMovement } from '../ledger/queries/walletMovements.ts';
import { COMPARED_FIELDS, type ComparedField, type Difference } from './difference.ts';
import { expectationOf, isSettledByHand, isUnknownDebit } from './expectation.ts';
import { SeenMovements } from './seenMovements.ts';

export type ComparedTime = {
  /** Our movements from this moment on … */
  from: Date;
  /** … and before this one are compared. */
  to: Date;
  /** The state of our books that is compared. */
  asOf: Date;
};

/** What one page of our movements has come to. */
export type OurPage = { differences: Difference[]; onTheirWay: WalletMovement[] };

/**
 * Compares the two lists, page by page, in any order of their rows: first every page of the operator's list, from before `from` until
 * after the last of our movements was settled; then every page of ours. Keeps three bits a round.
 */
export class Comparison {
  readonly #time: ComparedTime;
  readonly #seen = new SeenMovements();

  constructor(time: ComparedTime) {
    this.#time = time;
  }

  /** known: our movements of these transactionIDs, whenever they were written down, by transactionID in lower case. */
  theirs(page: readonly WalletTransaction[], known: ReadonlyMap<string, WalletMovement>): Difference[] {
    return page.flatMap((theirs) => this.#judge(theirs, known.get(theirs.transactionID.toLowerCase())));
  }

  ours(page: readonly WalletMovement[]): OurPage {
    const { asOf } = this.#time;
    return {
      differences: page.flatMap((ours) => this.#judgePresence(ours)),
      onTheirWay: page.filter((ours) => expectationOf(ours, asOf).onItsWay),
    };
  }

  #judge(theirs: WalletTransaction, ours: WalletMovement | undefined): Difference[] {
    // What lies beside the compared time is there only because clocks differ and calls are repeated.
    if (ours === undefined) return this.#isCompared(new Date(theirs.at)) ? [{ kind: 'not_asked', theirs }] : [];
    const isSeen = this.#seen.has(ours);
    this.#seen.add(ours);
    if (!this.#isCompared(ours.createdAt)) return [];
    if (isSeen) return [{ kind: 'listed_twice', ours, theirs }];
    const fields = unlikeFields(ours, theirs, expectationOf(ours, this.#time.asOf).amounts);
    return fields.length === 0 ? [] : [{ kind: 'unlike', ours, theirs, fields }];
  }

  #judgePresence(ours: WalletMovement): Difference[] {
    const { presence, givenBack } = expectationOf(ours, this.#time.asOf);
    const isListed = this.#seen.has(ours);
    if (presence === 'must' && !isListed) return [{ kind: 'missing', ours }];
    if (presence === 'must_not' && isListed) return [{ kind: 'never_taken', ours }];
    if (isListed && givenBack && !this.#isGivenBack(ours)) return [{ kind: 'not_given_back', ours }];
    return [];
  }

  #isGivenBack({ roundID, rollback }: WalletMovement): boolean {
    if (rollback === undefined || isUnknownDebit(rollback)) return false;
    return isSettledByHand(rollback) || this.#seen.has({ roundID, kind: 'rollback' });
  }

  #isCompared(moment: Date): boolean {
    return moment >= this.#time.from && moment < this.#time.to;
  }
}

function unlikeFields(
  ours: WalletMovement,
  theirs: WalletTransaction,
  amounts: readonly number[],
): readonly ComparedField[] {
  const agrees: Record<ComparedField, boolean> = {
    kind: theirs.kind === ours.kind,
    roundID: theirs.roundID === String(ours.roundID),
    playerID: theirs.playerID === ours.playerID,
    currency: theirs.currency === ours.currency,
    amount: amounts.includes(theirs.amount),
    debitTransactionID: namesTheDebit(ours, theirs),
  };
  return COMPARED_FIELDS.filter((field) => !agrees[field]);
}

/** A debit answers no other one; it may name itself. */
function namesTheDebit({ kind, debitID }: WalletMovement, { debitTransactionID }: WalletTransaction): boolean {
  if (debitTransactionID === undefined) return kind === 'debit';
  return debitTransactionID.toLowerCase() === debitID;
}

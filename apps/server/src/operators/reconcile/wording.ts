import type { ListedTransaction, RoundTransactionKind } from '@roundhouse/contract';
import { visible } from '../../base/terminal/visible.ts';
import { writeUnits } from '../../base/terminal/writeAmounts.ts';
import { resultText, type WalletTransaction } from '../../store/rounds/walletTransaction.ts';
import type { ComparedField, Difference } from './comparison.ts';
import type { ReconcileRefusal } from './reconcile.ts';

/** Tells a person why nothing was compared. */
export function explainRefusal(code: string, refusal: ReconcileRefusal): string {
  switch (refusal.kind) {
    case 'not_offered':
      return `Operator ${code} does not offer a list of transactions: there is nothing to compare with.`;
    case 'unreadable':
      return `The list of operator ${code} cannot be read (${visible(refusal.why)}).`;
    case 'no_time':
      return `There is no time from ${refusal.from.toISOString()} to ${refusal.to.toISOString()}.`;
  }
}

/** Says in words in which points the two lists differ, and about which transaction. */
export function describeDifference(difference: Difference): string {
  if (difference.kind === 'not_ours') {
    return `${describe(difference.theirs)}: in their list, and not one of ours (${difference.theirs.at})`;
  }
  return `${describeOurs(difference.ours)}: ${whatIsWrong(difference)}`;
}

/** Says in words in which points the two lists differ. */
export function whatIsWrong(difference: Difference): string {
  if (difference.kind === 'not_ours') return 'in their list, and not one of ours';
  const { ours } = difference;
  // The result of a settled one adds nothing, unless a person has settled it.
  const note = ours.settledAt === null || ours.settledBy === 'person' ? resultNote(ours) : '';
  return `${howTheyDiffer(difference)}${note}`;
}

function howTheyDiffer(difference: Exclude<Difference, { kind: 'not_ours' }>): string {
  switch (difference.kind) {
    case 'missing':
      return `${difference.ours.state} here, not in their list`;
    case 'listed_twice':
      return 'more than once in their list';
    case 'never_taken':
      return `${difference.ours.state} here, and in their list`;
    case 'not_rolled_back':
      return 'taken by them, and not rolled back';
    case 'unlike':
      return `in their list ${difference.fields.map((field) => `${field} ${shown(difference.theirs, field)}`).join(', ')}`;
  }
}

export function describeOurs(ours: WalletTransaction): string {
  return describe({ ...ours, playerID: ours.externalID });
}

type Described = Pick<ListedTransaction, 'playerID' | 'amount' | 'currency'> & {
  kind: RoundTransactionKind;
  roundID: string | bigint;
};

function describe({ kind, roundID, playerID, amount, currency }: Described): string {
  return `${kind} of round ${visible(String(roundID))}, player ${visible(playerID)}, ${writeUnits(amount)} ${visible(currency)}`;
}

function shown(theirs: ListedTransaction, field: ComparedField): string {
  return field === 'amount' ? writeUnits(theirs.amount) : visible(theirs[field] ?? 'none');
}

export function resultNote(transaction: WalletTransaction): string {
  const text = resultText(transaction);
  return text === null ? '' : ` (${visible(text)})`;
}

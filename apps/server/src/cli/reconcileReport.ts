import type { WalletTransaction } from '@roundhouse/contract';
import type { WalletMovement } from '../ledger/queries/walletMovements.ts';
import { type ComparedField, type Difference, transactionIDOf } from '../reconcile/difference.ts';
import { isSettledByHand } from '../reconcile/expectation.ts';
import type { Reconciled } from '../reconcile/reconcile.ts';
import { writeUnits } from './options.ts';

type ReconcileTotals = Omit<Reconciled, 'ok'> & { operator: string; differences: number };

/** Tells of each finding as it comes, so that a report of any length needs no memory. */
export type ReconcileReport = {
  difference(difference: Difference): void;
  onItsWay(movement: WalletMovement): void;
  end(totals: ReconcileTotals): void;
};

/** Movements on their way that are told one by one; an operator that is down for a day has many more. */
const MOST_ON_THEIR_WAY = 1_000;

export function textReport(print: (line: string) => void): ReconcileReport {
  const onTheirWay: string[] = [];
  let waiting = 0;
  return {
    difference(difference) {
      print(`${transactionIDOf(difference)}  ${describeDifference(difference)}`);
    },
    onItsWay(movement) {
      waiting += 1;
      if (waiting <= MOST_ON_THEIR_WAY) {
        onTheirWay.push(`  ${movement.transactionID}  ${describe(movement)}: ${movement.state}${lastAnswer(movement)}`);
      }
    },
    end({ operator, time, ours, theirs, differences }) {
      if (waiting > 0) print(`On their way, and not compared:\n${onTheirWay.join('\n')}`);
      if (waiting > MOST_ON_THEIR_WAY) print(`  … and ${waiting - MOST_ON_THEIR_WAY} more`);
      const found = differences === 0 ? 'No difference' : `${differences} ${plural('difference', differences)}`;
      print(
        `${found} from ${time.from.toISOString()} to ${time.to.toISOString()}: ` +
          `${ours} ${plural('movement', ours)} here, ${theirs} in the list of ${operator}.`,
      );
    },
  };
}

/** One line for each finding, and one for the totals at the end. */
export function jsonReport(print: (line: string) => void): ReconcileReport {
  let waiting = 0;
  return {
    difference(difference) {
      const { kind } = difference;
      const transactionID = transactionIDOf(difference);
      print(
        JSON.stringify({
          difference: kind,
          transactionID,
          ...('fields' in difference && { fields: difference.fields }),
          ...('ours' in difference && { ours: plain(difference.ours) }),
          ...('theirs' in difference && { theirs: difference.theirs }),
        }),
      );
    },
    onItsWay(movement) {
      waiting += 1;
      print(JSON.stringify({ onItsWay: movement.state, transactionID: movement.transactionID, ours: plain(movement) }));
    },
    end({ operator, time, ours, theirs, differences }) {
      const { from, to } = time;
      print(JSON.stringify({ operator, from, to, ours, theirs, differences, onTheirWay: waiting }));
    },
  };
}

function describeDifference(difference: Difference): string {
  if (difference.kind === 'not_asked') {
    return `${describe(difference.theirs)}: in their list, and never asked for (${difference.theirs.at})`;
  }
  return `${describe(difference.ours)}: ${whatIsWrong(difference)}${lastAnswer(difference.ours)}`;
}

function whatIsWrong(difference: Exclude<Difference, { kind: 'not_asked' }>): string {
  switch (difference.kind) {
    case 'missing':
      return `${difference.ours.state} here, not in their list`;
    case 'listed_twice':
      return 'more than once in their list';
    case 'never_taken':
      return `${difference.ours.state} here, and in their list`;
    case 'not_given_back':
      return 'taken by them, and not given back';
    case 'unlike':
      return `in their list ${difference.fields.map((field) => `${field} ${shown(difference.theirs, field)}`).join(', ')}`;
  }
}

function describe({ kind, roundID, playerID, amount, currency }: WalletMovement | WalletTransaction): string {
  return `${kind} of round ${roundID}, player ${playerID}, ${writeUnits(amount)} ${currency}`;
}

function shown(theirs: WalletTransaction, field: ComparedField): string {
  return field === 'amount' ? writeUnits(theirs.amount) : (theirs[field] ?? 'none');
}

/** What a person needs to know where our books do not rest on the operator's plain word. */
function lastAnswer(movement: WalletMovement): string {
  if (movement.answer === null || (movement.settledAt !== null && !isSettledByHand(movement))) return '';
  return ` (${movement.answer})`;
}

function plain({ transactionID, kind, state, answer, debitID, roundID, playerID, currency, ...more }: WalletMovement) {
  const { amount, createdAt, settledAt } = more;
  const facts = { transactionID, kind, state, answer, debitTransactionID: debitID, roundID: String(roundID) };
  return { ...facts, playerID, currency, amount, createdAt, settledAt };
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

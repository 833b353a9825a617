import type { Settlement, WalletTransaction } from '../ledger/walletTransaction.ts';

/** What the operator's list must show of one of our wallet transactions. */
export type Expectation = {
  presence: 'must' | 'must_not' | 'may';
  /** In micros; each of them is right. */
  amounts: readonly number[];
  /** Pending or parked: it is not known what the operator has done. */
  unsettled: boolean;
  /** If this debit is in the list, its rollback must be there too. */
  rolledBack: boolean;
};

const NOTHING_EXPECTED: Expectation = { presence: 'may', amounts: [], unsettled: false, rolledBack: false };

/**
 * By our books at `asOf`: what was settled later may or may not have been in the list when it was
 * read.
 */
export function expectationOf(ours: WalletTransaction, asOf: Date): Expectation {
  if (ours.kind === 'rollback') return expectationOfRollback(ours, asOf);
  const { amount, rollback } = ours;
  if (isUnsettled(ours, asOf)) return { ...NOTHING_EXPECTED, amounts: [amount], unsettled: true };
  const settled: Expectation = { ...NOTHING_EXPECTED, amounts: [amount] };
  if (ours.state === 'refused') return { ...settled, presence: 'must_not' };
  const rolledBack = ours.kind === 'debit' && rollback !== undefined && !isUnsettled(rollback, asOf);
  if (ours.state === 'accepted') return { ...settled, presence: 'must', rolledBack };
  return { ...settled, presence: rolledBack ? presenceOfAbandoned(rollback) : 'may', rolledBack };
}

function expectationOfRollback(ours: WalletTransaction, asOf: Date): Expectation {
  if (isUnsettled(ours, asOf)) return { ...NOTHING_EXPECTED, amounts: [ours.amount, 0], unsettled: true };
  return isUnknownDebit(ours)
    ? { ...NOTHING_EXPECTED, amounts: [0] }
    : { ...NOTHING_EXPECTED, presence: 'must', amounts: [ours.amount] };
}

/**
 * Whether the operator took a debit without a certain result: the result of its rollback says so.
 */
function presenceOfAbandoned(rollback: Settlement): Expectation['presence'] {
  if (isUnknownDebit(rollback)) return 'must_not';
  return rollback.settledBy === 'person' ? 'may' : 'must';
}

function isUnsettled({ settledAt }: Settlement, asOf: Date): boolean {
  return settledAt === null || settledAt > asOf;
}

/** Of a rollback: the operator had no such debit, so it has rolled nothing back. */
export function isUnknownDebit({ settledBy, resultCode }: Settlement): boolean {
  return settledBy === 'operator' && resultCode === 'ERR_BNF';
}

import { SETTLED_BY_HAND } from '../ledger/queries/parkedCalls.ts';
import type { MovementProgress, WalletMovement } from '../ledger/queries/walletMovements.ts';

/** What the operator's list must show of a movement. */
export type Expectation = {
  presence: 'must' | 'must_not' | 'may';
  /** In micros; each of them is right. */
  amounts: readonly number[];
  /** The movement is not settled yet: nobody can say what the operator has done. */
  onItsWay: boolean;
  /** A debit that is in the list must have been given back. */
  givenBack: boolean;
};

const NOTHING_TO_SAY: Expectation = { presence: 'may', amounts: [], onItsWay: false, givenBack: false };

/** As our books stood at `asOf`: what was settled later may or may not have been in the list when it was read. */
export function expectationOf(ours: WalletMovement, asOf: Date): Expectation {
  if (ours.kind === 'rollback') return expectationOfRollback(ours, asOf);
  const { amount, rollback } = ours;
  if (isOpen(ours, asOf)) return { ...NOTHING_TO_SAY, amounts: [amount], onItsWay: true };
  const settled: Expectation = { ...NOTHING_TO_SAY, amounts: [amount] };
  if (ours.state === 'refused') return { ...settled, presence: 'must_not' };
  const givenBack = ours.kind === 'debit' && rollback !== undefined && !isOpen(rollback, asOf);
  if (ours.state === 'accepted') return { ...settled, presence: 'must', givenBack };
  return { ...settled, presence: givenBack ? presenceOfAbandoned(rollback) : 'may', givenBack };
}

function expectationOfRollback(ours: WalletMovement, asOf: Date): Expectation {
  if (isOpen(ours, asOf)) return { ...NOTHING_TO_SAY, amounts: [ours.amount, 0], onItsWay: true };
  return isUnknownDebit(ours)
    ? { ...NOTHING_TO_SAY, amounts: [0] }
    : { ...NOTHING_TO_SAY, presence: 'must', amounts: [ours.amount] };
}

/** Whether a debit was taken whose answer never came: its rollback has found out. */
function presenceOfAbandoned(rollback: MovementProgress): Expectation['presence'] {
  if (isUnknownDebit(rollback)) return 'must_not';
  return isSettledByHand(rollback) ? 'may' : 'must';
}

function isOpen({ settledAt }: MovementProgress, asOf: Date): boolean {
  return settledAt === null || settledAt > asOf;
}

/** The operator has answered that there is no such debit: it has given nothing back. */
export function isUnknownDebit({ answer }: MovementProgress): boolean {
  return answer === 'ERR_BNF';
}

export function isSettledByHand({ answer }: MovementProgress): boolean {
  return answer?.startsWith(SETTLED_BY_HAND) ?? false;
}

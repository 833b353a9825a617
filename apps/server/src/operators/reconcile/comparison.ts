import type { ListedTransaction } from '@roundhouse/contract';
import type { Settlement, WalletTransaction } from '../../store/rounds/walletTransaction.ts';
import type { OperatorList } from './operatorList.ts';

export type ComparedTime = {
  /** Our wallet transactions are compared from this moment on. */
  from: Date;
  /** The end of the compared time; exclusive. */
  to: Date;
  /** Our records are compared as they were at this moment. */
  asOf: Date;
};

/** The fields that both sides have, by their names in the wallet protocol. */
const COMPARED_FIELDS = ['kind', 'roundID', 'playerID', 'currency', 'amount', 'debitTransactionID'] as const;
export type ComparedField = (typeof COMPARED_FIELDS)[number];

/** One thing in which the two lists do not agree. */
export type Difference =
  /** Our records say that it was accepted, and the operator's list does not have it. */
  | { kind: 'missing'; ours: WalletTransaction }
  /** Both lists have it, but with different facts. */
  | { kind: 'unlike'; ours: WalletTransaction; theirs: ListedTransaction; fields: readonly ComparedField[] }
  /** The operator's list has it more than once. */
  | { kind: 'listed_twice'; ours: WalletTransaction; theirs: ListedTransaction }
  /**
   * The operator's list has it, although the operator has refused it, or did not know it when it
   * was rolled back.
   */
  | { kind: 'never_taken'; ours: WalletTransaction }
  /** The operator has taken a debit and not rolled it back, although its round is void. */
  | { kind: 'not_rolled_back'; ours: WalletTransaction }
  /** The operator's list has it, but it is not one of ours. */
  | { kind: 'not_ours'; theirs: ListedTransaction };

export function transactionIDOf(difference: Difference): string {
  return difference.kind === 'not_ours' ? difference.theirs.transactionID : difference.ours.transactionID;
}

export type OurPage = {
  /** The number of rows without those that the operator has refused or never seen. */
  count: number;
  differences: Difference[];
  unsettled: WalletTransaction[];
};

/**
 * Compares the two lists, page by page, in any order of their rows. First comes every page of the
 * operator's list, from before `from` until after the last of our wallet transactions was settled;
 * then every page of ours. It keeps one byte per round.
 */
export class Comparison {
  readonly #time: ComparedTime;
  readonly #isExport: boolean;
  readonly #listed = new ListedSet();

  constructor(time: ComparedTime, { isExport }: Pick<OperatorList, 'isExport'>) {
    this.#time = time;
    this.#isExport = isExport;
  }

  /**
   * known has our wallet transactions with these transactionIDs, of any time, by transactionID in
   * lower case.
   */
  theirs(page: readonly ListedTransaction[], known: ReadonlyMap<string, WalletTransaction>): Difference[] {
    return page.flatMap((theirs) => this.#compare(theirs, known.get(theirs.transactionID.toLowerCase())));
  }

  ours(page: readonly WalletTransaction[]): OurPage {
    const expected = page.map((ours) => ({ ours, ...expectationOf(ours, this.#time.asOf) }));
    return {
      count: expected.filter(({ presence }) => presence !== 'must_not').length,
      differences: page.flatMap((ours) => this.#comparePresence(ours)),
      unsettled: expected.flatMap(({ ours, unsettled }) => (unsettled ? [ours] : [])),
    };
  }

  #compare(theirs: ListedTransaction, ours: WalletTransaction | undefined): Difference[] {
    // The list begins earlier and ends later than the compared time, because clocks differ and
    // requests are repeated.
    if (ours === undefined) return this.#isCompared(new Date(theirs.at)) ? [{ kind: 'not_ours', theirs }] : [];
    const isListed = this.#listed.has(ours);
    const rollsNothingBack = this.#isExport && ours.kind === 'rollback' && theirs.amount === 0;
    if (!rollsNothingBack) this.#listed.add(ours);
    if (!this.#isCompared(ours.createdAt)) return [];
    if (isListed) return [{ kind: 'listed_twice', ours, theirs }];
    const named = this.#isExport ? { debitTransactionID: ours.debitTransactionID, ...theirs } : theirs;
    const amounts = rollsNothingBack ? [0] : expectationOf(ours, this.#time.asOf).amounts;
    const fields = unlikeFields(ours, named, amounts);
    return fields.length === 0 ? [] : [{ kind: 'unlike', ours, theirs, fields }];
  }

  #comparePresence(ours: WalletTransaction): Difference[] {
    const { presence, rolledBack } = expectationOf(ours, this.#time.asOf);
    const isListed = this.#listed.has(ours);
    if (presence === 'must' && !isListed && !this.#mayBeLeftOut(ours)) return [{ kind: 'missing', ours }];
    if (presence === 'must_not' && isListed) return [{ kind: 'never_taken', ours }];
    if (isListed && rolledBack && !this.#isRolledBack(ours)) return [{ kind: 'not_rolled_back', ours }];
    return [];
  }

  #isRolledBack(debit: WalletTransaction): boolean {
    const { roundID, rollback } = debit;
    if (rollback === undefined || isUnknownDebit(rollback)) return false;
    if (rollback.settledBy === 'person' || this.#listed.has({ roundID, kind: 'rollback' })) return true;
    return this.#isExport && debit.amount === 0;
  }

  /**
   * Returns whether an export may leave it out, because it moved nothing: a closing, the debit of a
   * free round, or the accepted rollback of a debit that the wallet has never seen.
   */
  #mayBeLeftOut({ kind, state, amount, roundID }: WalletTransaction): boolean {
    if (!this.#isExport || amount === 0) return this.#isExport;
    if (kind === 'rollback') return !this.#listed.has({ roundID, kind: 'debit' });
    return state === 'abandoned' && !this.#listed.has({ roundID, kind: 'rollback' });
  }

  #isCompared(moment: Date): boolean {
    return moment >= this.#time.from && moment < this.#time.to;
  }
}

function unlikeFields(
  ours: WalletTransaction,
  theirs: ListedTransaction,
  amounts: readonly number[],
): readonly ComparedField[] {
  const agrees: Record<ComparedField, boolean> = {
    // The wallet receives the winnings of a grant as a credit.
    kind: theirs.kind === (ours.kind === 'winnings' ? 'credit' : ours.kind),
    roundID: theirs.roundID === String(ours.roundID),
    playerID: theirs.playerID === ours.externalID,
    currency: theirs.currency === ours.currency,
    amount: amounts.includes(theirs.amount),
    debitTransactionID: namesTheDebit(ours, theirs),
  };
  return COMPARED_FIELDS.filter((field) => !agrees[field]);
}

/** A debit belongs to no other debit, but it may name itself. */
function namesTheDebit(ours: WalletTransaction, { debitTransactionID }: ListedTransaction): boolean {
  if (debitTransactionID === undefined) return ours.kind === 'debit';
  return debitTransactionID.toLowerCase() === ours.debitTransactionID;
}

const ROUNDS_PER_CHUNK = 1024;
const BITS = { debit: 1, credit: 2, rollback: 4, winnings: 8 } as const;

type RoundAndKind = Pick<WalletTransaction, 'roundID' | 'kind'>;

/**
 * Remembers the wallet transactions that the operator's list has shown. A round has at most one of
 * each kind and rounds are numbered, so each is a bit: ten million rounds fit into ten megabytes.
 * Their transactionIDs would take a thousand.
 */
class ListedSet {
  readonly #chunks = new Map<number, Uint8Array>();

  has({ roundID, kind }: RoundAndKind): boolean {
    const { chunk, index } = placeOf(roundID);
    return ((this.#chunks.get(chunk)?.[index] ?? 0) & BITS[kind]) !== 0;
  }

  add({ roundID, kind }: RoundAndKind): void {
    const { chunk, index } = placeOf(roundID);
    const bits = this.#chunks.get(chunk) ?? new Uint8Array(ROUNDS_PER_CHUNK);
    bits[index] = (bits[index] ?? 0) | BITS[kind];
    this.#chunks.set(chunk, bits);
  }
}

function placeOf(roundID: bigint): { chunk: number; index: number } {
  const size = BigInt(ROUNDS_PER_CHUNK);
  return { chunk: Number(roundID / size), index: Number(roundID % size) };
}

/** What the operator's list must show of one of our wallet transactions. */
export type Expectation = {
  presence: 'must' | 'must_not' | 'may';
  /** The amounts that are right, in micros. */
  amounts: readonly number[];
  /** True when it is pending or parked, so we do not know what the operator has done. */
  unsettled: boolean;
  /** True when its rollback must also be in the list, if this debit is. */
  rolledBack: boolean;
};

const NOTHING_EXPECTED: Expectation = { presence: 'may', amounts: [], unsettled: false, rolledBack: false };

/** Uses our records at `asOf`: the list may have been read before or after a later settlement. */
export function expectationOf(ours: WalletTransaction, asOf: Date): Expectation {
  if (ours.kind === 'rollback') return expectationOfRollback(ours, asOf);
  const { amount, rollback } = ours;
  if (isUnsettled(ours, asOf)) return { ...NOTHING_EXPECTED, amounts: [amount], unsettled: true };
  const settled: Expectation = { ...NOTHING_EXPECTED, amounts: [amount] };
  // The debit has closed the round: the wallet never got this closing.
  const closedByDebit = ours.kind === 'credit' && ours.settledBy === 'operator' && ours.attempts === 0;
  if (ours.state === 'refused' || closedByDebit) return { ...settled, presence: 'must_not' };
  const rolledBack = ours.kind === 'debit' && rollback !== undefined && !isUnsettled(rollback, asOf);
  if (ours.state === 'accepted') return { ...settled, presence: 'must', rolledBack };
  return { ...settled, presence: rolledBack ? presenceOfUncertain(rollback) : 'may', rolledBack };
}

function expectationOfRollback(ours: WalletTransaction, asOf: Date): Expectation {
  if (isUnsettled(ours, asOf)) return { ...NOTHING_EXPECTED, amounts: [ours.amount, 0], unsettled: true };
  return isUnknownDebit(ours)
    ? { ...NOTHING_EXPECTED, amounts: [0] }
    : { ...NOTHING_EXPECTED, presence: 'must', amounts: [ours.amount] };
}

/**
 * Returns whether the operator took a debit without a certain result, by the result of its
 * rollback.
 */
function presenceOfUncertain(rollback: Settlement): Expectation['presence'] {
  if (isUnknownDebit(rollback)) return 'must_not';
  return rollback.settledBy === 'person' ? 'may' : 'must';
}

function isUnsettled({ settledAt }: Settlement, asOf: Date): boolean {
  return settledAt === null || settledAt > asOf;
}

/** Returns whether the operator had no such debit, so that the rollback has rolled nothing back. */
function isUnknownDebit({ settledBy, resultCode }: Settlement): boolean {
  return settledBy === 'operator' && resultCode === 'ERR_BNF';
}

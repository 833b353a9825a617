import type { CreditRequest, RollbackRequest, WalletErrorCode } from '@roundhouse/contract';
import type { LockedAccount } from '../ledger/accounts.ts';
import type { KnownTransaction } from '../ledger/transactions.ts';

/** `message` is for a log. */
export type Refused = { ok: false; code: WalletErrorCode; message: string };

/** A transaction that is done, now or by an earlier call: the player's balance of this moment, in micros. */
type Moved = { ok: true; balance: bigint };

export type Outcome = Moved | Refused;

export function refuse(code: WalletErrorCode, message: string): Refused {
  return { ok: false, code, message };
}

/** Whether a credit or rollback speaks of the round, player, game and currency of the debit that it names. */
export function belongsTo(debit: KnownTransaction, answer: CreditRequest | RollbackRequest): boolean {
  return (
    debit.kind === 'debit' &&
    debit.roundID === answer.roundID &&
    debit.playerID === answer.playerID &&
    debit.gameID === answer.gameID &&
    debit.currency === answer.currency
  );
}

/** What makes two calls with one id the same call. The session is how a call is let in, and the reason is for a log: neither is content. */
export type Content = Omit<KnownTransaction, 'amount'> & {
  /** Undefined when the call does not say: a rollback returns what its debit took. */
  amount: bigint | undefined;
};

/**
 * The answer to a transactionID that is in the journal: the same content is the same success, with the balance of now, and moves nothing;
 * other content is ERR_DUP.
 */
export function answerRepetition(
  known: KnownTransaction,
  account: LockedAccount | undefined,
  { amount, ...content }: Content,
): Outcome {
  const isSame =
    (amount === undefined || amount === known.amount) &&
    Object.entries(content).every(([field, value]) => known[field as keyof KnownTransaction] === value);
  if (!isSame || account === undefined) return refuse('ERR_DUP', 'the transactionID was used for something else');
  return { ok: true, balance: account.balance };
}

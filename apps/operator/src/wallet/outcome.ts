import type { CreditRequest, RollbackRequest, WalletErrorCode } from '@roundhouse/contract';
import type { LockedAccount } from '../ledger/accounts.ts';
import type { KnownTransaction } from '../ledger/transactions.ts';

/** A refusal. `message` is for the log of the game server. */
export type Refused = { ok: false; code: WalletErrorCode; message: string };

/** A success of this request or an earlier one, with the balance of now in micros. */
type Moved = { ok: true; balance: bigint };

export type Outcome = Moved | Refused;

export function refuse(code: WalletErrorCode, message: string): Refused {
  return { ok: false, code, message };
}

/** Whether a credit or rollback has the round, player, game and currency of its debit. */
export function belongsTo(debit: KnownTransaction, request: CreditRequest | RollbackRequest): boolean {
  return (
    debit.kind === 'debit' &&
    debit.roundID === request.roundID &&
    debit.playerID === request.playerID &&
    debit.gameID === request.gameID &&
    debit.currency === request.currency
  );
}

/** The content that two requests with one id must share. Session and reason are not part of it. */
export type Content = Omit<KnownTransaction, 'amount'> & {
  /** Undefined for a rollback, which has no amount of its own. */
  amount: bigint | undefined;
};

/**
 * The outcome for a transactionID that is in the journal. The same content is the same success,
 * with the balance of now, and moves nothing. Other content is ERR_DUP.
 */
export function repeatedOutcome(
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

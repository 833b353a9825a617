import type { LockedAccount } from '../ledger/accounts.ts';
import type { KnownMovement } from '../ledger/movements.ts';
import { type Outcome, refuse } from './outcome.ts';

/** What makes two calls with one id the same call. The session is how a call is let in, and the reason is for a log: neither is content. */
export type Content = Omit<KnownMovement, 'amount'> & {
  /** Undefined when the call does not say: a rollback gives back what its debit took. */
  amount: bigint | undefined;
};

/**
 * The answer to a transactionID that is in the journal: the same content is the same success, with the balance of now, and moves nothing;
 * other content is ERR_DUP.
 */
export function answerRepetition(
  known: KnownMovement,
  account: LockedAccount | undefined,
  { amount, ...content }: Content,
): Outcome {
  const isSame =
    (amount === undefined || amount === known.amount) &&
    Object.entries(content).every(([field, value]) => known[field as keyof KnownMovement] === value);
  if (!isSame || account === undefined) return refuse('ERR_DUP', 'the transactionID was used for something else');
  return { ok: true, balance: account.balance };
}

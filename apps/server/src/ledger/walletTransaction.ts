import type { CurrencyCode, Micros, TransactionKind, TransactionState, WalletErrorCode } from '@roundhouse/contract';

/**
 * Of an attempt: `accepted`, the code of the wallet, or why there is none. invalid_response:
 * neither the success of the contract nor a known code. not_sent: no byte has left. node_lost: the
 * node that sent it stopped before it stored a result.
 */
export type ResultCode =
  | 'accepted'
  | WalletErrorCode
  | 'invalid_response'
  | 'timeout'
  | 'connection_failed'
  | 'not_sent'
  | 'node_lost';

export type Settler = 'operator' | 'recovery' | 'person';

/** How far a wallet transaction is. */
export type Settlement = {
  state: TransactionState;
  /** Of the last attempt; null before the first one. */
  resultCode: ResultCode | null;
  /** operator: the response of its wallet. recovery: it abandoned a debit of a lost node. */
  settledBy: Settler | null;
  /** Null while it is pending or parked. */
  settledAt: Date | null;
};

/** One debit, credit or rollback that an operator is asked for, with its context. */
export type WalletTransaction = Settlement & {
  transactionID: string;
  kind: TransactionKind;
  /** The debit that a credit or rollback belongs to; of a debit its own id. */
  debitTransactionID: string;
  roundID: bigint;
  playerID: bigint;
  /** The operator's name for the player. */
  externalID: string;
  gameID: string;
  operatorID: number;
  operatorCode: string;
  currency: CurrencyCode;
  amount: Micros;
  attempts: number;
  /** Of a rollback: why, for the operator. */
  reason: string | null;
  /** For a person: more about the last attempt than its code. No decision reads it. */
  resultDetail: string | null;
  /** For a person: why a person has settled it. */
  settlementNote: string | null;
  createdAt: Date;
  /** That of the same round, if there is one. */
  rollback: Settlement | undefined;
};

type Result = Pick<WalletTransaction, 'resultCode'> & {
  resultDetail?: string | null | undefined;
  settledBy?: Settler | null;
  settlementNote?: string | null;
};

/** For a person: what it came to; null before the first attempt. */
export function resultText({ resultCode, resultDetail, settledBy, settlementNote }: Result): string | null {
  return settledBy === 'person' ? `settled by hand: ${settlementNote}` : (resultDetail ?? resultCode);
}

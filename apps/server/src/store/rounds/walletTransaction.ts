import type {
  CurrencyCode,
  Micros,
  RoundTransactionKind,
  TransactionState,
  WalletErrorCode,
} from '@roundhouse/contract';

/**
 * An attempt has `accepted`, the code of the wallet, or the reason why there is none.
 * invalid_response: neither the success of the contract nor a known code. not_sent: no byte has
 * left. node_lost: the node that sent it stopped before it stored a result.
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

export type Settlement = {
  state: TransactionState;
  /** The last attempt has this code; null before the first one. */
  resultCode: ResultCode | null;
  /**
   * operator: its wallet responded, or retries of it are over. recovery: it abandoned a debit of a
   * lost node.
   */
  settledBy: Settler | null;
  /** It is null while pending or parked. */
  settledAt: Date | null;
};

/** An operator receives one debit, credit, rollback or winnings, with its context. */
export type WalletTransaction = Settlement & {
  transactionID: string;
  /** The wallet receives winnings as a credit. */
  kind: RoundTransactionKind;
  /** All others belong to this debit; a debit has its own id. */
  debitTransactionID: string;
  roundID: bigint;
  playerID: bigint;
  /** The operator knows the player by this name. */
  externalID: string;
  gameID: string;
  operatorID: number;
  operatorCode: string;
  currency: CurrencyCode;
  amount: Micros;
  attempts: number;
  /** A free round has a grant; the id is the operator's. */
  grantID: string | null;
  /** The operator gets the reason of a rollback. */
  reason: string | null;
  /** A person reads more about the last attempt than its code. No decision reads it. */
  resultDetail: string | null;
  /** A person has settled it for this reason. */
  settlementNote: string | null;
  /** The wallet's own id of it. */
  reference: string | null;
  createdAt: Date;
  /** The rollback is that of the same round, if there is one. */
  rollback: Settlement | undefined;
};

type Result = Pick<WalletTransaction, 'resultCode'> & {
  resultDetail?: string | null | undefined;
  settledBy?: Settler | null;
  settlementNote?: string | null;
};

/** Tells a person its result; null before the first attempt. */
export function resultText({ resultCode, resultDetail, settledBy, settlementNote }: Result): string | null {
  return settledBy === 'person' ? `settled by hand: ${settlementNote}` : (resultDetail ?? resultCode);
}

import type { CurrencyCode, Micros, WalletErrorCode, WalletRouteName, walletContract } from '@roundhouse/contract';
import type * as z from 'zod';

type Routes = typeof walletContract;
export type WalletRequest<Name extends WalletRouteName> = z.input<Routes[Name]['body']>;
/**
 * A success of these may have no balance, or one that cannot be read: the money is certain, and a
 * separate request reads the balance. reference: the wallet's own id of the transaction.
 */
type WalletResponse<Name extends WalletRouteName> = Name extends 'debit' | 'credit' | 'rollback'
  ? { balance?: number | undefined; currency?: string | undefined; reference?: string | undefined }
  : z.output<Routes[Name]['responses'][200]>;
/** token: of DialectServer.identify, what the launch is to keep. */
type Accepted<Name extends WalletRouteName> = Name extends 'authenticate'
  ? WalletResponse<Name> & { token?: string | undefined }
  : WalletResponse<Name>;

/** What a dialect may need beside the body. The server's own protocol has only closesRound. */
export type WalletContext = {
  /** The token of the launch of the round's session, where the dialect has the server keep it. */
  token?: string | undefined;
  /** authenticate: the launch names them. */
  playerID?: string | undefined;
  currency?: CurrencyCode | undefined;
  /** debit: the round pays nothing and is closed with it; see closesWithDebit. */
  closesRound?: boolean | undefined;
  /** rollback: what the debit took. */
  amount?: Micros | undefined;
  /**
   * credit and rollback: when they were stored; else when the call began. So each attempt has the
   * same time.
   */
  storedAt?: Date | undefined;
  /** rollback: when the debit was stored. */
  debitStoredAt?: Date | undefined;
};

/** One call of the seamless wallet, which a dialect makes a request. */
export type WalletCall<Name extends WalletRouteName = WalletRouteName> = {
  [Each in Name]: { name: Each; body: WalletRequest<Each>; context: WalletContext };
}[Name];

/** The wallet of each dialect has these. Without the others a call is lacking. */
export type SentCall = Exclude<WalletCall, { name: 'closeRounds' | 'transactions' }>;

/**
 * A request to an operator's wallet has this result. refused: certainly no money moved; final: no
 * other attempt can be a success; debitStands, of a rollback: the debit has closed its round, and
 * cannot be rolled back. uncertain: it is not known whether money moved. not_sent: no byte
 * has left, so certainly nothing happened. A person reads `detail`; no decision does.
 */
export type WalletResult<Name extends WalletRouteName = WalletRouteName> =
  | { kind: 'accepted'; httpStatus: number; body: Accepted<Name> }
  | {
      kind: 'refused';
      code: WalletErrorCode;
      /** It is undefined when the dialect refuses the call itself. */
      httpStatus?: number | undefined;
      detail?: string;
      final?: boolean;
      debitStands?: boolean;
    }
  | { kind: 'uncertain'; code: UncertainCode; httpStatus?: number; detail?: string }
  | { kind: 'not_sent'; detail: string };

/** The wallet has no such optional request. */
type Lacking = { kind: 'lacking'; httpStatus: number | undefined };
export type AnyResult<Name extends WalletRouteName = WalletRouteName> =
  | WalletResult<Name>
  | (Name extends 'closeRounds' | 'transactions' ? Lacking : never);

/** invalid_response is neither the success of the contract nor a refusal with a known code. */
type UncertainCode = WalletErrorCode | 'invalid_response' | 'timeout' | 'connection_failed';

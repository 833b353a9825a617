import type { CurrencyCode, Micros, WalletErrorCode, WalletRouteName, walletContract } from '@roundhouse/contract';
import type * as z from 'zod';
import type { Refusal, Refused } from '../../../base/refusal.ts';
import type { ResultCode } from '../../../store/rounds/walletTransaction.ts';

type Routes = typeof walletContract;
export type WalletRequest<Name extends WalletRouteName> = z.input<Routes[Name]['body']>;
/**
 * A success of these need not tell the balance, or tells one that cannot be read: the money is
 * certain, and the balance is read by a request of its own.
 */
type WalletResponse<Name extends WalletRouteName> = Name extends 'debit' | 'credit' | 'rollback'
  ? { balance?: number | undefined }
  : z.output<Routes[Name]['responses'][200]>;
/** token: of DialectServer.identify, what the launch is to keep. */
type Accepted<Name extends WalletRouteName> = Name extends 'authenticate'
  ? WalletResponse<Name> & { token?: string | undefined }
  : WalletResponse<Name>;

/** What a dialect may need beside the body. Nothing of it is in the server's own protocol. */
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

/**
 * A request to an operator's wallet has this result. refused: certainly no money moved; final: no
 * other attempt can be a success. uncertain: it is not known whether money moved. not_sent: no byte
 * has left, so certainly nothing happened. A person reads `detail`; no decision does.
 */
export type WalletResult<Name extends WalletRouteName = WalletRouteName> =
  | { kind: 'accepted'; httpStatus: number; body: Accepted<Name> }
  | { kind: 'refused'; code: WalletErrorCode; httpStatus: number; detail?: string; final?: boolean }
  | { kind: 'uncertain'; code: UncertainCode; httpStatus?: number; detail?: string }
  | { kind: 'not_sent'; detail: string };

/** The wallet has no such optional request. */
type Lacking = { kind: 'lacking'; httpStatus: number | undefined };
export type AnyResult<Name extends WalletRouteName = WalletRouteName> =
  | WalletResult<Name>
  | (Name extends 'closeRounds' | 'transactions' ? Lacking : never);

/** invalid_response is neither the success of the contract nor a refusal with a known code. */
type UncertainCode = WalletErrorCode | 'invalid_response' | 'timeout' | 'connection_failed';

export type StoredResult = { resultCode: ResultCode; httpStatus: number | undefined; resultDetail: string | undefined };

/** Returns the result as the columns of a wallet transaction hold it. */
export function storedResult(result: WalletResult): StoredResult {
  switch (result.kind) {
    case 'accepted':
      return { resultCode: 'accepted', httpStatus: result.httpStatus, resultDetail: undefined };
    case 'refused':
      return { resultCode: result.code, httpStatus: result.httpStatus, resultDetail: result.detail };
    case 'uncertain':
      return { resultCode: result.code, httpStatus: result.httpStatus, resultDetail: result.detail };
    case 'not_sent':
      return { resultCode: 'not_sent', httpStatus: undefined, resultDetail: `not sent: ${result.detail}` };
  }
}

/**
 * An operator's refusal means this for the player. wallet_refused: something is wrong between the
 * operator and this server.
 */
const REFUSALS: Readonly<Record<WalletErrorCode, Refusal>> = {
  ERR_IPB: 'balance_too_low',
  ERR_IS: 'session_invalid',
  ERR_ATE: 'login_expired',
  ERR_GLE: 'operator_limit',
  ERR_LOC: 'location_forbidden',
  ERR_MAINTENANCE: 'operator_maintenance',
  ERR_VAL: 'wallet_refused',
  ERR_DUP: 'wallet_refused',
  ERR_BNF: 'wallet_refused',
  ERR_GE: 'wallet_refused',
  ERR_UE: 'wallet_uncertain',
};

/** A request without a certain result means this for the player. */
const UNCERTAIN = {
  authenticate: 'player_unconfirmed',
  balance: 'balance_unknown',
  debit: 'wallet_uncertain',
} as const satisfies Partial<Record<WalletRouteName, Refusal>>;

/** Words for a request that a player waits for, and whose result is no success. */
export function walletRefusal(
  name: keyof typeof UNCERTAIN,
  result: Exclude<WalletResult, { kind: 'accepted' }>,
): Refused {
  if (result.kind === 'not_sent') return { ok: false, refusal: 'wallet_down' };
  return { ok: false, refusal: result.kind === 'uncertain' ? UNCERTAIN[name] : REFUSALS[result.code] };
}

/**
 * Returns whether the operator's wallet fails. A rightful refusal of a player is no failure; a
 * refused credit is one.
 */
export function isWalletFailure(name: WalletRouteName, result: AnyResult): result is WalletResult {
  if (result.kind === 'lacking') return false;
  if (result.kind !== 'refused') return result.kind !== 'accepted';
  if (name === 'rollback') return !isUnknownDebit(result);
  return name === 'credit' || name === 'closeRounds' || REFUSALS[result.code] === 'wallet_refused';
}

/**
 * Returns whether the wallet has no such debit, and refuses it from now on. That is a certain
 * result, so the rollback is done.
 */
export function isUnknownDebit(result: WalletResult): boolean {
  return result.kind === 'refused' && result.code === 'ERR_BNF';
}

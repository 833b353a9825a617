import type { WalletErrorCode, WalletRouteName } from '@roundhouse/contract';
import type { AnyResult, WalletResult } from '@roundhouse/dialects';
import type { Refusal, Refused } from '../../../base/refusal.ts';
import type { ResultCode } from '../../../store/rounds/walletTransaction.ts';

export type StoredResult = {
  resultCode: ResultCode;
  httpStatus: number | undefined;
  resultDetail: string | undefined;
  /** The wallet's own id of the transaction. */
  reference: string | undefined;
};

/** Returns the result as the columns of a wallet transaction hold it. */
export function storedResult(result: WalletResult): StoredResult {
  if (result.kind === 'not_sent') {
    const resultDetail = `not sent: ${result.detail}`;
    return { resultCode: 'not_sent', httpStatus: undefined, resultDetail, reference: undefined };
  }
  const { httpStatus } = result;
  if (result.kind === 'accepted') {
    const reference = 'reference' in result.body ? result.body.reference : undefined;
    return { resultCode: 'accepted', httpStatus, resultDetail: undefined, reference };
  }
  return { resultCode: result.code, httpStatus, resultDetail: result.detail, reference: undefined };
}

/**
 * What an operator's refusal means for the player. wallet_refused: something is wrong between the
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

/** What a request without a certain result means for the player. */
const UNCERTAIN = {
  authenticate: 'player_unconfirmed',
  balance: 'balance_unknown',
  debit: 'wallet_uncertain',
} as const satisfies Partial<Record<WalletRouteName, Refusal>>;

/** Returns the refusal that the waiting player gets for a result that is not a success. */
export function walletRefusal(
  name: keyof typeof UNCERTAIN,
  result: Exclude<WalletResult, { kind: 'accepted' }>,
): Refused {
  if (result.kind === 'not_sent') return { ok: false, refusal: 'wallet_down' };
  return { ok: false, refusal: result.kind === 'uncertain' ? UNCERTAIN[name] : REFUSALS[result.code] };
}

/**
 * Returns whether the operator's wallet fails. A rightful refusal of a player is not a failure; a
 * refused credit is one.
 */
export function isWalletFailure(name: WalletRouteName, result: AnyResult): result is WalletResult {
  if (result.kind === 'lacking') return false;
  if (result.kind !== 'refused') return result.kind !== 'accepted';
  if (name === 'rollback') return !isUnknownDebit(result) && result.debitStands !== true;
  return name === 'credit' || name === 'closeRounds' || REFUSALS[result.code] === 'wallet_refused';
}

/**
 * Returns whether the wallet has no such debit, and refuses it from then on. That is a certain
 * result, so the rollback is done.
 */
export function isUnknownDebit(result: WalletResult): boolean {
  return result.kind === 'refused' && result.code === 'ERR_BNF';
}

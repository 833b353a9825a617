import { detailOf, type Failure, meaningsOf } from '../results.ts';

export type Requested = 'check' | 'balance' | 'debit' | 'credit' | 'cancel';

const UNKNOWN_BET = 'BET_DOES_NOT_EXIST';
const LIMITS = ['TURNOVER', 'SESSION_TIME', 'STAKE', 'LOSS'].map((limit) => `CASINO_LIMIT_EXCEEDED_${limit}`);
/**
 * These statuses say for certain that nothing moved. Every other one is uncertain, such as
 * TEMPORARY_ERROR and UNKNOWN_ERROR. docs/dialects/onewallet.md has their sources.
 */
const MEANINGS = meaningsOf({
  ERR_IPB: ['INSUFFICIENT_FUNDS'],
  ERR_IS: ['INVALID_SID', 'FATAL_ERROR_CLOSE_USER_SESSION', 'SESSION_ALREADY_CLOSED', 'SESSION_DOES_NOT_EXIST'],
  ERR_GLE: ['ACCOUNT_LOCKED', 'BONUS_LIMIT_EXCEEDED', ...LIMITS],
  ERR_LOC: ['GEOLOCATION_FAIL'],
  ERR_GE: ['INVALID_TOKEN_ID', 'FINAL_ERROR_ACTION_FAILED'],
  ERR_VAL: ['INVALID_PARAMETER'],
  ERR_BNF: [UNKNOWN_BET],
});
/** The same request gets the same response for ever. */
const FINAL = ['FINAL_ERROR_ACTION_FAILED', 'INVALID_PARAMETER', UNKNOWN_BET];

/** A bet that is settled already was settled by an attempt before. */
const DONE = {
  credit: ['OK', 'BET_ALREADY_SETTLED', 'BET_ALREADY_EXIST'],
  cancel: ['OK', 'BET_ALREADY_SETTLED'],
  check: ['OK'],
  balance: ['OK'],
  debit: ['OK'],
};

export function isDone(request: Requested, status: string): boolean {
  return DONE[request].includes(status);
}

/** Returns the failure of a status that is not a success. */
export function errorResult(request: Requested, httpStatus: number, status: string): Failure {
  const code = MEANINGS.get(status);
  const detail = detailOf(`status ${status}`);
  const ofUnknownBet = status === UNKNOWN_BET;
  if (code === undefined || (ofUnknownBet && request !== 'credit' && request !== 'cancel'))
    return { kind: 'uncertain', code: 'ERR_UE', httpStatus, detail };
  const final = FINAL.includes(status) && !(ofUnknownBet && request === 'cancel');
  return { kind: 'refused', code, httpStatus, detail, ...(final && { final }) };
}

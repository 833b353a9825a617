import type { WalletRouteName } from '@roundhouse/contract';
import { type Failure, invalid, meaningsOf } from '../results.ts';

/** docs/dialects/hub88.md has their sources. */
const MEANINGS = meaningsOf({
  ERR_UE: ['RS_ERROR_UNKNOWN'],
  ERR_MAINTENANCE: ['RS_ERROR_INVALID_PARTNER'],
  ERR_IS: ['RS_ERROR_INVALID_TOKEN', 'RS_ERROR_USER_DISABLED'],
  ERR_ATE: ['RS_ERROR_TOKEN_EXPIRED'],
  ERR_IPB: ['RS_ERROR_NOT_ENOUGH_MONEY'],
  ERR_GLE: ['RS_ERROR_LIMIT_REACHED'],
  ERR_GE: ['RS_ERROR_INVALID_SIGNATURE'],
  ERR_VAL: [
    ...['RS_ERROR_INVALID_GAME', 'RS_ERROR_WRONG_CURRENCY'],
    ...['RS_ERROR_WRONG_SYNTAX', 'RS_ERROR_WRONG_TYPES'],
  ],
  ERR_DUP: ['RS_ERROR_DUPLICATE_TRANSACTION'],
  ERR_BNF: ['RS_ERROR_TRANSACTION_DOES_NOT_EXIST'],
});
/** Hub88 wants a rollback of a bet after each other status but success. */
const CERTAIN_OF_BET = ['RS_ERROR_NOT_ENOUGH_MONEY', 'RS_ERROR_LIMIT_REACHED'];
/** The same content gets the same refusal again. */
const FINAL = ['RS_ERROR_WRONG_SYNTAX', 'RS_ERROR_WRONG_TYPES', 'RS_ERROR_DUPLICATE_TRANSACTION'];

/** Returns the failure of a status that is not a success. */
export function errorResult(name: WalletRouteName, httpStatus: number, status: string): Failure {
  const code = MEANINGS.get(status);
  if (code === undefined) return invalid(httpStatus, `status ${status}`);
  const isUncertain = code === 'ERR_UE' || (name === 'debit' && !CERTAIN_OF_BET.includes(status));
  if (isUncertain) return { kind: 'uncertain', code, httpStatus, detail: status };
  return { kind: 'refused', code, httpStatus, detail: status, final: FINAL.includes(status) };
}

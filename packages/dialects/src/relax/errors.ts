import type { WalletRouteName } from '@roundhouse/contract';
import { detailOf, type Failure, meaningsOf } from '../results.ts';

/**
 * These say for certain that nothing moved; every other errorcode is uncertain. ERR_VAL is final.
 * docs/dialects/relax.md has their sources.
 */
const MEANINGS = meaningsOf({
  ERR_IPB: ['INSUFFICIENT_FUNDS'],
  ERR_GLE: [
    ...['SPENDING_BUDGET_EXCEEDED', 'DAILY_TIME_LIMIT', 'WEEKLY_TIME_LIMIT', 'MONTHLY_TIME_LIMIT'],
    ...['RC_SESSION_EXPIRED', 'CUSTOM_ERROR'],
  ],
  ERR_GE: ['TRANSACTION_DECLINED'],
  ERR_IS: ['INVALID_TOKEN'],
  ERR_ATE: ['SESSION_EXPIRED'],
  ERR_LOC: ['BLOCKED_FROM_PRODUCT', 'IP_BLOCKED'],
  ERR_MAINTENANCE: ['MAINTENANCE'],
  ERR_VAL: ['INVALID_PARAMETERS', 'CHANNEL_MISSING', 'GAME_SESSION_MISMATCH'],
  ERR_BNF: ['TRANSACTION_NOT_FOUND'],
});

/** Only a status from 400 to 499 says for certain that nothing moved. */
export function errorResult(name: WalletRouteName, httpStatus: number, errorcode: string): Failure {
  const detail = detailOf(errorcode);
  const code = httpStatus >= 400 && httpStatus < 500 ? MEANINGS.get(errorcode) : undefined;
  if (code === undefined || (code === 'ERR_BNF' && name !== 'rollback'))
    return { kind: 'uncertain', code: 'ERR_UE', httpStatus, detail };
  return { kind: 'refused', code, httpStatus, detail, ...(code === 'ERR_VAL' && { final: true }) };
}

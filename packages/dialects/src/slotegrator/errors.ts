import type { WalletRouteName } from '@roundhouse/contract';
import { detailOf, type Failure, meaningsOf } from '../results.ts';

const MEANINGS = meaningsOf({ ERR_IPB: ['INSUFFICIENT_FUNDS'], ERR_GE: ['INTERNAL_ERROR'] });

/**
 * Too little money is certain of a bet, and another error of any other request. Else it is not
 * certain that nothing moved: a bet is refunded then, and others are repeated.
 */
export function errorResult(name: WalletRouteName, httpStatus: number, errorCode: string): Failure {
  const detail = detailOf(errorCode);
  const code = MEANINGS.get(errorCode);
  if (code === undefined || (code === 'ERR_IPB') !== (name === 'debit'))
    return { kind: 'uncertain', code: 'ERR_UE', httpStatus, detail };
  return { kind: 'refused', code, httpStatus, detail };
}

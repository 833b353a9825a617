import type { WalletRouteName } from '@roundhouse/contract';
import { type Failure, invalid, meaningsOf } from '../results.ts';

/** ERR_ATE is of the server's signature, and not of the player's login. */
const MEANINGS = meaningsOf({
  ERR_IPB: ['ERR_IPB'],
  ERR_IS: ['ERR_IS'],
  ERR_VAL: ['ERR_BAD', 'ERR_BC'],
  ERR_BNF: ['ERR_BNF'],
  ERR_GE: ['ERR_ATE'],
  ERR_UE: ['ERR_GE', 'ERR_UE'],
});
/** The same content gets the same refusal again. The others can be mended. */
const FINAL = ['ERR_IS', 'ERR_BAD', 'ERR_BC'];

/** Returns the failure of a code. A status of 4xx and its code together are certain. */
export function errorResult(name: WalletRouteName, httpStatus: number, error: unknown): Failure {
  const code = typeof error === 'string' ? MEANINGS.get(error) : undefined;
  if (code === undefined) return invalid(httpStatus, `status ${httpStatus} without a known code`);
  const detail = String(error);
  if (code === 'ERR_UE') return { kind: 'uncertain', code, httpStatus, detail };
  if (httpStatus < 400 || httpStatus > 499) return invalid(httpStatus, `${detail} with status ${httpStatus}`);
  const debitStands = name === 'rollback' && error === 'ERR_BC';
  return {
    kind: 'refused',
    code,
    httpStatus,
    detail,
    final: FINAL.includes(detail),
    ...(debitStands && { debitStands }),
  };
}

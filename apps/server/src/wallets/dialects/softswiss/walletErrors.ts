import type { WalletErrorCode, WalletRouteName } from '@roundhouse/contract';
import type { WalletResult } from '../../seamless/walletResult.ts';

/**
 * With these api_codes it is certain that nothing moved; every other one is uncertain. ERR_VAL is
 * final. docs/dialects/softswiss.md has their sources.
 */
const API_CODES: Partial<Record<WalletErrorCode, readonly string[]>> = {
  ERR_IPB: ['100'],
  ERR_IS: ['101', '110'],
  ERR_GLE: ['105', '106'],
  ERR_LOC: ['153'],
  ERR_VAL: ['154', '400', '605', '610', '611'],
  ERR_GE: ['107', '403', '405'],
  ERR_DUP: ['409'],
  ERR_BNF: ['404'],
};
const MEANINGS = new Map(
  Object.entries(API_CODES).flatMap(([code, all]) => all.map((each) => [each, code as WalletErrorCode])),
);
/** An error without an api_code has only a code of Twirp. */
const OF_TWIRP = new Map([
  ['permission_denied', '403'],
  ['already_exists', '409'],
]);
const MAX_DETAIL_CHARACTERS = 60;

/** Returns undefined when the body is no error. It may be one at status 200, too. */
export function errorResult(name: WalletRouteName, httpStatus: number, body: { code?: unknown; meta?: unknown }) {
  if (body.code === undefined && body.meta === undefined) return undefined;
  const { api_code } = (body.meta ?? {}) as { api_code?: unknown };
  const apiCode = api_code === undefined ? OF_TWIRP.get(String(body.code)) : String(api_code);
  const code = httpStatus < 500 ? MEANINGS.get(apiCode ?? '') : undefined;
  const isOther = (code === 'ERR_DUP' && name === 'debit') || (code === 'ERR_BNF' && name !== 'rollback');
  const detail = `api_code ${apiCode}, code ${body.code}`.slice(0, MAX_DETAIL_CHARACTERS);
  const result: WalletResult =
    code === undefined || isOther
      ? { kind: 'uncertain', code: 'ERR_UE', httpStatus, detail }
      : { kind: 'refused', code, httpStatus, detail, ...(code === 'ERR_VAL' && { final: true }) };
  return result;
}

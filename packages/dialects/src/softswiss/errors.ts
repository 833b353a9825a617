import type { WalletRouteName } from '@roundhouse/contract';
import { detailOf, type Failure, meaningsOf } from '../results.ts';

/**
 * These api_codes say for certain that nothing moved; every other one is uncertain. ERR_VAL is
 * final. docs/dialects/softswiss.md has their sources.
 */
const MEANINGS = meaningsOf({
  ERR_IPB: ['100'],
  ERR_IS: ['101', '110'],
  ERR_GLE: ['105', '106'],
  ERR_LOC: ['153'],
  ERR_VAL: ['154', '400', '605', '610', '611'],
  ERR_GE: ['107', '403', '405'],
  ERR_DUP: ['409'],
  ERR_BNF: ['404'],
});

type Fields = Readonly<Record<string, unknown>>;

/** Returns undefined when the body is not an error. A body with status 200 may also be one. */
export function errorResult(name: WalletRouteName, httpStatus: number, body: Fields): Failure | undefined {
  if (body.code === undefined && body.meta === undefined) return undefined;
  const twirp = textOf(body.code);
  const given = textOf((body.meta as { api_code?: unknown } | null | undefined)?.api_code);
  // A wrong signature may be refused before there is an api_code.
  const apiCode = given ?? (twirp === 'permission_denied' ? '403' : undefined);
  const code = httpStatus < 500 ? MEANINGS.get(apiCode ?? '') : undefined;
  const isOther = (code === 'ERR_DUP' && name === 'debit') || (code === 'ERR_BNF' && name !== 'rollback');
  const detail = detailOf(`api_code ${apiCode}, code ${twirp}`);
  if (code === undefined || isOther) return { kind: 'uncertain', code: 'ERR_UE', httpStatus, detail };
  return { kind: 'refused', code, httpStatus, detail, ...(code === 'ERR_VAL' && { final: true }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

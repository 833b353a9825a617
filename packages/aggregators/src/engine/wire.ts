import { sign, verify } from 'node:crypto';

/** What the rules need of --dialect-settings. */
export type EngineSettings = { privateKey: string; healthPath?: string | undefined };

export const PATHS = ['/v1/balance', '/v1/debit', '/v1/credit', '/v1/rollback'] as const;
export const HEALTH_PATH = '/health';
/** Amounts are whole micros. */
export const DECIMALS = 6;
export const SIGNATURE_HEADER = 'x-signature';

/** Each code has this status. */
export const STATUS_OF = {
  ERR_ATE: 401,
  ERR_IS: 400,
  ERR_IPB: 400,
  ERR_BAD: 400,
  ERR_BNF: 404,
  ERR_BC: 400,
  ERR_GE: 500,
  ERR_UE: 500,
} as const;
export type ErrorCode = keyof typeof STATUS_OF;

export function signatureOf(body: string, privateKey: string): string {
  return sign(null, Buffer.from(body), privateKey).toString('base64');
}

export function isSignature(signature: string, body: Buffer, publicKey: string): boolean {
  return verify(null, body, publicKey, Buffer.from(signature, 'base64'));
}

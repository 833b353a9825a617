import { createSign, createVerify } from 'node:crypto';

/** What the rules need of --dialect-settings. */
export type Hub88Settings = { operatorIDs: readonly (string | number)[]; privateKey: string };

export const PATHS = ['/user/balance', '/transaction/bet', '/transaction/win', '/transaction/rollback'] as const;
/** Amounts are whole numbers of 10^-5 units. */
export const DECIMALS = 5;
export const SIGNATURE_HEADER = 'x-hub88-signature';

export function signatureOf(body: string, privateKey: string): string {
  return createSign('sha256').update(body).sign(privateKey, 'base64');
}

export function isSignature(signature: string, body: Buffer, publicKey: string): boolean {
  return createVerify('sha256').update(body).verify(publicKey, signature, 'base64');
}

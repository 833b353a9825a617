import { createHmac, timingSafeEqual } from 'node:crypto';

/** Both directions carry the signature in this header. */
export const SIGNATURE_HEADER = 'x-request-sign';

export function signatureOf(body: string | Buffer, token: string): string {
  return createHmac('sha256', token).update(body).digest('hex');
}

/** It takes the same time wherever the signatures differ. */
export function isSignedWith(token: string, { body, signature }: { body: Buffer; signature: unknown }): boolean {
  if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(signatureOf(body, token), 'hex'));
}

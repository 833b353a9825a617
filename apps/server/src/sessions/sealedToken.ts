import { hkdfSync } from 'node:crypto';
import { SEAL_KEY_BYTES, seal, unseal } from '../seal.ts';

/**
 * An operator's launch token, so that only the bearer of the sessionID can bring it to light: the database keeps no credential that
 * could be used by whoever reads it.
 */
export function sealToken(token: string, sessionID: string): Buffer<ArrayBuffer> {
  return seal(token, { key: keyOf(sessionID) });
}

/** @throws Error when it was sealed for another sessionID. */
export function openToken(sealed: Uint8Array, sessionID: string): string {
  return unseal(sealed, { key: keyOf(sessionID) });
}

function keyOf(sessionID: string): Buffer {
  return Buffer.from(hkdfSync('sha256', sessionID, '', 'roundhouse launch token', SEAL_KEY_BYTES));
}

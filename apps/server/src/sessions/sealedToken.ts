import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * An operator's launch token, so that only the bearer of the sessionID can bring it to light: the database keeps no credential that
 * could be used by whoever reads it. Nonce, tag, then the encrypted text.
 */
export function sealToken(token: string, sessionID: string): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(sessionID), nonce);
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]) as Buffer<ArrayBuffer>;
}

/** @throws Error when it was sealed for another sessionID. */
export function openToken(sealed: Uint8Array, sessionID: string): string {
  const decipher = createDecipheriv(CIPHER, keyOf(sessionID), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

function keyOf(sessionID: string): Buffer {
  return Buffer.from(hkdfSync('sha256', sessionID, '', 'roundhouse launch token', KEY_BYTES));
}

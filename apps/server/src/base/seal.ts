import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const SEAL_KEY_BYTES = 32;

export type SealOptions = {
  /** SEAL_KEY_BYTES bytes. */
  key: Uint8Array;
  /** A text that is sealed for one owner cannot be opened for another. */
  owner?: string;
};

/**
 * Encrypts a text so that nobody reads or changes it without the key: nonce, tag, then the
 * encrypted text (AES-256-GCM).
 */
export function seal(text: string, { key, owner = '' }: SealOptions): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]) as Buffer<ArrayBuffer>;
}

/** @throws Error when it was sealed with another key or for another owner, or was changed. */
export function unseal(sealed: Uint8Array, { key, owner = '' }: SealOptions): string {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

/** The HMAC that uses a secret has as many bytes of output. */
const SECRET_BYTES = 32;

/** Makes an operator's secret: 43 characters that pass through any shell and any file. */
export function makeSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

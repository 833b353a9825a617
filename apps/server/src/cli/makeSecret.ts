import { randomBytes } from 'node:crypto';

/** As many as the output of the HMAC that is signed with them. */
const SECRET_BYTES = 32;

/** 43 characters that pass through any shell and any file. */
export function makeSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

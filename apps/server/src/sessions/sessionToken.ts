import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 24;

/** A sessionID is a credential: 192 random bits, safe in a URL. */
export function newSessionID(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The code before the first colon: "acme" of "acme:8f2c…". Nobody but that operator launches such a session. */
export function operatorPrefixOf(sessionID: string): string | undefined {
  return /^([^:]+):/.exec(sessionID)?.[1];
}

/** All that is ever kept of a sessionID (wire.md, "Session"). */
export function sha256Of(sessionID: string): Buffer<ArrayBuffer> {
  return hash('sha256', sessionID, 'buffer') as Buffer<ArrayBuffer>;
}

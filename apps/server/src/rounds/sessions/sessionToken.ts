import { createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { sessionMarkOf } from '@roundhouse/fleet';
import { SEAL_KEY_BYTES, seal, unseal } from '../../base/seal.ts';

const TOKEN_BYTES = 24;

/**
 * A sessionID is a credential: 192 random bits, safe in a URL. In a fleet it begins with the number
 * of its cell.
 */
export function newSessionID(cellID?: number): string {
  return writeSessionID(randomBytes(TOKEN_BYTES), cellID);
}

/**
 * Returns the sessionID of one request: always the same for the same request, secret and moment.
 * Nobody can compute it without the secret.
 * @param request what the request is, as any text
 */
export function sessionIDOf(
  request: string,
  { secret, at, cellID }: { secret: string; at: Date; cellID: number | undefined },
): string {
  const mac = createHmac('sha256', secret).update(`roundhouse launch ${at.toISOString()} ${request}`).digest();
  return writeSessionID(mac.subarray(0, TOKEN_BYTES), cellID);
}

function writeSessionID(token: Buffer, cellID: number | undefined): string {
  return (cellID === undefined ? '' : sessionMarkOf(cellID)) + token.toString('base64url');
}

/**
 * Returns the code before the first colon: "acme" of "acme:8f2c…". Only that operator may launch
 * such a session.
 */
export function operatorPrefixOf(sessionID: string): string | undefined {
  return /^([^:]+):/.exec(sessionID)?.[1];
}

/** The database stores a sessionID only in this form. */
export function sha256Of(sessionID: string): Buffer<ArrayBuffer> {
  return hash('sha256', sessionID, 'buffer') as Buffer<ArrayBuffer>;
}

/** Returns the same in base64, as the key of a map. */
export function sha256TextOf(sessionID: string): string {
  return hash('sha256', sessionID, 'base64');
}

/**
 * Encrypts the launch token of an operator so that only the bearer of the sessionID can read it:
 * the database keeps no credential that its readers could use (decision 006).
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

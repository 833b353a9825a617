import { createHash, hkdfSync } from 'node:crypto';
import { SecretKeyError } from '../../store/database/secretKeys.ts';

const SECRET_BYTES = 32;
/** A version is a positive integer of 31 bits. */
const VERSION_BITS_DROPPED = 1;

/**
 * The library for accounts encrypts with the first secret, and decrypts with the one of the
 * version.
 */
export type AuthSecret = { version: number; value: string };

/**
 * Derives the secrets of the console from the keys of operators' secrets (HKDF), so an installation
 * has one secret to keep. The version belongs to the key: a key that is put before another one
 * changes nothing about what the other one has encrypted.
 * @param secretsKey Keys of 64 hexadecimal digits each, with commas.
 * @throws SecretKeyError when there is none.
 */
export function authSecretsOf(secretsKey: string): AuthSecret[] {
  const keys = secretsKey.split(',').map((each) => each.trim());
  if (!keys.every((key) => /^[0-9a-f]{64}$/i.test(key))) {
    throw new SecretKeyError(
      'The console needs a key for its sessions and second factors: set ROUNDHOUSE_SECRETS_KEY, for example to what `openssl rand -hex 32` prints.',
    );
  }
  return keys.map((key) => {
    const bytes = Buffer.from(key, 'hex');
    const derived = hkdfSync('sha256', bytes, '', 'roundhouse console', SECRET_BYTES);
    const version =
      createHash('sha256').update('version').update(bytes).digest().readUInt32BE() >>> VERSION_BITS_DROPPED;
    return { version, value: Buffer.from(derived).toString('base64url') };
  });
}

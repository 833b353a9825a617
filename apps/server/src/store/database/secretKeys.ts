import { createHash } from 'node:crypto';
import { seal, unseal } from '../../base/seal.ts';

const KEY = /^[0-9a-f]{64}$/i;
const KEY_ID_CHARACTERS = 8;
/** The parts are version, the key's id, then the sealed secret. */
const SEALED = /^sealed:v1:([0-9a-f]{8}):([A-Za-z0-9_-]+)$/;

/**
 * The keys that are here can neither read nor write the secrets of operators. The message says what
 * to do, in one line.
 */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError';
}

/**
 * Operators' secrets are in the database under these keys. The first one encrypts, each of them
 * decrypts.
 */
export type SecretKeys = {
  /** @throws SecretKeyError when there is no key. */
  seal(secret: string, operatorCode: string): string;
  /**
   * Returns a text that is not sealed as it is.
   * @throws SecretKeyError when its key is not here, or when it is another operator's.
   */
  open(stored: string, operatorCode: string): string;
  /** Returns whether the text is sealed with the key that encrypts now. */
  isCurrent(stored: string): boolean;
};

/**
 * @param text Keys of 64 hexadecimal digits each, with commas; empty for none.
 * @throws SecretKeyError when it is anything else.
 */
export function secretKeysOf(text: string): SecretKeys {
  const written = text === '' ? [] : text.split(',').map((each) => each.trim());
  if (!written.every((each) => KEY.test(each))) {
    throw new SecretKeyError(
      'ROUNDHOUSE_SECRETS_KEY: a key is 64 hexadecimal digits, as `openssl rand -hex 32` makes them; several stand with commas.',
    );
  }
  const keys = new Map(written.map((each) => Buffer.from(each, 'hex')).map((key) => [idOf(key), key]));
  const [current] = keys;
  return {
    seal(secret, owner) {
      if (current === undefined) throw new SecretKeyError(NO_KEY);
      const [id, key] = current;
      return `sealed:v1:${id}:${seal(secret, { key, owner }).toString('base64url')}`;
    },
    open(stored, owner) {
      const [, id, sealed] = SEALED.exec(stored) ?? [];
      if (id === undefined || sealed === undefined) return stored;
      const key = keys.get(id);
      if (key === undefined) {
        throw new SecretKeyError(
          `${secretsOf(owner)} are encrypted with key ${id}, which is not here: set ROUNDHOUSE_SECRETS_KEY to it.`,
        );
      }
      try {
        return unseal(Buffer.from(sealed, 'base64url'), { key, owner });
      } catch {
        throw new SecretKeyError(`${secretsOf(owner)} were changed in the database, and cannot be decrypted.`);
      }
    },
    isCurrent: (stored) => current !== undefined && stored.startsWith(`sealed:v1:${current[0]}:`),
  };
}

/** Returns undefined when its key is not here. */
export function openIfReadable(keys: SecretKeys, stored: string, operatorCode: string): string | undefined {
  try {
    return keys.open(stored, operatorCode);
  } catch (error) {
    if (error instanceof SecretKeyError) return undefined;
    throw error;
  }
}

const NO_KEY =
  'There is no key to encrypt secrets of operators with: set ROUNDHOUSE_SECRETS_KEY, for example to what `openssl rand -hex 32` prints.';

/** Names a key without revealing it. */
function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, KEY_ID_CHARACTERS);
}

/**
 * Reads the keys of operators' secrets in the database, 64 hexadecimal digits each, with commas:
 * the first encrypts, each decrypts. There is no option for it: every user of a machine can read
 * the command lines of its processes.
 */
export function secretsKeyOfEnvironment(): string | undefined {
  return process.env.ROUNDHOUSE_SECRETS_KEY;
}

/** The tokens of launches that sessions keep are encrypted as the secrets of operators are. */
export function sealWalletToken(keys: SecretKeys, token: string, operatorCode: string): string {
  return keys.seal(token, walletTokenOwner(operatorCode));
}

/** @throws SecretKeyError when its key is not here. */
export function openWalletToken(keys: SecretKeys, stored: string, operatorCode: string): string {
  return keys.open(stored, walletTokenOwner(operatorCode));
}

const SEEDS_OF = 'fair:';

/** The server seeds of fair draws are encrypted as the secrets of operators are. */
export function serverSeedOwner(accountID: bigint): string {
  return `${SEEDS_OF}${accountID}`;
}

const APPROVAL = 'approval:';

/** The keys of a request that waits for a second user are encrypted so, and what it has made. */
export function approvalOwner(approvalID: bigint): string {
  return `${APPROVAL}${approvalID}`;
}

/** The code of an operator has no colon. */
function secretsOf(owner: string): string {
  if (owner.startsWith(SEEDS_OF)) return `The server seeds of account ${owner.slice(SEEDS_OF.length)}`;
  if (owner.startsWith(APPROVAL)) return `The secrets of approval ${owner.slice(APPROVAL.length)}`;
  return `The secrets of operator ${owner}`;
}

/** The code is the same in every cell, so the token of a player who moves can be opened there. */
export function walletTokenOwner(operatorCode: string): string {
  return `#${operatorCode}`;
}

import { requireNode } from './nodeCrypto.ts';

type KeyObject = ReturnType<ReturnType<typeof requireNode>['createPublicKey']>;

/** Two keys take the place of a shared secret: each side signs with its private key. */
export type SignatureKeys = {
  privateKey: KeyObject;
  /** The other side's key. Without it nothing can be verified. */
  publicKey: KeyObject | undefined;
};

const PEM_BLOCK = /-----BEGIN (PRIVATE|PUBLIC) KEY-----[A-Za-z0-9+/=\s]+-----END \1 KEY-----\s*/g;
const MAX_CACHED = 1000;

/** Reading a PEM text takes longer than signing with it. */
const cached = new Map<string, SignatureKeys>();

/** A text that begins as PEM does is keys. A shared secret never begins so. */
export function isKeysText(secret: string): boolean {
  return secret.startsWith('-----BEGIN ');
}

/**
 * Reads the signer's private Ed25519 key in PEM, followed by the other side's public one. Only a
 * side that verifies nothing may leave the public one out.
 * @throws Error when the text is something else, and in a browser.
 */
export function keysOf(text: string): SignatureKeys {
  const known = cached.get(text);
  if (known !== undefined) return known;
  const keys = readKeys(text);
  if (cached.size >= MAX_CACHED) cached.clear();
  cached.set(text, keys);
  return keys;
}

/** True of keys that sign and verify. */
export function areKeys(text: string): boolean {
  try {
    return keysOf(text).publicKey !== undefined;
  } catch {
    return false;
  }
}

function readKeys(text: string): SignatureKeys {
  const { createPrivateKey, createPublicKey } = requireNode();
  const blocks = [...text.matchAll(PEM_BLOCK)];
  const isAll = blocks.map(([block]) => block).join('') === text;
  const kinds = blocks.map(([, kind]) => kind).join(' then ');
  if (!isAll || (kinds !== 'PRIVATE' && kinds !== 'PRIVATE then PUBLIC')) throw new Error(NOT_KEYS);
  const [own = '', other] = blocks.map(([block]) => block);
  return {
    privateKey: ed25519(() => createPrivateKey(own)),
    publicKey: other === undefined ? undefined : ed25519(() => createPublicKey(other)),
  };
}

const NOT_KEYS = 'keys are a private Ed25519 key in PEM, then the public one of the other side';

function ed25519(read: () => KeyObject): KeyObject {
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // It is no key at all.
  }
  throw new Error(NOT_KEYS);
}

import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** PEM texts. */
type KeyPair = { publicKey: string; privateKey: string };

/**
 * The secret is a new one for each simulator; the pairs are made once in a process, when they are
 * first read.
 */
export type Keys = {
  /** A secret that both sides have, 64 hex digits. */
  readonly secret: string;
  /** The server signs with it. */
  readonly supplier: KeyPair;
  /** The aggregator signs with it. */
  readonly aggregator: KeyPair;
  /** The same; the pairs above are of RSA. */
  readonly ed25519: { readonly supplier: KeyPair; readonly aggregator: KeyPair };
};

const RSA_BITS = 2048;
const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;
// Making a pair of RSA takes a quarter of a second of a core.
const supplier = once(createKeyPair);
const aggregator = once(createKeyPair);
const ed25519 = once(() => ({ supplier: createEdPair(), aggregator: createEdPair() }));

export function createKeys(): Keys {
  return {
    secret: randomBytes(32).toString('hex'),
    get supplier() {
      return supplier();
    },
    get aggregator() {
      return aggregator();
    },
    get ed25519() {
      return ed25519();
    },
  };
}

function createKeyPair(): KeyPair {
  return generateKeyPairSync('rsa', { modulusLength: RSA_BITS, publicKeyEncoding, privateKeyEncoding });
}

function createEdPair(): KeyPair {
  return generateKeyPairSync('ed25519', { publicKeyEncoding, privateKeyEncoding });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

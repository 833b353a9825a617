import { readFileSync } from 'node:fs';
import type { SignedCall } from '../src/operator/signature.ts';

/** A request with its headers and a secret, or with a private key and its public one. */
type Vector = {
  name: string;
  secret: string;
  private: string;
  public: string;
  timestamp: string;
  nonce: string;
  call: SignedCall;
  signature: string;
  holds: boolean;
};

/** Returns the vectors that operators read: they cannot say anything else than the code does. */
export function publishedVectors(name: 'signatureVectors' | 'ed25519Vectors' = 'signatureVectors'): Vector[] {
  const file = new URL(`../../../docs/examples/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).map((vector: Record<string, string>) => {
    const { case: name, valid: holds, call: target = '', direction, body, ...headers } = vector;
    const [method, path] = target.split(' ');
    return { name, holds, call: { direction, method, path, body }, ...headers };
  });
}

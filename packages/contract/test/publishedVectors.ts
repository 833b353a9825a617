import { readFileSync } from 'node:fs';
import type { SignedCall } from '../src/operator/signature.ts';

/** A request with its headers and a secret. */
type Vector = {
  name: string;
  secret: string;
  timestamp: string;
  nonce: string;
  call: SignedCall;
  signature: string;
  holds: boolean;
};

/** Returns the vectors that operators read: they cannot say anything else than the code does. */
export function publishedVectors(): Vector[] {
  const file = new URL('../../../docs/examples/signatureVectors.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).map((vector: Record<string, string>) => {
    const { case: name, valid: holds, call: target = '', direction, body, ...headers } = vector;
    const [method, path] = target.split(' ');
    return { name, holds, call: { direction, method, path, body }, ...headers };
  });
}

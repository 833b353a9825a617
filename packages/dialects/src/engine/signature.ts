import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/** Both directions carry the signature in this header. */
export const SIGNATURE_HEADER = 'x-signature';

/** Reads the keys, which are PEM texts, once. */
export function signaturesOf(settings: { privateKey: string; operatorPublicKeys: readonly string[] }) {
  const privateKey = createPrivateKey(settings.privateKey);
  const publicKeys = settings.operatorPublicKeys.map((pem) => createPublicKey(pem));
  return {
    // It takes 40 microseconds of this thread. In the thread pool it takes 50 of both together.
    signatureOf: (body: string) => sign(null, Buffer.from(body), privateKey).toString('base64'),
    isSigned: (body: Buffer, signature: unknown) =>
      typeof signature === 'string' &&
      ENCODED.test(signature) &&
      publicKeys.some((key) => verify(null, body, key, Buffer.from(signature, 'base64'))),
  };
}

/** 64 bytes in standard base64 with padding: anything else costs no arithmetic. */
const ENCODED = /^[A-Za-z0-9+/]{86}==$/;

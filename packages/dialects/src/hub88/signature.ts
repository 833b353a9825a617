import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

/** Both directions carry the signature in this header. */
export const SIGNATURE_HEADER = 'x-hub88-signature';

/** Reads the keys, which are PEM texts, once. */
export function signaturesOf(settings: { privateKey: string; hub88PublicKeys: readonly string[] }) {
  const privateKey = createPrivateKey(settings.privateKey);
  const publicKeys = settings.hub88PublicKeys.map((pem) => createPublicKey(pem));
  return {
    signatureOf: async (body: string) => (await signed('sha256', Buffer.from(body), privateKey)).toString('base64'),
    // A signature has the length of its key: anything else costs no arithmetic.
    isSigned: (body: Buffer, signature: Buffer) =>
      publicKeys.some((key) => signature.length === bytesOf(key) && verify('sha256', body, key, signature)),
  };
}

/** A signature takes about a millisecond, which the thread that serves requests does not have. */
const signed = promisify(sign);

function bytesOf({ asymmetricKeyDetails }: KeyObject): number {
  return Math.ceil((asymmetricKeyDetails?.modulusLength ?? 0) / 8);
}

/** Both directions carry these two headers (Node reads header names in lower case). */
export const TIMESTAMP_HEADER = 'x-roundhouse-timestamp';
export const SIGNATURE_HEADER = 'x-roundhouse-signature';
/** On calls of an operator: the code under which the server knows it, so that its secrets can be found. */
export const OPERATOR_HEADER = 'x-roundhouse-operator';

/** How far the clocks of both sides may be apart, in seconds, before or after. */
export const SIGNATURE_WINDOW_SECONDS = 300;

const VERSION = 'v1';
const HEX_SHA256 = /^v1=([0-9a-f]{64})$/;
const WHOLE_SECONDS = /^\d{1,12}$/;

/** A raw body: exactly the bytes that are sent. A call without a body signs the empty one. */
export type SignedBody = string | Uint8Array<ArrayBuffer>;

export type SignatureHeaders = { [TIMESTAMP_HEADER]: string; [SIGNATURE_HEADER]: string };

/** What is wrong with a signature, for a log: the answer is 401 in each case. */
export type SignatureFault = 'missing' | 'malformed' | 'outside the window' | 'not by any of the secrets';

/**
 * The headers that sign a body: HMAC-SHA256 with the secret's UTF-8 bytes over `timestamp + "." + raw body`.
 * `nowSeconds`: Unix time in whole seconds.
 */
export async function signBody(
  body: SignedBody,
  { secret, nowSeconds }: { secret: string; nowSeconds: number },
): Promise<SignatureHeaders> {
  const timestamp = String(nowSeconds);
  const mac = await crypto.subtle.sign('HMAC', await keyOf(secret), signedBytes(timestamp, body));
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `${VERSION}=${toHex(new Uint8Array(mac))}` };
}

export type VerifyOptions = {
  timestamp: string | undefined;
  signature: string | undefined;
  /** Every secret that is valid now: two while one is being exchanged for the next. */
  secrets: readonly string[];
  /** Unix time in whole seconds. */
  nowSeconds: number;
};

/** Undefined when one of the secrets has signed this body within the window. The comparison takes the same time wherever it fails. */
export async function signatureFault(
  body: SignedBody,
  { timestamp, signature, secrets, nowSeconds }: VerifyOptions,
): Promise<SignatureFault | undefined> {
  if (timestamp === undefined || signature === undefined) return 'missing';
  const hex = HEX_SHA256.exec(signature)?.[1];
  if (hex === undefined || !WHOLE_SECONDS.test(timestamp)) return 'malformed';
  if (Math.abs(nowSeconds - Number(timestamp)) > SIGNATURE_WINDOW_SECONDS) return 'outside the window';
  const mac = fromHex(hex);
  const bytes = signedBytes(timestamp, body);
  for (const secret of secrets) {
    if (await crypto.subtle.verify('HMAC', await keyOf(secret), mac, bytes)) return undefined;
  }
  return 'not by any of the secrets';
}

function keyOf(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign', 'verify']);
}

function signedBytes(timestamp: string, body: SignedBody): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${timestamp}.`);
  const tail = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

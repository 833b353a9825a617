import { requireNode } from './nodeCrypto.ts';
import { isKeysText, keysOf } from './signatureKeys.ts';

/** Both directions carry these three headers (Node reads header names in lower case). */
export const TIMESTAMP_HEADER = 'x-roundhouse-timestamp';
export const NONCE_HEADER = 'x-roundhouse-nonce';
export const SIGNATURE_HEADER = 'x-roundhouse-signature';
/** A request of an operator carries the operator's code, by which the server finds its secrets. */
export const OPERATOR_HEADER = 'x-roundhouse-operator';

/** How far the clocks of both sides may be apart, in seconds, before or after. */
export const SIGNATURE_WINDOW_SECONDS = 300;

/** The signed text begins with the scheme, so no bytes are ever signed in two schemes. */
const HMAC = 'v2';
const ED25519 = 'ed25519';
const SIGNATURE = /^(?:v2=([0-9a-f]{64})|ed25519=([0-9a-f]{128}))$/;
const WHOLE_SECONDS = /^\d{1,12}$/;
const NONCE = /^[A-Za-z0-9_-]{16,64}$/;

/** A raw body: exactly the bytes that are sent. A request without a body signs the empty one. */
export type SignedBody = string | Uint8Array;

export type SignedCall = {
  /**
   * It names the receiver: the operator's wallet, or the server. A signature for one is never valid
   * for the other.
   */
  direction: 'to-operator' | 'to-rgs';
  /** It is in upper case. */
  method: string;
  /**
   * It is as in the request line, but below the base URL of the receiver: `/debit`,
   * `/operator/rounds?limit=10`. A proxy may add or remove a prefix, and neither end has to know
   * it.
   */
  path: string;
  body: SignedBody;
};

export type SignatureHeaders = {
  [TIMESTAMP_HEADER]: string;
  [NONCE_HEADER]: string;
  [SIGNATURE_HEADER]: string;
};

/** Why a signature is not valid, for a log: the response is 401 in each case. */
export type SignatureIssue = 'missing' | 'malformed' | 'outside the window' | 'not by any of the secrets';

export type SigningOptions = {
  /** The shared secret, or keys in PEM (signatureKeys.ts). */
  secret: string;
  /** It is Unix time in whole seconds. */
  nowSeconds: number;
  /**
   * Has 16 to 64 of A-Z, a-z, 0-9, "_" and "-", and differs in each request. The default is a UUID.
   */
  nonce?: string;
};

/**
 * Returns the headers that sign a request. The signature covers scheme, direction, timestamp,
 * nonce, method and path, each followed by a line feed, and the raw body. It is HMAC-SHA256 with
 * the secret's UTF-8 bytes, or Ed25519 with the private key.
 * @throws Error in a browser, and when keys cannot be read.
 */
export function signCall(
  call: SignedCall,
  { secret, nowSeconds, nonce = crypto.randomUUID() }: SigningOptions,
): SignatureHeaders {
  const timestamp = String(nowSeconds);
  const scheme = isKeysText(secret) ? ED25519 : HMAC;
  const text = textOf(scheme, call, { timestamp, nonce });
  const signature = scheme === ED25519 ? signatureBy(secret, text, call.body) : macBy(secret, text, call.body);
  return {
    [TIMESTAMP_HEADER]: timestamp,
    [NONCE_HEADER]: nonce,
    [SIGNATURE_HEADER]: `${scheme}=${signature.toString('hex')}`,
  };
}

export type VerifyOptions = {
  /** The headers of the request. Their names are in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Every secret or keys that are valid now are here: two while one replaces the other. */
  secrets: readonly string[];
  /** It is Unix time in whole seconds. */
  nowSeconds: number;
};

/**
 * Undefined when one of the secrets signed this request within the window. The comparison takes
 * constant time.
 * @throws Error in a browser, and when keys cannot be read.
 */
export function signatureIssue(
  call: SignedCall,
  { headers, secrets, nowSeconds }: VerifyOptions,
): SignatureIssue | undefined {
  const { [TIMESTAMP_HEADER]: timestamp, [NONCE_HEADER]: nonce, [SIGNATURE_HEADER]: signature } = headers;
  if (typeof timestamp !== 'string' || typeof nonce !== 'string' || typeof signature !== 'string') return 'missing';
  const [, mac, signed] = SIGNATURE.exec(signature) ?? [];
  const hex = mac ?? signed;
  if (hex === undefined || !WHOLE_SECONDS.test(timestamp) || !NONCE.test(nonce)) return 'malformed';
  if (Math.abs(nowSeconds - Number(timestamp)) > SIGNATURE_WINDOW_SECONDS) return 'outside the window';
  const given = Buffer.from(hex, 'hex');
  const scheme = mac === undefined ? ED25519 : HMAC;
  const text = textOf(scheme, call, { timestamp, nonce });
  const isBy = scheme === ED25519 ? isSignatureBy : isMacBy;
  const ofScheme = secrets.filter((secret) => isKeysText(secret) === (scheme === ED25519));
  return ofScheme.some((secret) => isBy(secret, text, call.body, given)) ? undefined : 'not by any of the secrets';
}

function macBy(secret: string, text: string, body: SignedBody): Buffer {
  return requireNode().createHmac('sha256', secret).update(text).update(body).digest();
}

function isMacBy(secret: string, text: string, body: SignedBody, mac: Buffer): boolean {
  return requireNode().timingSafeEqual(mac, macBy(secret, text, body));
}

function signatureBy(keys: string, text: string, body: SignedBody): Buffer {
  return requireNode().sign(null, messageOf(text, body), keysOf(keys).privateKey);
}

function isSignatureBy(keys: string, text: string, body: SignedBody, signature: Buffer): boolean {
  const { publicKey } = keysOf(keys);
  return publicKey !== undefined && requireNode().verify(null, messageOf(text, body), publicKey, signature);
}

/** Ed25519 signs a message as a whole. */
function messageOf(text: string, body: SignedBody): Buffer {
  return Buffer.concat([Buffer.from(text), Buffer.from(body)]);
}

/**
 * Returns all that is signed but the body. Nothing before the body can hold a line feed, so two
 * requests never have the same bytes.
 */
function textOf(
  scheme: typeof HMAC | typeof ED25519,
  { direction, method, path }: SignedCall,
  { timestamp, nonce }: { timestamp: string; nonce: string },
): string {
  return `${scheme}\n${direction}\n${timestamp}\n${nonce}\n${method}\n${path}\n`;
}

import { type SignedCall, signCall, WALLET_ROUTES, type WalletRouteName } from '@roundhouse/contract';
import { Agent, request } from 'undici';
import type { Answer, Exchange } from './exchange.ts';

/** As long as the server waits by default. What comes later is an uncertain answer there, so it is none here. */
const ANSWER_TIMEOUT_MS = 5_000;
/** Ample for a page of movements, and an end to an answer without one. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** How a call is signed. Without anything but `words`: as it should be. */
export type Signing = {
  /** For the report. */
  words: string;
  /** No signature headers at all. */
  unsigned?: true;
  /** In place of the right one. */
  secret?: string;
  /** Added to the clock, in seconds. */
  offsetSeconds?: number;
  /** What is signed, where it is not what is sent. */
  signed?: Partial<SignedCall>;
  /** Rewrites the value of the signature header. */
  rewrite?: (signature: string) => string;
};

export const GOOD_SIGNATURE: Signing = { words: 'signed' };

export type CheckClient = {
  /** Sends a body as it is. Never rejects: a call without an answer is an exchange too. */
  post(route: WalletRouteName, body: string, signing: Signing): Promise<Exchange>;
  close(): Promise<void>;
};

/** A client of one wallet that can also sign wrongly, and shows answers raw. `baseUrl`: what stands before `/debit`. */
export function createCheckClient({ baseUrl, secret }: { baseUrl: string; secret: string }): CheckClient {
  const dispatcher = new Agent({ maxResponseSize: MAX_ANSWER_BYTES, connect: { timeout: ANSWER_TIMEOUT_MS } });
  const base = baseUrl.replace(/\/+$/, '');

  async function post(route: WalletRouteName, body: string, signing: Signing): Promise<Exchange> {
    const { method, path } = WALLET_ROUTES[route];
    const call = { route, method, path, signed: signing.words, body };
    const signature = await signatureHeaders({ method, path, body }, { secret, signing });
    const headers = { 'content-type': 'application/json', ...signature };
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    try {
      const response = await request(`${base}${path}`, { method, headers, body, dispatcher, signal });
      return { call, answer: { came: true, status: response.statusCode, body: await response.body.text() } };
    } catch (error) {
      return { call, answer: noAnswer(error) };
    }
  }

  return { post, close: () => dispatcher.close() };
}

async function signatureHeaders(
  sent: Omit<SignedCall, 'direction'>,
  { secret, signing }: { secret: string; signing: Signing },
): Promise<Record<string, string>> {
  if (signing.unsigned) return {};
  const nowSeconds = Math.floor(Date.now() / 1000) + (signing.offsetSeconds ?? 0);
  const call: SignedCall = { direction: 'to-operator', ...sent, ...signing.signed };
  const headers = await signCall(call, { secret: signing.secret ?? secret, nowSeconds });
  const signature = headers['x-roundhouse-signature'];
  return { ...headers, 'x-roundhouse-signature': signing.rewrite?.(signature) ?? signature };
}

function noAnswer(error: unknown): Answer {
  if (!(error instanceof Error)) return { came: false, why: String(error) };
  if (error.name === 'TimeoutError') return { came: false, why: `no answer within ${ANSWER_TIMEOUT_MS / 1000} s` };
  const { code } = error as { code?: unknown };
  return { came: false, why: typeof code === 'string' ? code : error.message };
}

import { signCall } from '@roundhouse/contract';
import { Agent, type Dispatcher, request } from 'undici';

/** What came back, whatever it was; or why nothing did. */
export type WalletReply = { status: number; text: string } | { failure: string };

export type WalletPost = {
  url: string;
  /** Of the call, below the operator's base URL: what is signed. */
  path: string;
  body: unknown;
  secret: string;
  /** For the whole exchange, the body of the answer included. */
  timeoutMs: number;
};

/** An answer of a wallet is a few dozen bytes, a page of its movements some hundred kilobytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const KEEP_ALIVE_MS = 30_000;

/** Connections to one operator. Each operator has its own, so that one which hangs can use up only these. */
export function createWalletAgent(connections: number): Agent {
  return new Agent({ connections, keepAliveTimeout: KEEP_ALIVE_MS, connectTimeout: 10_000 });
}

/** Sends one signed call. Never throws: a connection that was refused, dropped or too slow is a failure with a reason. */
export async function postSigned(
  { url, path, body, secret, timeoutMs }: WalletPost,
  dispatcher: Dispatcher,
): Promise<WalletReply> {
  const text = JSON.stringify(body);
  const signed = await signCall(
    { direction: 'to-operator', method: 'POST', path, body: text },
    { secret, nowSeconds: Math.floor(Date.now() / 1000) },
  );
  try {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...signed },
      body: text,
      signal: AbortSignal.timeout(timeoutMs),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    return { status: response.statusCode, text: await readText(response.body) };
  } catch (error) {
    return { failure: reasonOf(error) };
  }
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Short, and without addresses: it is written down beside the call. */
function reasonOf(error: unknown): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return 'time-out';
  return (code ?? message ?? 'failed').slice(0, 60);
}

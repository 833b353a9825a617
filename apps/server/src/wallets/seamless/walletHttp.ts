import { signCall } from '@roundhouse/contract';
import { Agent, type Dispatcher, request } from 'undici';

/** What came back, whatever it was; or why nothing did; or that for certain nothing was sent. */
export type WalletReply = { status: number; text: string } | { failure: string } | { unsent: string };

export type WalletPost = {
  url: string;
  /** Of the call, below the operator's base URL: what is signed. */
  path: string;
  body: unknown;
  secret: string;
  /** Until there is a connection. */
  connectWithinMs: number;
  /** From then on, for the whole exchange, the body of the answer included. */
  timeoutMs: number;
};

/** An answer of a wallet is a few dozen bytes, a page of its movements some hundred kilobytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const KEEP_ALIVE_MS = 30_000;
const NO_CONNECTION = 'no connection in time';

type AgentOptions = { connections: number; connectWithinMs: number };

/** Connections to one operator. Each operator has its own, so that one which hangs can use up only these. */
export function createWalletAgent({ connections, connectWithinMs }: AgentOptions): Agent {
  return new Agent({ connections, keepAliveTimeout: KEEP_ALIVE_MS, connectTimeout: connectWithinMs });
}

/**
 * Sends one signed call. Never throws. Unsent is only what found no connection in time: a connection that was refused counts as a failure,
 * as the protocol has it, since a rollback too many does no harm.
 */
export async function postSigned(
  { url, path, body, secret, connectWithinMs, timeoutMs }: WalletPost,
  dispatcher: Dispatcher,
): Promise<WalletReply> {
  const text = JSON.stringify(body);
  const signed = await signCall(
    { direction: 'to-operator', method: 'POST', path, body: text },
    { secret, nowSeconds: Math.floor(Date.now() / 1000) },
  );
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // undici looks at the signal of a request that waits for a connection only when there is one. It is not sent then either.
  const noConnection = new Promise<WalletReply>((resolve) => {
    timer = setTimeout(() => {
      abort.abort();
      resolve({ unsent: NO_CONNECTION });
    }, connectWithinMs);
  });
  const onSending = () => {
    if (abort.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(new DOMException('time-out', 'TimeoutError')), timeoutMs);
  };
  const exchange = async (): Promise<WalletReply> => {
    const response = await request(url, {
      dispatcher: dispatcher.compose(beforeSending(onSending)),
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...signed },
      body: text,
      signal: abort.signal,
    });
    return { status: response.statusCode, text: await readText(response.body) };
  };
  const reply = await Promise.race([exchange().catch(replyOf), noConnection]);
  clearTimeout(timer);
  return reply;
}

/** Calls back right before a request is written to its connection: undici has no other word for it. */
function beforeSending(onSending: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      onSending();
      start?.(controller, context);
    };
    return dispatch(options, handler);
  };
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

/** Its reason is short, and without addresses: it is written down beside the call. */
function replyOf(error: unknown): WalletReply {
  const { name, code, message } = error as { name?: string; code?: string | number; message?: string };
  if (name === 'TimeoutError') return { failure: 'time-out' };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { unsent: NO_CONNECTION };
  return { failure: String(code ?? message ?? 'failed').slice(0, 60) };
}

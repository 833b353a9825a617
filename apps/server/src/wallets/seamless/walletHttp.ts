import { signCall } from '@roundhouse/contract';
import { Agent, type Dispatcher, request } from 'undici';

/**
 * responded: any response. failed: why there is none. not_sent: certainly nothing was sent.
 * `detail` is for a person.
 */
export type WalletExchange =
  | { kind: 'responded'; httpStatus: number; text: string }
  | { kind: 'failed'; code: 'timeout' | 'connection_failed' | 'invalid_response'; detail: string }
  | { kind: 'not_sent'; detail: string };

export type WalletPost = {
  url: string;
  /** Of the route, below the operator's base URL: the signature covers it. */
  path: string;
  body: unknown;
  secret: string;
  /** Until there is a connection. */
  connectWithinMs: number;
  /** From then on, for the whole exchange, the body of the response included. */
  timeoutMs: number;
};

/**
 * A response of a wallet is a few dozen bytes, a page of its transactions some hundred kilobytes.
 */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
const KEEP_ALIVE_MS = 30_000;
const MAX_DETAIL_CHARACTERS = 60;
const NO_CONNECTION = { kind: 'not_sent', detail: 'no connection in time' } as const;

type AgentOptions = { connections: number; connectWithinMs: number };

/**
 * Connections to one operator. Each operator has its own, so that one which hangs can use up only
 * these.
 */
export function createWalletAgent({ connections, connectWithinMs }: AgentOptions): Agent {
  return new Agent({
    connections,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeout: connectWithinMs,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
}

/**
 * Sends one signed request. Never throws. Only a request that found no connection in time is
 * not_sent: a refused connection is a failure, as the wallet protocol says, since an unneeded
 * rollback does no harm.
 */
export async function postSigned(
  { url, path, body, secret, connectWithinMs, timeoutMs }: WalletPost,
  dispatcher: Dispatcher,
): Promise<WalletExchange> {
  const text = JSON.stringify(body);
  const signed = await signCall(
    { direction: 'to-operator', method: 'POST', path, body: text },
    { secret, nowSeconds: Math.floor(Date.now() / 1000) },
  );
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // While a request waits for a connection undici does not look at its signal. An aborted request
  // is not sent later either.
  const noConnection = new Promise<WalletExchange>((resolve) => {
    timer = setTimeout(() => {
      abort.abort();
      resolve(NO_CONNECTION);
    }, connectWithinMs);
  });
  const onSending = () => {
    if (abort.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(new DOMException('time-out', 'TimeoutError')), timeoutMs);
  };
  const send = async (): Promise<WalletExchange> => {
    const response = await request(url, {
      dispatcher: dispatcher.compose(beforeSending(onSending)),
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...signed },
      body: text,
      signal: abort.signal,
    });
    return { kind: 'responded', httpStatus: response.statusCode, text: await response.body.text() };
  };
  const exchange = await Promise.race([send().catch(failureOf), noConnection]);
  clearTimeout(timer);
  return exchange;
}

/**
 * Calls back right before undici writes a request to its connection; undici has no event for it.
 */
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

/** The detail is short and holds no addresses: it is stored with the wallet transaction. */
function failureOf(error: unknown): WalletExchange {
  const { name, code, message } = error as { name?: string; code?: string | number; message?: string };
  if (name === 'TimeoutError') return { kind: 'failed', code: 'timeout', detail: 'time-out' };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return NO_CONNECTION;
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return { kind: 'failed', code: 'invalid_response', detail: 'the response is too long' };
  const detail = String(code ?? message ?? 'failed').slice(0, MAX_DETAIL_CHARACTERS);
  return { kind: 'failed', code: 'connection_failed', detail };
}

import { Agent, type Dispatcher } from 'undici';

/**
 * responded: any response. failed: why there is none. not_sent: certainly nothing was sent. A
 * person reads `detail`.
 */
export type WalletExchange =
  | { kind: 'responded'; httpStatus: number; text: string }
  | { kind: 'failed'; code: 'timeout' | 'connection_failed' | 'invalid_response'; detail: string }
  | { kind: 'not_sent'; detail: string };

export type WalletPost = {
  url: string;
  /** Names and values take turns. */
  headers: string[];
  body: string;
  /** The connection must exist within this time. */
  connectWithinMs: number;
  /** The whole exchange may take so long from then on, the body of the response included. */
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
 * Makes connections to one operator. Each operator has its own, so that one which hangs can use up
 * only these.
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
 * Sends one request. Never throws. Only a request that found no connection in time is not_sent: a
 * refused connection is a failure, as the wallet protocol says, since an unneeded rollback does no
 * harm.
 * It uses `dispatch` and one timer: undici's `request` makes a stream, an abort signal and two more
 * timers of each response, at twice the cost.
 */
export function post(request: WalletPost, dispatcher: Dispatcher): Promise<WalletExchange> {
  const { headers, body } = request;
  return new Promise((resolve) => {
    const exchange = new Exchange(request, resolve);
    try {
      const { origin, pathname, search } = new URL(request.url);
      // The options are a literal: undici reads an object that a spread has made eight microseconds
      // more slowly.
      dispatcher.dispatch(
        { origin, path: pathname + search, method: 'POST', headers, body, headersTimeout: 0, bodyTimeout: 0 },
        exchange,
      );
      exchange.waitForConnection();
    } catch (error) {
      exchange.onResponseError(undefined, error as Error);
    }
  });
}

/** undici reports one request to it. It has one timer at a time. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #post: WalletPost;
  readonly #resolve: (exchange: WalletExchange) => void;
  #timer: NodeJS.Timeout | undefined;
  #isSent = false;
  #isOver = false;
  #httpStatus = 0;
  readonly #chunks: Buffer[] = [];

  constructor(post: WalletPost, resolve: (exchange: WalletExchange) => void) {
    this.#post = post;
    this.#resolve = resolve;
  }

  /** undici has no limit for this. */
  waitForConnection(): void {
    if (this.#isSent || this.#isOver) return;
    this.#timer = setTimeout(() => this.#end(NO_CONNECTION), this.#post.connectWithinMs);
  }

  /** undici calls it right before it writes the request to its connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It is too late: undici does not write what is aborted now.
    if (this.#isOver) {
      controller.abort(new Error('there was no connection in time'));
      return;
    }
    this.#isSent = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#end({ kind: 'failed', code: 'timeout', detail: 'time-out' });
      controller.abort(new Error('time-out'));
    }, this.#post.timeoutMs);
  }

  /** undici calls it for each 1xx status too; the last one counts. */
  onResponseStart(_controller: unknown, httpStatus: number): void {
    this.#httpStatus = httpStatus;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#end({ kind: 'responded', httpStatus: this.#httpStatus, text: bytes?.toString() ?? '' });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end(failureOf(error));
  }

  #end(exchange: WalletExchange): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#resolve(exchange);
  }
}

/** The detail is short and holds no addresses: it is stored with the wallet transaction. */
function failureOf(error: Error): WalletExchange {
  const { code, message } = error as Error & { code?: string | number };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return NO_CONNECTION;
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return { kind: 'failed', code: 'invalid_response', detail: 'the response is too long' };
  const detail = String(code ?? message ?? 'failed').slice(0, MAX_DETAIL_CHARACTERS);
  return { kind: 'failed', code: 'connection_failed', detail };
}

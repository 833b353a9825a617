import type { IncomingHttpHeaders } from 'node:http';
import { Agent, buildConnector, Client, type Dispatcher } from 'undici';

/**
 * How the server sends a request to a wallet and reads the response. The server and the checks of
 * wallets share it, so a check finds what the server would find.
 *
 * responded: any response; `text` is its body without a byte order mark. failed: why there is none
 * that can be read. not_sent: certainly nothing was sent. A person reads `detail`.
 */
export type WalletExchange =
  | { kind: 'responded'; httpStatus: number; text: string }
  | {
      kind: 'failed';
      code: 'timeout' | 'connection_failed' | 'invalid_response';
      detail: string;
      /**
       * The connection had served an earlier request, and ended before the first byte of this
       * response. Most wallets end an idle connection without a word, so the wallet has probably
       * not read the request.
       */
      isStale?: true;
    }
  | { kind: 'not_sent'; detail: string };

export type WalletPost = {
  url: string;
  /** Header names and values alternate. */
  headers: string[];
  body: string;
  /** The connection must exist within this time. */
  connectWithinMs: number;
  /** Time limit for the whole exchange from then on, the body of the response included. */
  timeoutMs: number;
};

/** A connection must exist within this time. The time-out of an operator begins then. */
export const SEND_WITHIN_MS = 2_000;

/**
 * A response of a wallet is a few dozen bytes, a page of its transactions some hundred kilobytes.
 */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/**
 * Time in milliseconds for which an idle connection is kept: less than any wallet keeps it, because
 * a request in flight would be lost (decision 005).
 */
const KEEP_ALIVE_MS = 1_000;
/**
 * A wallet that names its time (`Keep-Alive: timeout=5`) gets the last request this long before it,
 * in milliseconds.
 */
const KEEP_ALIVE_MARGIN_MS = 1_000;
/** The time that a wallet names is cut to this one: something on the way may forget sooner. */
const KEEP_ALIVE_MOST_MS = 30_000;
const MAX_DETAIL_CHARACTERS = 60;
const NO_CONNECTION = { kind: 'not_sent', detail: 'no connection in time' } as const;
/** Every request has these besides its own. */
const HEADERS = ['accept', 'application/json', 'accept-encoding', 'identity'];
/** The other side has ended the connection, in the words of undici and of the system. */
const ENDED: readonly unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];
const BYTE_ORDER_MARK = 0xfeff;
const GZIP_MAGIC = [0x1f, 0x8b];

type AgentOptions = { connections: number; connectWithinMs: number };

/**
 * Makes connections to one operator. Each operator has its own, so that one which hangs can use up
 * only these.
 */
export function createWalletAgent({ connections, connectWithinMs }: AgentOptions): Agent {
  return new Agent({ connections, ...clientOptions(connectWithinMs) });
}

function clientOptions(connectWithinMs: number): Client.Options {
  return {
    connect: notingConnector(connectWithinMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MOST_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
  };
}

/** undici's own SocketError has the member, an error of the system gets it here. */
type ConnectionError = Error & { code?: string | number; socket?: { bytesRead?: number } };

/** Connects as undici does, and notes at an error of a connection how many bytes it had read. */
function notingConnector(connectWithinMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: connectWithinMs });
  return (options, callback) =>
    connect(options, (...args) => {
      const [, socket] = args;
      socket?.on('error', (error: ConnectionError) => {
        error.socket ??= { bytesRead: socket.bytesRead };
      });
      callback(...args);
    });
}

/**
 * Sends one request. Never throws. Only a request that found no connection in time is not_sent: a
 * refused connection is a failure, since an unneeded rollback does no harm (decision 005).
 * It uses `dispatch` and one timer: undici's `request` makes a stream, an abort signal and two more
 * timers of each response, at twice the cost.
 */
export function post(request: WalletPost, dispatcher: Dispatcher): Promise<WalletExchange> {
  const { body } = request;
  const headers = request.headers.concat(HEADERS);
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

/** Sends one request on a new connection, after that of an agent was stale. Never throws. */
export async function postAlone(request: WalletPost): Promise<WalletExchange> {
  const client = new Client(new URL(request.url).origin, clientOptions(request.connectWithinMs));
  const exchange = await post(request, client);
  void client.destroy();
  return exchange;
}

/** undici reports one request to it. It has one timer at a time. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #post: WalletPost;
  readonly #resolve: (exchange: WalletExchange) => void;
  #timer: NodeJS.Timeout | undefined;
  #isSent = false;
  #isOver = false;
  #hasResponse = false;
  #httpStatus = 0;
  #encoding = '';
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

  /** undici calls it at the first byte of a response. */
  onResponseStarted(): void {
    this.#hasResponse = true;
  }

  /** undici calls it for each 1xx status too; the last one counts. */
  onResponseStart(_controller: unknown, httpStatus: number, headers: IncomingHttpHeaders): void {
    this.#httpStatus = httpStatus;
    this.#encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const bytes = (this.#chunks.length === 1 ? first : undefined) ?? Buffer.concat(this.#chunks);
    const encoding = GZIP_MAGIC.every((byte, at) => bytes[at] === byte) ? 'gzip' : this.#encoding;
    if (encoding !== '' && encoding !== 'identity') {
      const detail = `the body is ${encoding.slice(0, 20)}; identity was asked for`;
      this.#end({ kind: 'failed', code: 'invalid_response', detail });
      return;
    }
    const text = bytes.toString();
    const isMarked = text.charCodeAt(0) === BYTE_ORDER_MARK;
    this.#end({ kind: 'responded', httpStatus: this.#httpStatus, text: isMarked ? text.slice(1) : text });
  }

  onResponseError(_controller: unknown, error: ConnectionError): void {
    const isStale =
      this.#isSent && !this.#hasResponse && ENDED.includes(error.code) && (error.socket?.bytesRead ?? 0) > 0;
    this.#end(failureOf(error, isStale));
  }

  #end(exchange: WalletExchange): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#resolve(exchange);
  }
}

/** The detail is short and holds no addresses: it is stored with the wallet transaction. */
function failureOf({ code, message }: ConnectionError, isStale: boolean): WalletExchange {
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return NO_CONNECTION;
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return { kind: 'failed', code: 'invalid_response', detail: 'the response is too long' };
  const detail = String(code ?? message ?? 'failed').slice(0, MAX_DETAIL_CHARACTERS);
  return { kind: 'failed', code: 'connection_failed', detail, ...(isStale && { isStale }) };
}

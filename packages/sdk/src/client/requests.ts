import {
  type AuthenticateRequest,
  type BalanceRequest,
  type EndRoundRequest,
  type EventRequest,
  GAME_ROUTES,
  type GrantsRequest,
  type HistoryRequest,
  type LaunchReplay,
  type PlayRequest,
  type RouteAddress,
} from '@roundhouse/contract/light';
import { type AnyRgsError, isRgsError, NetworkError } from '../errors.ts';
import { type Check, IS_RESPONSE, type Received, type Responses, readResponse } from './responses.ts';

/** Names a published book. */
export type ReplayBook = Pick<LaunchReplay, 'game' | 'version' | 'mode' | 'event'>;

/** Requests have these bodies. The client adds the sessionID when it sends them. */
type Bodies = {
  authenticate: AuthenticateRequest;
  balance: BalanceRequest;
  play: PlayRequest;
  endRound: EndRoundRequest;
  event: EventRequest;
  history: HistoryRequest;
  grants: GrantsRequest;
};

type SessionRequest<Name extends keyof Bodies> = {
  name: Name;
  body: Omit<Bodies[Name], 'sessionID'>;
  /** Makes a play safe to repeat. */
  idempotencyKey?: string;
} & Retrying;

type Retrying = {
  /** These replace the client's own numbers. */
  maxRetries?: number;
  timeoutMs?: number;
  /** Called with the error of each attempt. */
  onFailure?: (error: unknown) => void;
};

export type Requests = {
  send<Name extends keyof Bodies>(request: SessionRequest<Name>): Promise<Responses[Name]>;
  replay(book: ReplayBook): Promise<Responses['replay']>;
  /** Sends a request as it is: the client adds no session. */
  ask<Body>(route: RouteAddress, body: object, isResponse: Check<Body>, retrying?: Retrying): Promise<Body>;
};

export type RequestOptions = {
  rgsUrl: string;
  sessionID: string;
  fetch: typeof fetch;
  /** It limits one attempt in milliseconds, to the last byte of the body. */
  timeoutMs: number;
  maxRetries: number;
  retryDelayMs: number;
  maxRetryDelayMs: number;
  /** Ends all requests, and refuses later ones. */
  closed: AbortSignal;
  onActivity: { begin(): void; end(): void };
};

/**
 * Sends the requests, and repeats each until there is a response or no retry is left. Each is safe
 * to repeat.
 */
export function createRequests({ rgsUrl, sessionID, maxRetries, closed, ...options }: RequestOptions): Requests {
  const backoff = { baseMs: options.retryDelayMs, capMs: options.maxRetryDelayMs, random: Math.random };

  async function withRetries<Body>(
    isResponse: Check<Body>,
    { path, ...init }: RequestInit & { path: string },
    retrying: Retrying = {},
  ): Promise<Body> {
    options.onActivity.begin();
    try {
      for (let retries = 0; ; retries += 1) {
        try {
          return readResponse(
            await exchange(`${rgsUrl}${path}`, init, { ...options, closed, ...retrying }),
            isResponse,
          );
        } catch (error) {
          retrying.onFailure?.(error);
          if (!shouldRetry(error, { retries, maxRetries: retrying.maxRetries ?? maxRetries })) throw error;
          const { retryAfterMs } = error as AnyRgsError;
          await waitMs(retryWaitMs(retries, { ...backoff, retryAfterMs }), closed);
        }
      }
    } finally {
      options.onActivity.end();
    }
  }

  return {
    async send({ name, body, idempotencyKey, ...retrying }) {
      const { method, path } = GAME_ROUTES[name];
      const headers = headersOf(name, idempotencyKey);
      const request = { method, path, headers, body: JSON.stringify({ sessionID, ...body }) };
      return withRetries(IS_RESPONSE[name], request, retrying);
    },
    ask: (route, body, isResponse, retrying) =>
      withRetries(isResponse, { ...route, body: JSON.stringify(body) }, retrying),
    async replay(book) {
      const { method, path } = GAME_ROUTES.replay;
      const filled = path.replace(/:(\w+)/g, (_, name: keyof ReplayBook) => encodeURIComponent(book[name]));
      return withRetries(IS_RESPONSE.replay, { method, path: filled });
    },
  };
}

/**
 * Returns whether a request that is safe to repeat is sent again.
 * @param retries how often it has been repeated
 */
export function shouldRetry(error: unknown, { retries, maxRetries }: { retries: number; maxRetries: number }): boolean {
  if (retries >= maxRetries || !isRgsError(error)) return false;
  // Maintenance lasts minutes: the game shows it, and the player tries again.
  return error.retryable && error.kind !== 'maintenance';
}

/**
 * Returns the milliseconds to wait before a retry: what the server requests, and a time that is
 * drawn from zero to a ceiling, which doubles each time. So players who lost their connection
 * together do not come back together.
 */
export function retryWaitMs(retries: number, { baseMs, capMs, random, retryAfterMs = 0 }: Backoff): number {
  return Math.min(capMs, retryAfterMs + random() * Math.min(capMs, baseMs * 2 ** retries));
}

type Backoff = { baseMs: number; capMs: number; random: () => number; retryAfterMs?: number | undefined };

/**
 * The server does not read the content type. As plain text, balance, end-round, event and
 * history need no CORS preflight in a browser. Authenticate is sent once, so its preflight costs
 * little.
 */
function headersOf(name: keyof Bodies, idempotencyKey: string | undefined): Record<string, string> {
  if (name === 'authenticate') return { 'Content-Type': 'application/json' };
  return idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
}

/**
 * Sends a request once, and reads to the last byte of the body.
 * @throws NetworkError when that byte does not arrive in time
 */
function exchange(
  url: string,
  init: RequestInit,
  { fetch, timeoutMs, closed }: Pick<RequestOptions, 'fetch' | 'timeoutMs' | 'closed'>,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const abort = new AbortController();
    // The promise does not wait until fetch notices: a body that stalls must not hold the caller.
    const giveUp = (message: string) => {
      reject(new NetworkError(message, { retryable: !closed.aborted }));
      abort.abort();
    };
    const onClosed = () => giveUp('the client is closed');
    if (closed.aborted) return onClosed();
    const timer = setTimeout(() => giveUp(`no response within ${timeoutMs} ms`), timeoutMs);
    closed.addEventListener('abort', onClosed);
    receive(fetch, url, { ...init, signal: abort.signal })
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        closed.removeEventListener('abort', onClosed);
      });
  });
}

async function receive(send: typeof fetch, url: string, init: RequestInit): Promise<Received> {
  let facts: Partial<Omit<Received, 'text'>> = {};
  try {
    // The address of the page holds the sessionID: it must not be sent as Referer.
    const response = await send(url, { credentials: 'omit', referrerPolicy: 'no-referrer', ...init });
    const { status } = response;
    const requestId = response.headers.get('X-Request-Id') ?? undefined;
    facts = { status, requestId, retryAfterMs: retryAfterMsOf(response.headers) };
    return { ...facts, status, requestId, text: await response.text() };
  } catch (cause) {
    throw new NetworkError('no response from the server', { ...facts, cause, retryable: true });
  }
}

/** Reads seconds only: a date needs a clock that is right. */
function retryAfterMsOf(headers: Headers): number | undefined {
  const seconds = headers.get('Retry-After') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function waitMs(ms: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClosed = () => {
      clearTimeout(timer);
      reject(new NetworkError('the client is closed'));
    };
    const timer = setTimeout(() => {
      closed.removeEventListener('abort', onClosed);
      resolve();
    }, ms);
    closed.addEventListener('abort', onClosed);
  });
}

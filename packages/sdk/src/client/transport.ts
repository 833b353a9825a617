import { NetworkError } from '../errors.ts';
import type { Received } from './refusals.ts';

export type Transport = (url: string, init: RequestInit) => Promise<Received>;

export type TransportOptions = {
  fetch: typeof fetch;
  timeoutMs: number;
  /** Gives up everything in flight, and everything that comes after. */
  closed: AbortSignal;
};

/** One attempt, to the last byte of the body. @throws NetworkError when that does not come, or not in time */
export function createTransport({ fetch, timeoutMs, closed }: TransportOptions): Transport {
  return (url, init) =>
    new Promise((resolve, reject) => {
      const abort = new AbortController();
      // The promise does not wait for fetch to notice: a body that stalls must not hold the caller.
      const giveUp = (message: string) => {
        reject(new NetworkError(message, { retryable: !closed.aborted }));
        abort.abort();
      };
      const onClosed = () => giveUp('the client was closed');
      if (closed.aborted) return onClosed();
      const timer = setTimeout(() => giveUp(`no answer within ${timeoutMs} ms`), timeoutMs);
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
  let facts: { status?: number; requestId?: string | undefined } = {};
  try {
    // The page's address holds the sessionID: it must not go along as Referer.
    const response = await send(url, { credentials: 'omit', referrerPolicy: 'no-referrer', ...init });
    const { status } = response;
    const requestId = response.headers.get('X-Request-Id') ?? undefined;
    facts = { status, requestId };
    return { status, requestId, text: await response.text() };
  } catch (cause) {
    throw new NetworkError('no answer from the server', { ...facts, cause, retryable: true });
  }
}

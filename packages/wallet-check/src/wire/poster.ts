import { request as requestAlone } from 'undici';
import { createWalletAgent, post, postAlone, SEND_WITHIN_MS, type WalletExchange } from './walletHttp.ts';

/** Time limit for a response, unless its operator says otherwise. */
const DEFAULT_TIMEOUT_MS = 5_000;
/** No rule sends as many requests at once. */
const CONNECTIONS = 64;

type Posted = {
  /** It follows the base URL. */
  path: string;
  body: string;
  /** Called for each attempt, since each attempt has a new signature. */
  headers(): Readonly<Record<string, string>>;
};

export type Poster = {
  /** Sends a body as it is, as the server would: a stale connection is followed by a new one. */
  post(request: Posted): Promise<WalletExchange>;
  /** Sends a GET without a signature. Of the response it reads the status alone. */
  get(path: string): Promise<WalletExchange>;
  close(): Promise<void>;
};

/**
 * Sends the requests of a check. timeoutMs: what the operator's requests may take; what comes later
 * is uncertain for the server, so for a check it counts as no response. 5,000 by default.
 */
export function createPoster({
  baseUrl,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: {
  baseUrl: string;
  timeoutMs?: number | undefined;
}): Poster {
  const agent = createWalletAgent({ connections: CONNECTIONS, connectWithinMs: SEND_WITHIN_MS });
  const base = baseUrl.replace(/\/+$/, '');
  return {
    async post({ path, body, headers }) {
      const request = () => ({
        url: base + path,
        headers: Object.entries(headers()).flat(),
        body,
        connectWithinMs: SEND_WITHIN_MS,
        timeoutMs,
      });
      const exchange = await post(request(), agent);
      return exchange.kind === 'failed' && exchange.isStale ? postAlone(request()) : exchange;
    },
    async get(path) {
      try {
        const { statusCode, body } = await requestAlone(base + path, { signal: AbortSignal.timeout(timeoutMs) });
        await body.dump();
        return { kind: 'responded', httpStatus: statusCode, text: '' };
      } catch (error) {
        return { kind: 'failed', code: 'connection_failed', detail: String(error) };
      }
    },
    close: () => agent.close(),
  };
}

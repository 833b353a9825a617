import {
  type AuthenticateRequest,
  type BalanceRequest,
  type EndRoundRequest,
  type EventRequest,
  GAME_ROUTES,
  type PlayRequest,
} from '@roundhouse/contract/light';
import { NetworkError } from '../errors.ts';
import { type Answers, IS_ANSWER } from './answers.ts';
import type { ReplayBook } from './clientTypes.ts';
import { readAnswer } from './refusals.ts';
import { retryWaitMs, shouldRetry } from './retry.ts';
import type { Transport } from './transport.ts';

/** The bodies of the calls; the sessionID is added on the way. */
type Bodies = {
  authenticate: AuthenticateRequest;
  balance: BalanceRequest;
  play: PlayRequest;
  endRound: EndRoundRequest;
  event: EventRequest;
};

type WalletCall<Name extends keyof Bodies> = {
  name: Name;
  body: Omit<Bodies[Name], 'sessionID'>;
  /** Makes a play safe to repeat (wire.md, "play"). */
  idempotencyKey?: string;
  /** Overrides the client's own number. */
  maxRetries?: number;
  /** Told of each attempt that failed. */
  onFailure?: (error: unknown) => void;
};

export type Wire = {
  call<Name extends keyof Bodies>(call: WalletCall<Name>): Promise<Answers[Name]>;
  replay(book: ReplayBook): Promise<Answers['replay']>;
};

export type WireOptions = {
  rgsUrl: string;
  sessionID: string;
  transport: Transport;
  maxRetries: number;
  retryDelayMs: number;
  maxRetryDelayMs: number;
  closed: AbortSignal;
  random: () => number;
  onActivity: { begin(): void; end(): void };
};

/** The calls as they cross the wire, each repeated until it is answered or the retries are used up. All of them may be repeated. */
export function createWire({ rgsUrl, sessionID, transport, closed, onActivity, ...options }: WireOptions): Wire {
  const backoff = { baseMs: options.retryDelayMs, capMs: options.maxRetryDelayMs, random: options.random };

  async function repeated<Answer>(
    attempt: () => Promise<Answer>,
    { maxRetries = options.maxRetries, onFailure }: { maxRetries?: number; onFailure?: (error: unknown) => void },
  ): Promise<Answer> {
    onActivity.begin();
    try {
      for (let retries = 0; ; retries += 1) {
        try {
          return await attempt();
        } catch (error) {
          onFailure?.(error);
          if (!shouldRetry(error, { retries, maxRetries })) throw error;
          await waitMs(retryWaitMs(retries, backoff), closed);
        }
      }
    } finally {
      onActivity.end();
    }
  }

  return {
    async call({ name, body, idempotencyKey, ...retrying }) {
      const { method, path } = GAME_ROUTES[name];
      const init = {
        method,
        headers: headersOf(name, idempotencyKey),
        body: JSON.stringify({ sessionID, ...body }),
      };
      const attempt = async () => readAnswer(await transport(`${rgsUrl}${path}`, init), IS_ANSWER[name]);
      return repeated(attempt, retrying);
    },
    async replay(book) {
      const { method, path } = GAME_ROUTES.replay;
      const place = path.replace(/:(\w+)/g, (_, name: keyof ReplayBook) => encodeURIComponent(book[name]));
      const attempt = async () => readAnswer(await transport(`${rgsUrl}${place}`, { method }), IS_ANSWER.replay);
      return repeated(attempt, {});
    },
  };
}

/**
 * The interface document has authenticate send `application/json` (section 4). The others go without it, as plain text: then a
 * browser needs no CORS preflight before balance, end-round and event.
 */
function headersOf(name: keyof Bodies, idempotencyKey: string | undefined): Record<string, string> {
  if (name === 'authenticate') return { 'Content-Type': 'application/json' };
  return idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
}

function waitMs(ms: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClosed = () => {
      clearTimeout(timer);
      reject(new NetworkError('the client was closed'));
    };
    const timer = setTimeout(() => {
      closed.removeEventListener('abort', onClosed);
      resolve();
    }, ms);
    closed.addEventListener('abort', onClosed);
  });
}

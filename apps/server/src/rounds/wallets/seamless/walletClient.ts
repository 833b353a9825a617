import type { WalletRouteName } from '@roundhouse/contract';
import type { AnyResult, DialectTraits, Post, WalletCall, WalletContext, WalletRequest } from '@roundhouse/dialects';
import { connectDialect, dialectOf, type OperatorConnection } from '@roundhouse/dialects';
import { type TraceSpan, traceFields } from '@roundhouse/service';
import { createWalletAgent, post, postAlone, SEND_WITHIN_MS, type WalletExchange } from '@roundhouse/wallet-check/http';
import { type BulkheadPolicy, BulkheadRejectedError, bulkhead } from 'cockatiel';
import type { Logger } from 'pino';
import type { Agent } from 'undici';
import { type Breaker, createBreaker } from '../../../base/breaker.ts';
import type { WalletOperator } from '../../../store/operators/operators.ts';
import { resultText } from '../../../store/rounds/walletTransaction.ts';
import { isWalletFailure, storedResult } from './walletResult.ts';
import { endWalletSpan, startWalletSpan, withTraceparent } from './walletSpan.ts';

/** Called after every request. */
export type WalletObserver = (request: {
  operator: string;
  name: WalletRouteName;
  result: AnyResult;
  ms: number;
  /** Its span, when it is traced. */
  trace?: TraceSpan | undefined;
}) => void;

type SendOptions = WalletContext & {
  /** unknown: anybody on the internet can cause this request, with an invented sessionID. */
  sessionKind?: 'known' | 'unknown';
  /** The span of what causes the request, when that is traced. */
  trace?: TraceSpan | undefined;
};

export type WalletClient = {
  /** Never throws for what the wallet or the network does: that is part of the result. */
  send<Name extends WalletRouteName>(
    operator: WalletOperator,
    name: Name,
    body: WalletRequest<Name>,
    options?: SendOptions,
  ): Promise<AnyResult<Name>>;
  /**
   * Returns whether the operator has not responded for a while, or too many requests to it are
   * waiting: a request that moves money would not be sent.
   */
  isDown(operator: WalletOperator): boolean;
  /** Returns the connection pools that have had a request. */
  pools(): WalletPoolReading[];
  /** Returns what the dialect of the operator's wallet demands. */
  traits(operator: WalletOperator): DialectTraits;
  close(): Promise<void>;
};

/**
 * Each operator has these connection pools. `transactions` is for requests that move money, and
 * lists of them. `knownSessions` is for authenticate and balance of sessions that were launched or
 * have authenticated before. `unknownSessions` is for the first authenticate of all other sessions.
 * atOnce: the number of requests that may wait for their response; queued: the number that may wait
 * for a connection.
 */
const POOLS = {
  transactions: { atOnce: 128, queued: 1024 },
  closings: { atOnce: 8, queued: 64 },
  knownSessions: { atOnce: 64, queued: 512 },
  unknownSessions: { atOnce: 8, queued: 256 },
} as const;
type PoolName = keyof typeof POOLS;

type WalletPoolReading = {
  operator: string;
  pool: PoolName;
  /** The number of requests that wait for their response. */
  inFlight: number;
  /** The number of requests that wait for a connection. */
  waiting: number;
  /**
   * True when the operator gets no requests on this pool, because FAILURES_IN_A_ROW have failed.
   */
  isPaused: boolean;
};

/**
 * After this number of uncertain or unsent requests in a row, a pool sends its operator nothing for
 * a pause.
 */
const FAILURES_IN_A_ROW = 10;
const PAUSE_MS = 2_000;

const NO_OPTIONS: SendOptions = {};

/**
 * A slow or broken pool takes no connection from another pool, and does not open another pool's
 * breaker (decision 005).
 */
type Pool = {
  operator: string;
  name: PoolName;
  agent: Agent;
  breaker: Breaker<AnyResult>;
  queue: BulkheadPolicy;
};

type WalletClientOptions = {
  observe?: WalletObserver;
  /** See RecoveryOptions. */
  parkAfterMs?: number | undefined;
};

export function createWalletClient({ observe = () => {}, parkAfterMs }: WalletClientOptions = {}): WalletClient {
  const pools = new Map<string, Pool>();
  const poolOf = ({ operatorID, code }: WalletOperator, name: PoolName): Pool => {
    const key = `${operatorID} ${name}`;
    const known = pools.get(key);
    if (known !== undefined) return known;
    const { atOnce, queued } = POOLS[name];
    const agent = createWalletAgent({ connections: atOnce, connectWithinMs: SEND_WITHIN_MS });
    const breaker = createBreaker({ isFailure, failuresInARow: FAILURES_IN_A_ROW, pauseMs: PAUSE_MS });
    const pool: Pool = { operator: code, name, agent, breaker, queue: bulkhead(atOnce, queued) };
    pools.set(key, pool);
    return pool;
  };

  return {
    async send(operator, name, body, { sessionKind = 'known', trace: parent, ...context } = NO_OPTIONS) {
      const pool = poolOf(operator, poolNameOf(name, sessionKind));
      const { agent, breaker, queue } = pool;
      const startedMs = performance.now();
      const trace = parent && startWalletSpan(parent, { operator, name, body });
      const call = { name, body, context: { ...context, storedAt: context.storedAt ?? new Date() } } as WalletCall;
      const send = async (connectWithinMs: number) =>
        (await breaker.run(() => sendCall(call, { operator, agent, connectWithinMs, trace }))) ?? PAUSED;
      const result = (breaker.isOpen() ? PAUSED : await queued(queue, send).catch(tooMany)) as AnyResult<typeof name>;
      if (trace !== undefined) endWalletSpan(trace, name, result);
      observe({ operator: operator.code, name, result, ms: performance.now() - startedMs, trace });
      return result;
    },
    isDown(operator) {
      const pool = poolOf(operator, 'transactions');
      return pool.breaker.isOpen() || pool.queue.executionSlots + pool.queue.queueSlots === 0;
    },
    pools: () => [...pools.values()].map(readingOf),
    traits({ dialect, closingDebits }) {
      const { traits } = dialectOf(dialect);
      if (parkAfterMs === undefined && !closingDebits) return traits;
      const { retryMs, closesWithDebit } = traits;
      return { ...traits, retryMs: parkAfterMs ?? retryMs, closesWithDebit: closesWithDebit || closingDebits };
    },
    async close() {
      await Promise.all([...pools.values()].map(({ agent }) => agent.close()));
    },
  };
}

type Sending = {
  operator: WalletOperator;
  agent: Agent;
  connectWithinMs: number;
  trace: TraceSpan | undefined;
};

/**
 * Sends a request. When its connection was stale, the wallet has probably not read it, and it is
 * sent once more on a new connection. The wallet protocol allows that, since the same transactionID
 * moves money once (decision 005). Each attempt is signed anew. Both together have the time of one.
 */
async function sendCall(call: WalletCall, { operator, agent, connectWithinMs, trace }: Sending): Promise<AnyResult> {
  const base = operator.url.replace(/\/+$/, '');
  const connection = connectionOf(operator);
  const beganMs = performance.now();
  let isStale = false;
  const postBy =
    (send: (request: Parameters<typeof post>[0]) => Promise<WalletExchange>): Post =>
    async ({ path, headers, body }) => {
      const timeoutMs = isStale ? operator.timeoutMs - (performance.now() - beganMs) : operator.timeoutMs;
      return send({ url: base + path, headers: withTraceparent(headers, trace), body, connectWithinMs, timeoutMs });
    };
  const first = await connection.send(
    call,
    postBy(async (request) => {
      const exchange = await post(request, agent);
      isStale = exchange.kind === 'failed' && exchange.isStale === true;
      return exchange;
    }),
  );
  return isStale ? afterRepetition(call, first, await connection.send(call, postBy(postAlone))) : first;
}

/**
 * When the first request may have been read, only a success makes a debit certain: a wallet can
 * refuse the second one because the first one took the money.
 */
function afterRepetition({ name }: WalletCall, first: AnyResult, again: AnyResult): AnyResult {
  const isBetter = name === 'debit' ? again.kind === 'accepted' : again.kind !== 'not_sent';
  return isBetter ? again : first;
}

/** The settings of an operator are read again from time to time, as another object. */
const connections = new WeakMap<WalletOperator, OperatorConnection>();

/** Returns the connection by the operator's dialect and settings. */
export function connectionOf(operator: WalletOperator): OperatorConnection {
  const known = connections.get(operator);
  if (known !== undefined) return known;
  const { code, dialect, dialectSettings: settings, secrets } = operator;
  const made = connectDialect({ code, dialect, settings, secrets });
  connections.set(operator, made);
  return made;
}

function readingOf(pool: Pool): WalletPoolReading {
  const { operator, name, queue } = pool;
  const { atOnce, queued } = POOLS[name];
  return {
    operator,
    pool: name,
    inFlight: atOnce - queue.executionSlots,
    waiting: queued - queue.queueSlots,
    isPaused: pool.breaker.isOpen(),
  };
}

function poolNameOf(name: WalletRouteName, sessionKind: SendOptions['sessionKind']): PoolName {
  if (sessionKind === 'unknown') return 'unknownSessions';
  if (name === 'closeRounds') return 'closings';
  return name === 'authenticate' || name === 'balance' ? 'knownSessions' : 'transactions';
}

/**
 * Sends when the queue lets this request through. The queue and the connection together have
 * SEND_WITHIN_MS.
 */
function queued(queue: BulkheadPolicy, send: (connectWithinMs: number) => Promise<AnyResult>): Promise<AnyResult> {
  if (queue.executionSlots > 0) return queue.execute(() => send(SEND_WITHIN_MS));
  const beganMs = performance.now();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(TOO_MANY), SEND_WITHIN_MS);
    const begin = () => {
      clearTimeout(timer);
      const leftMs = SEND_WITHIN_MS - (performance.now() - beganMs);
      return leftMs > 0 ? send(leftMs) : TOO_MANY;
    };
    // The bulkhead's own signal would be wrong: an aborted request in its queue prevents those
    // behind it from being woken. Promise.race costs 5 microseconds more.
    queue.execute(begin).then(resolve, (error: unknown) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

const PAUSED = { kind: 'not_sent', detail: 'requests are paused after failures in a row' } as const;
const TOO_MANY = { kind: 'not_sent', detail: 'too many requests to this operator at once' } as const;

function tooMany(error: unknown): typeof TOO_MANY {
  if (error instanceof BulkheadRejectedError) return TOO_MANY;
  throw error;
}

function isFailure({ kind }: AnyResult): boolean {
  return kind === 'uncertain' || kind === 'not_sent';
}

/**
 * A wallet that is down fails with every request. Only one line per operator is logged in this
 * time.
 */
const QUIET_MS = 10_000;

/** Warns of requests at which an operator's wallet fails. The first one is logged at once. */
export function createFailureWarnings(log: Logger): WalletObserver {
  const quiet = new Map<string, { sinceMs: number; failures: number }>();
  return ({ operator, name, result, trace }) => {
    if (!isWalletFailure(name, result)) return;
    const nowMs = performance.now();
    const before = quiet.get(operator);
    if (before !== undefined && nowMs - before.sinceMs < QUIET_MS) {
      before.failures += 1;
      return;
    }
    quiet.set(operator, { sinceMs: nowMs, failures: 0 });
    const more = before !== undefined && before.failures > 0 && { failuresBefore: before.failures };
    const response = resultText(storedResult(result));
    log.warn({ operator, route: name, response, ...more, ...traceFields(trace) }, 'the wallet of an operator fails');
  };
}

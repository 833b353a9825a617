import type { WalletRouteName } from '@roundhouse/contract';
import { type TraceSpan, traceFields } from '@roundhouse/service';
import {
  BrokenCircuitError,
  type BulkheadPolicy,
  BulkheadRejectedError,
  bulkhead,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import type { Logger } from 'pino';
import type { Agent } from 'undici';
import type { WalletOperator } from '../../ledger/queries/operators.ts';
import { resultText } from '../../ledger/walletTransaction.ts';
import type { DialectTraits } from '../dialects/dialect.ts';
import { connect, dialectOf, type OperatorConnection } from '../dialects/dialects.ts';
import { createWalletAgent, post } from './walletHttp.ts';
import {
  type AnyResult,
  isWalletFailure,
  storedResult,
  type WalletCall,
  type WalletContext,
  type WalletRequest,
} from './walletResult.ts';
import { endWalletSpan, startWalletSpan, withTraceparent } from './walletSpan.ts';

/** The client calls it after every request. */
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
  /** Never throws for what the wallet or the network does: that is the result. */
  send<Name extends WalletRouteName>(
    operator: WalletOperator,
    name: Name,
    body: WalletRequest<Name>,
    options?: SendOptions,
  ): Promise<AnyResult<Name>>;
  /**
   * Returns whether the operator has not responded for a while, or too many requests to it wait
   * already: a request that moves money would not be sent now.
   */
  isDown(operator: WalletOperator): boolean;
  /** Returns the connection pools that have had a request. */
  pools(): WalletPoolReading[];
  /** What the dialect of the operator's wallet demands. */
  traits(operator: WalletOperator): DialectTraits;
  close(): Promise<void>;
};

/**
 * Each operator has these connection pools. `transactions` is for requests that move money, and
 * lists of them. `knownSessions` is for authenticate and balance of sessions that were launched or
 * have authenticated before. `unknownSessions` is for the first authenticate of all others. atOnce
 * requests wait for their response; queued requests wait for a connection.
 */
const POOLS = {
  transactions: { atOnce: 128, queued: 1024 },
  closings: { atOnce: 8, queued: 64 },
  knownSessions: { atOnce: 64, queued: 512 },
  unknownSessions: { atOnce: 8, queued: 256 },
} as const;
type PoolName = keyof typeof POOLS;

type WalletPoolReading = {
  /** The code of the operator. */
  operator: string;
  pool: PoolName;
  /** So many requests wait for their response. */
  inFlight: number;
  /** So many requests wait for a connection. */
  waiting: number;
  /** The operator gets no requests on this pool, because so many in a row have failed. */
  isPaused: boolean;
};

/**
 * The queue and the connection together may take so long. The time-out of the operator begins when
 * the request is sent.
 */
const SEND_WITHIN_MS = 2_000;
/** After so many uncertain or unsent requests in a row, an operator gets no request for a pause. */
const FAILURES_IN_A_ROW = 10;
const PAUSE_MS = 2_000;

const NO_OPTIONS: SendOptions = {};

/** A slow or broken pool takes no connection from another pool, and does not open its breaker. */
type Pool = {
  operator: string;
  name: PoolName;
  agent: Agent;
  breaker: CircuitBreakerPolicy;
  queue: BulkheadPolicy;
  pausedUntilMs: number;
};

export function createWalletClient({ observe = () => {} }: { observe?: WalletObserver } = {}): WalletClient {
  const pools = new Map<string, Pool>();
  const poolOf = ({ operatorID, code }: WalletOperator, name: PoolName): Pool => {
    const key = `${operatorID} ${name}`;
    const known = pools.get(key);
    if (known !== undefined) return known;
    const { atOnce, queued } = POOLS[name];
    const agent = createWalletAgent({ connections: atOnce, connectWithinMs: SEND_WITHIN_MS });
    const pool: Pool = {
      ...{ operator: code, name, agent, pausedUntilMs: 0 },
      breaker: createBreaker(),
      queue: bulkhead(atOnce, queued),
    };
    pool.breaker.onBreak(() => {
      pool.pausedUntilMs = performance.now() + PAUSE_MS;
    });
    pools.set(key, pool);
    return pool;
  };

  return {
    async send(operator, name, body, { sessionKind = 'known', trace: parent, ...context } = NO_OPTIONS) {
      const pool = poolOf(operator, poolNameOf(name, sessionKind));
      const { agent, breaker, queue } = pool;
      const startedMs = performance.now();
      const trace = parent && startWalletSpan(parent, { operator, name, body });
      const { timeoutMs } = operator;
      const base = operator.url.replace(/\/+$/, '');
      const call = { name, body, context } as WalletCall;
      const send = (connectWithinMs: number) =>
        breaker.execute(() =>
          connectionOf(operator).send(call, ({ path, headers, body }) =>
            post(
              { url: base + path, headers: withTraceparent(headers, trace), body, connectWithinMs, timeoutMs },
              agent,
            ),
          ),
        ) as Promise<AnyResult<typeof name>>;
      const result: AnyResult<typeof name> = isPaused(pool) ? PAUSED : await queued(queue, send).catch(notSent);
      if (trace !== undefined) endWalletSpan(trace, name, result);
      observe({ operator: operator.code, name, result, ms: performance.now() - startedMs, trace });
      return result;
    },
    isDown(operator) {
      const pool = poolOf(operator, 'transactions');
      return isPaused(pool) || pool.queue.executionSlots + pool.queue.queueSlots === 0;
    },
    pools: () => [...pools.values()].map(readingOf),
    traits: ({ dialect }) => dialectOf(dialect).traits,
    async close() {
      await Promise.all([...pools.values()].map(({ agent }) => agent.close()));
    },
  };
}

/** The settings of an operator are read anew now and then, as another object. */
const connections = new WeakMap<WalletOperator, OperatorConnection>();

/** Returns the connection by the operator's dialect and settings. */
export function connectionOf(operator: WalletOperator): OperatorConnection {
  const known = connections.get(operator);
  if (known !== undefined) return known;
  const { code, dialect, dialectSettings: settings, secrets } = operator;
  const made = connect({ code, dialect, settings, secrets });
  connections.set(operator, made);
  return made;
}

/**
 * After the pause the next request tries the operator: the breaker itself stays open until one is
 * made.
 */
function isPaused({ pausedUntilMs }: Pool): boolean {
  return performance.now() < pausedUntilMs;
}

function readingOf(pool: Pool): WalletPoolReading {
  const { operator, name, queue } = pool;
  const { atOnce, queued } = POOLS[name];
  return {
    ...{ operator, pool: name },
    inFlight: atOnce - queue.executionSlots,
    waiting: queued - queue.queueSlots,
    isPaused: isPaused(pool),
  };
}

function poolNameOf(name: WalletRouteName, sessionKind: SendOptions['sessionKind']): PoolName {
  if (sessionKind === 'unknown') return 'unknownSessions';
  if (name === 'closeRounds') return 'closings';
  return name === 'authenticate' || name === 'balance' ? 'knownSessions' : 'transactions';
}

/** Sends when the queue lets this request through, within the time that is left. */
function queued<Name extends WalletRouteName>(
  queue: BulkheadPolicy,
  send: (connectWithinMs: number) => Promise<AnyResult<Name>>,
): Promise<AnyResult<Name>> {
  if (queue.executionSlots > 0) return queue.execute(() => send(SEND_WITHIN_MS));
  const beganMs = performance.now();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(TOO_MANY), SEND_WITHIN_MS);
    const begin = () => {
      clearTimeout(timer);
      const leftMs = SEND_WITHIN_MS - (performance.now() - beganMs);
      return leftMs > 0 ? send(leftMs) : TOO_MANY;
    };
    // The bulkhead's own signal would be wrong: an aborted request in its queue keeps those behind
    // it from being woken. Promise.race costs 5 microseconds more.
    queue.execute(begin).then(resolve, (error: unknown) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

const PAUSED = { kind: 'not_sent', detail: 'requests are paused after failures in a row' } as const;
const TOO_MANY = { kind: 'not_sent', detail: 'too many requests to this operator at once' } as const;

function notSent(error: unknown): typeof PAUSED | typeof TOO_MANY {
  if (error instanceof BrokenCircuitError) return PAUSED;
  if (error instanceof BulkheadRejectedError) return TOO_MANY;
  throw error;
}

function createBreaker(): CircuitBreakerPolicy {
  const isFailure = (result: unknown) => ['uncertain', 'not_sent'].includes((result as AnyResult).kind);
  return circuitBreaker(handleWhenResult(isFailure), {
    halfOpenAfter: PAUSE_MS,
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
  });
}

/**
 * A wallet that is down fails with every request. For each operator, one line in this time says so.
 */
const QUIET_MS = 10_000;

/** Warns of requests at which an operator's wallet fails, the first at once. */
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

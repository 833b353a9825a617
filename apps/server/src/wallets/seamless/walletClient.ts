import { type WalletRouteName, walletContract } from '@roundhouse/contract';
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
import { createWalletAgent, postSigned } from './walletHttp.ts';
import { isWalletFailure, resultOf, storedResult, type WalletRequest, type WalletResult } from './walletResult.ts';

/** Called after every request. */
export type WalletObserver = (request: {
  operator: string;
  name: WalletRouteName;
  result: WalletResult;
  ms: number;
}) => void;

/** strangers: anybody on the internet can cause this request, with an invented sessionID. */
type Caller = 'players' | 'strangers';

export type WalletClient = {
  /** Never throws for what the wallet or the network does: that is the result. */
  send<Name extends WalletRouteName>(
    operator: WalletOperator,
    name: Name,
    body: WalletRequest<Name>,
    caller?: Caller,
  ): Promise<WalletResult<Name>>;
  /**
   * The operator has not responded for a while: a request that moves money would not be sent now.
   */
  isDown(operator: WalletOperator): boolean;
  close(): Promise<void>;
};

/**
 * Requests to one operator, for each line: how many wait for a response at once, and how many for
 * their turn.
 */
const LINES = {
  money: { atOnce: 128, waiting: 1024 },
  questions: { atOnce: 64, waiting: 512 },
  strangers: { atOnce: 8, waiting: 256 },
} as const;
type LineName = keyof typeof LINES;

/**
 * For the turn and the connection together. The time-out of the operator begins when the request is
 * sent.
 */
const SEND_WITHIN_MS = 2_000;
/** After so many uncertain or unsent requests in a row an operator is sent nothing for so long. */
const FAILURES_IN_A_ROW = 10;
const REST_MS = 2_000;

/** A slow or broken line takes no connection from another line, and does not open its breaker. */
type Line = { agent: Agent; breaker: CircuitBreakerPolicy; turns: BulkheadPolicy; restsUntilMs: number };

export function createWalletClient({ observe = () => {} }: { observe?: WalletObserver } = {}): WalletClient {
  const lines = new Map<string, Line>();
  const lineOf = ({ operatorID }: WalletOperator, name: LineName): Line => {
    const key = `${operatorID} ${name}`;
    const known = lines.get(key);
    if (known !== undefined) return known;
    const { atOnce, waiting } = LINES[name];
    const agent = createWalletAgent({ connections: atOnce, connectWithinMs: SEND_WITHIN_MS });
    const line: Line = { agent, breaker: createBreaker(), turns: bulkhead(atOnce, waiting), restsUntilMs: 0 };
    line.breaker.onBreak(() => {
      line.restsUntilMs = performance.now() + REST_MS;
    });
    lines.set(key, line);
    return line;
  };

  return {
    async send(operator, name, body, caller = 'players') {
      const line = lineOf(operator, lineNameOf(name, caller));
      const { agent, breaker, turns } = line;
      const startedMs = performance.now();
      const { url, secrets, timeoutMs } = operator;
      const { path } = walletContract[name];
      const post = { url: `${url.replace(/\/+$/, '')}${path}`, path, body, secret: secrets[0] ?? '', timeoutMs };
      const send = (connectWithinMs: number) =>
        breaker.execute(async () => resultOf(name, await postSigned({ ...post, connectWithinMs }, agent)));
      const result: WalletResult<typeof name> = isResting(line) ? RESTING : await inTurn(turns, send).catch(notSent);
      observe({ operator: operator.code, name, result, ms: performance.now() - startedMs });
      return result;
    },
    isDown: (operator) => isResting(lineOf(operator, 'money')),
    async close() {
      await Promise.all([...lines.values()].map(({ agent }) => agent.close()));
    },
  };
}

/**
 * Until its rest is over. The next request is its trial: the breaker itself stays open until one is
 * made.
 */
function isResting({ restsUntilMs }: Line): boolean {
  return performance.now() < restsUntilMs;
}

function lineNameOf(name: WalletRouteName, caller: Caller): LineName {
  if (caller === 'strangers') return 'strangers';
  return name === 'authenticate' || name === 'balance' ? 'questions' : 'money';
}

/** Sends when it is this request's turn, within the time that is left. */
function inTurn<Name extends WalletRouteName>(
  turns: BulkheadPolicy,
  send: (connectWithinMs: number) => Promise<WalletResult<Name>>,
): Promise<WalletResult<Name>> {
  if (turns.executionSlots > 0) return turns.execute(() => send(SEND_WITHIN_MS));
  const beganMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<WalletResult<Name>>((resolve) => {
    timer = setTimeout(() => resolve(TOO_MANY), SEND_WITHIN_MS);
  });
  // Not by the bulkhead's own signal: an aborted request in its queue keeps those behind it from
  // being woken.
  const turn = turns.execute(() => {
    clearTimeout(timer);
    const leftMs = SEND_WITHIN_MS - (performance.now() - beganMs);
    return leftMs > 0 ? send(leftMs) : TOO_MANY;
  });
  return Promise.race([turn, tooLate]).finally(() => clearTimeout(timer));
}

const RESTING = { kind: 'not_sent', detail: 'the operator rests after failures in a row' } as const;
const TOO_MANY = { kind: 'not_sent', detail: 'too many requests to this operator at once' } as const;

function notSent(error: unknown): typeof RESTING | typeof TOO_MANY {
  if (error instanceof BrokenCircuitError) return RESTING;
  if (error instanceof BulkheadRejectedError) return TOO_MANY;
  throw error;
}

function createBreaker(): CircuitBreakerPolicy {
  const isFailure = (result: unknown) => ['uncertain', 'not_sent'].includes((result as WalletResult).kind);
  return circuitBreaker(handleWhenResult(isFailure), {
    halfOpenAfter: REST_MS,
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
  return ({ operator, name, result }) => {
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
    log.warn({ operator, route: name, response, ...more }, 'the wallet of an operator fails');
  };
}

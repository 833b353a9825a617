import { isWalletErrorCode, WALLET_ERRORS, type WalletErrorCode, walletContract } from '@roundhouse/contract';
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
import type { Agent } from 'undici';
import type * as z from 'zod';
import type { WalletOperator } from '../../ledger/queries/walletOperator.ts';
import { createWalletAgent, postSigned, type WalletReply } from './walletHttp.ts';

type Routes = typeof walletContract;
type WalletCallName = keyof Routes;
export type WalletRequest<Name extends WalletCallName> = z.input<Routes[Name]['body']>;
type WalletResponse<Name extends WalletCallName> = z.output<Routes[Name]['responses'][200]>;

/**
 * What a call has come to (wallet.md, "Certain"). refused: for certain no money moved. uncertain: nobody can say. not_sent: no byte has
 * left, so for certain nothing happened: the operator rests, all its connections are taken, or none came about in time.
 */
export type WalletAnswer<Name extends WalletCallName = WalletCallName> =
  | { kind: 'accepted'; body: WalletResponse<Name> }
  | { kind: 'refused'; code: WalletErrorCode }
  | { kind: 'uncertain'; why: string }
  | { kind: 'not_sent'; why: string };

/** Told of every call. */
export type CallObserver = (call: { operator: string; name: WalletCallName; answer: WalletAnswer; ms: number }) => void;

/** strangers: anybody on the internet makes this call happen, by a sessionID that they have thought up. */
type Caller = 'players' | 'strangers';

export type WalletClient = {
  call<Name extends WalletCallName>(
    operator: WalletOperator,
    name: Name,
    body: WalletRequest<Name>,
    caller?: Caller,
  ): Promise<WalletAnswer<Name>>;
  /** Money would not be moved: the operator has not answered for a while. */
  isDown(operator: WalletOperator): boolean;
  close(): Promise<void>;
};

/** Calls to one operator, on each of its lines: so many wait for an answer at once, and so many for their turn. */
const LINES = {
  money: { atOnce: 128, waiting: 1024 },
  questions: { atOnce: 64, waiting: 512 },
  strangers: { atOnce: 8, waiting: 256 },
} as const;
type LineName = keyof typeof LINES;

/** For its turn and its connection together. The time-out of the operator begins when the call is sent. */
const SEND_WITHIN_MS = 2_000;
/** Uncertain answers in a row, missing connections among them, after which an operator is given a rest, and for how long. */
const FAILURES_IN_A_ROW = 10;
const REST_MS = 2_000;

/** What is slow or broken on one line takes no connection from another, and does not open its breaker. */
type Line = { agent: Agent; breaker: CircuitBreakerPolicy; room: BulkheadPolicy; restsUntilMs: number };

export function createWalletClient({ observe = () => {} }: { observe?: CallObserver } = {}): WalletClient {
  const lines = new Map<string, Line>();
  const lineOf = ({ operatorID }: WalletOperator, name: LineName): Line => {
    const key = `${operatorID} ${name}`;
    const known = lines.get(key);
    if (known !== undefined) return known;
    const { atOnce, waiting } = LINES[name];
    const agent = createWalletAgent({ connections: atOnce, connectWithinMs: SEND_WITHIN_MS });
    const line: Line = { agent, breaker: createBreaker(), room: bulkhead(atOnce, waiting), restsUntilMs: 0 };
    line.breaker.onBreak(() => {
      line.restsUntilMs = performance.now() + REST_MS;
    });
    lines.set(key, line);
    return line;
  };

  return {
    async call(operator, name, body, caller = 'players') {
      const line = lineOf(operator, lineNameOf(name, caller));
      const { agent, breaker, room } = line;
      const startedMs = performance.now();
      const { url, secrets, timeoutMs } = operator;
      const { path } = walletContract[name];
      const post = { url: `${url.replace(/\/+$/, '')}${path}`, path, body, secret: secrets[0] ?? '', timeoutMs };
      const send = (connectWithinMs: number) =>
        breaker.execute(async () => answerOf(name, await postSigned({ ...post, connectWithinMs }, agent)));
      const answer: WalletAnswer<typeof name> = isResting(line) ? RESTING : await inTurn(room, send).catch(notSent);
      observe({ operator: operator.code, name, answer, ms: performance.now() - startedMs });
      return answer;
    },
    isDown: (operator) => isResting(lineOf(operator, 'money')),
    async close() {
      await Promise.all([...lines.values()].map(({ agent }) => agent.close()));
    },
  };
}

/** Until its rest is over. Whoever comes then is its trial: the breaker itself stays open until a call is made. */
function isResting({ restsUntilMs }: Line): boolean {
  return performance.now() < restsUntilMs;
}

function lineNameOf(name: WalletCallName, caller: Caller): LineName {
  if (caller === 'strangers') return 'strangers';
  return name === 'authenticate' || name === 'balance' ? 'questions' : 'money';
}

/** Runs the call when one of the places is free, with the time that is left to send it. */
function inTurn<Name extends WalletCallName>(
  room: BulkheadPolicy,
  send: (connectWithinMs: number) => Promise<WalletAnswer<Name>>,
): Promise<WalletAnswer<Name>> {
  if (room.executionSlots > 0) return room.execute(() => send(SEND_WITHIN_MS));
  const beganMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<WalletAnswer<Name>>((resolve) => {
    timer = setTimeout(() => resolve(TOO_MANY), SEND_WITHIN_MS);
  });
  // Not by the room's own signal: a waiting call that is aborted keeps those behind it from being woken.
  const turn = room.execute(() => {
    clearTimeout(timer);
    const leftMs = SEND_WITHIN_MS - (performance.now() - beganMs);
    return leftMs > 0 ? send(leftMs) : TOO_MANY;
  });
  return Promise.race([turn, tooLate]).finally(() => clearTimeout(timer));
}

const RESTING = { kind: 'not_sent', why: 'the operator rests after failures in a row' } as const;
const TOO_MANY = { kind: 'not_sent', why: 'too many calls of this operator at once' } as const;

function notSent(error: unknown): typeof RESTING | typeof TOO_MANY {
  if (error instanceof BrokenCircuitError) return RESTING;
  if (error instanceof BulkheadRejectedError) return TOO_MANY;
  throw error;
}

function createBreaker(): CircuitBreakerPolicy {
  const isFailure = (answer: unknown) => ['uncertain', 'not_sent'].includes((answer as WalletAnswer).kind);
  return circuitBreaker(handleWhenResult(isFailure), {
    halfOpenAfter: REST_MS,
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
  });
}

/** What is written down beside the call, for whoever looks into it; nothing for an accepted one. */
export function describeAnswer(answer: WalletAnswer): string | undefined {
  if (answer.kind === 'refused') return answer.code;
  if (answer.kind === 'not_sent') return `not sent: ${answer.why}`;
  return answer.kind === 'uncertain' ? answer.why : undefined;
}

/** Reads an answer by the contract. Whatever is neither the success nor a refusal with a known code is uncertain. */
function answerOf<Name extends WalletCallName>(name: Name, reply: WalletReply): WalletAnswer<Name> {
  if ('unsent' in reply) return { kind: 'not_sent', why: reply.unsent };
  if ('failure' in reply) return { kind: 'uncertain', why: reply.failure };
  const { status, text } = reply;
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    const parsed = walletContract[name].responses[200].safeParse(body);
    return parsed.success
      ? { kind: 'accepted', body: parsed.data as WalletResponse<Name> }
      : { kind: 'uncertain', why: `status ${status} with another body` };
  }
  const code = (body as { error?: unknown } | null | undefined)?.error;
  if (!isWalletErrorCode(code)) return { kind: 'uncertain', why: `status ${status} without a code` };
  return WALLET_ERRORS[code].certain ? { kind: 'refused', code } : { kind: 'uncertain', why: code };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { isWalletErrorCode, WALLET_ERRORS, type WalletErrorCode, walletContract } from '@roundhouse/contract';
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import type { Agent } from 'undici';
import type * as z from 'zod';
import type { WalletOperator } from '../ledger/queries/walletOperator.ts';
import { createWalletAgent, postSigned, type WalletReply } from './walletHttp.ts';

type Routes = typeof walletContract;
type WalletCallName = keyof Routes;
export type WalletRequest<Name extends WalletCallName> = z.input<Routes[Name]['body']>;
type WalletResponse<Name extends WalletCallName> = z.output<Routes[Name]['responses'][200]>;

/**
 * What a call has come to (wallet.md, "Certain"). refused: for certain no money moved. uncertain: nobody can say. not_sent: the
 * breaker of the operator is open, so for certain nothing happened.
 */
export type WalletAnswer<Name extends WalletCallName = WalletCallName> =
  | { kind: 'accepted'; body: WalletResponse<Name> }
  | { kind: 'refused'; code: WalletErrorCode }
  | { kind: 'uncertain'; why: string }
  | { kind: 'not_sent' };

/** Told of every call, for metrics. */
export type CallObserver = (call: {
  operator: string;
  name: WalletCallName;
  result: WalletAnswer['kind'];
  ms: number;
}) => void;

export type WalletClient = {
  call<Name extends WalletCallName>(
    operator: WalletOperator,
    name: Name,
    body: WalletRequest<Name>,
  ): Promise<WalletAnswer<Name>>;
  /** Calls would not be sent: the operator has not answered for a while. */
  isDown(operator: WalletOperator): boolean;
  close(): Promise<void>;
};

/** Calls to one operator that may wait for an answer at once. */
const CONNECTIONS = 128;
/** Uncertain answers in a row after which an operator is given a rest, and for how long. */
const FAILURES_IN_A_ROW = 10;
const REST_MS = 2_000;

type Line = { agent: Agent; breaker: CircuitBreakerPolicy };

export function createWalletClient({ observe = () => {} }: { observe?: CallObserver } = {}): WalletClient {
  const lines = new Map<number, Line>();
  const lineOf = ({ operatorID }: WalletOperator): Line => {
    const known = lines.get(operatorID);
    if (known !== undefined) return known;
    const line = { agent: createWalletAgent(CONNECTIONS), breaker: createBreaker() };
    lines.set(operatorID, line);
    return line;
  };

  return {
    async call(operator, name, body) {
      const { agent, breaker } = lineOf(operator);
      const startedMs = performance.now();
      const { url, secrets, timeoutMs } = operator;
      const { path } = walletContract[name];
      const post = { url: `${url.replace(/\/+$/, '')}${path}`, path, body, secret: secrets[0] ?? '', timeoutMs };
      const answer = await breaker
        .execute(async () => answerOf(name, await postSigned(post, agent)))
        .catch((error: unknown): WalletAnswer<typeof name> => {
          if (error instanceof BrokenCircuitError) return { kind: 'not_sent' };
          throw error;
        });
      observe({ operator: operator.code, name, result: answer.kind, ms: performance.now() - startedMs });
      return answer;
    },
    isDown: (operator) => lineOf(operator).breaker.state === CircuitState.Open,
    async close() {
      await Promise.all([...lines.values()].map(({ agent }) => agent.close()));
    },
  };
}

function createBreaker(): CircuitBreakerPolicy {
  const isUncertain = (answer: unknown) => (answer as WalletAnswer).kind === 'uncertain';
  return circuitBreaker(handleWhenResult(isUncertain), {
    halfOpenAfter: REST_MS,
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
  });
}

/** Reads an answer by the contract. Whatever is neither the success nor a refusal with a known code is uncertain. */
function answerOf<Name extends WalletCallName>(name: Name, reply: WalletReply): WalletAnswer<Name> {
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

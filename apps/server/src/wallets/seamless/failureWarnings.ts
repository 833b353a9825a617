import type { Logger } from 'pino';
import { type CallObserver, describeAnswer, type WalletAnswer } from './walletClient.ts';

/** A wallet that is down fails with every call. One line in this time says so for each operator. */
const QUIET_MS = 10_000;

/** Warns of calls by which an operator's wallet fails, the first at once. What a wallet refuses a player by right is no failure. */
export function createFailureWarnings(log: Logger): CallObserver {
  const silenced = new Map<string, { sinceMs: number; more: number }>();
  return ({ operator, name, answer }) => {
    if (!isFailure(name, answer)) return;
    const nowMs = performance.now();
    const before = silenced.get(operator);
    if (before !== undefined && nowMs - before.sinceMs < QUIET_MS) {
      before.more += 1;
      return;
    }
    silenced.set(operator, { sinceMs: nowMs, more: 0 });
    const more = before !== undefined && before.more > 0 && { failuresBefore: before.more };
    log.warn({ operator, call: name, response: describeAnswer(answer), ...more }, 'the wallet of an operator fails');
  };
}

/** Codes that say that something is wrong between the operator and us. */
const WRONG = new Set(['ERR_VAL', 'ERR_DUP', 'ERR_BNF', 'ERR_GE', 'ERR_UE']);

function isFailure(name: Parameters<CallObserver>[0]['name'], answer: WalletAnswer): boolean {
  if (answer.kind !== 'refused') return answer.kind !== 'accepted';
  if (name === 'rollback') return answer.code !== 'ERR_BNF';
  return name === 'credit' || WRONG.has(answer.code);
}

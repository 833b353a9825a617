import type { Logger } from 'pino';
import { resultText } from '../../ledger/walletTransaction.ts';
import type { WalletObserver } from './walletClient.ts';
import { isWalletFailure, storedResult } from './walletResult.ts';

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

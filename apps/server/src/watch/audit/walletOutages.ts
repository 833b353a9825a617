import type { EventQueue } from './eventQueue.ts';

/** The wallet client pauses an operator after as many failures. */
const FAILURES_OF_AN_OUTAGE = 10;

type Wallet = { failures: number; sinceMs: number; isReported: boolean; quietUntilMs: number };
type Observed = { operator: string; result: { kind: string } };

/** Records when the wallet of an operator stops responding, and when it responds again. */
export function watchWallets({ record, windowMs }: Pick<EventQueue, 'record'> & { windowMs: number }) {
  const wallets = new Map<string, Wallet>();

  function succeeded(subject: string, wallet: Wallet, nowMs: number): void {
    const { failures, sinceMs, isReported } = wallet;
    if (isReported) {
      record({ kind: 'wallet_outage_ended', subject, after: { failures, lengthMs: nowMs - sinceMs } });
      wallet.quietUntilMs = nowMs + windowMs;
    }
    wallet.failures = 0;
    wallet.isReported = false;
  }

  function failed(subject: string, wallet: Wallet, nowMs: number): void {
    if (wallet.failures === 0) wallet.sinceMs = nowMs;
    wallet.failures += 1;
    const { failures, isReported, quietUntilMs } = wallet;
    if (isReported || failures < FAILURES_OF_AN_OUTAGE || nowMs < quietUntilMs) return;
    wallet.isReported = true;
    record({ kind: 'wallet_outage_began', subject, after: { failures } });
  }

  return {
    /** Takes the result of each request to a wallet. */
    observeWalletRequest({ operator, result }: Observed): void {
      const isFailure = result.kind === 'uncertain' || result.kind === 'not_sent';
      const known = wallets.get(operator);
      if (known === undefined && !isFailure) return;
      const nowMs = Date.now();
      const wallet = known ?? { failures: 0, sinceMs: nowMs, isReported: false, quietUntilMs: 0 };
      wallets.set(operator, wallet);
      (isFailure ? failed : succeeded)(`operator ${operator}`, wallet, nowMs);
    },
  };
}

import type { Logger } from 'pino';
import type { Database } from '../../ledger/database.ts';
import { renewDebitLeases } from '../../ledger/queries/walletTransactions.ts';

/**
 * The debits whose responses this process waits for. Their rows are leased to it for a few seconds
 * only: when a process dies, other nodes give up its debits soon, however long the operator may
 * take to respond.
 */
export type DebitLeases = {
  /** Renews the lease of the debit for as long as the work lasts. */
  hold<Value>(debitID: string, work: () => Promise<Value>): Promise<Value>;
  /**
   * Whether this process waits for it: then it has not lost its node, however late the renewals
   * are.
   */
  holds(debitID: string): boolean;
  stop(): Promise<void>;
};

/**
 * A fifth of a lease, so that some renewals may be late or lost. Most debits are settled before the
 * first one.
 */
const RENEW_EVERY_MS = 500;

export function createDebitLeases({ db, log }: { db: Database; log: Logger }): DebitLeases {
  const held = new Map<string, number>();
  let renewing: Promise<void> | undefined;
  const renew = () => {
    const nowMs = performance.now();
    const old = [...held].filter(([, sinceMs]) => nowMs - sinceMs >= RENEW_EVERY_MS / 2).map(([debitID]) => debitID);
    if (old.length === 0 || renewing !== undefined) return;
    renewing = renewDebitLeases(db, old)
      .catch((error: unknown) => log.error({ err: error }, 'could not renew the leases of debits'))
      .finally(() => {
        renewing = undefined;
      });
  };
  const timer = setInterval(renew, RENEW_EVERY_MS).unref();
  return {
    async hold(debitID, work) {
      held.set(debitID, performance.now());
      try {
        return await work();
      } finally {
        held.delete(debitID);
      }
    },
    holds: (debitID) => held.has(debitID),
    async stop() {
      clearInterval(timer);
      await renewing;
    },
  };
}

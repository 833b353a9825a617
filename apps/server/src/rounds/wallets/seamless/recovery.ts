import { traceFieldsOf } from '@roundhouse/service';
import type { Logger } from 'pino';
import { type Sweep, startSweep } from '../../../base/sweep.ts';
import type { Database } from '../../../store/database/database.ts';
import {
  renewDebitLeases,
  takeDueWalletTransactions,
  takeExpiredDebits,
} from '../../../store/rounds/walletTransactions.ts';
import type { TransactionSender } from './transactionSender.ts';

export type RecoveryOptions = {
  /**
   * Whether this process also retries credits and rollbacks, which one process of a node does.
   * Default: true.
   */
  retries?: boolean;
  /**
   * The pause between two sweeps in milliseconds; when left out, a second for credits and
   * rollbacks, and half a second for debits.
   */
  sweepMs?: number;
  /**
   * A credit or rollback that fails at this age, in milliseconds, is parked; when left out, at the
   * age that the dialect of the operator's wallet names.
   */
  parkAfterMs?: number | undefined;
};

type RecoveryDeps = RecoveryOptions & {
  db: Database;
  sender: Pick<TransactionSender, 'send' | 'sendInBackground'>;
  leases: Pick<DebitLeases, 'holds'>;
  log: Logger;
};

/** It equals the shortest pause between two attempts. */
const RETRY_SWEEP_MS = 1_000;
const DEBIT_SWEEP_MS = 500;
const MAX_DEBITS = 500;
/**
 * The number of credits and rollbacks that one node retries at the same time. A request to
 * an operator that hangs holds one of these places until its time-out.
 */
const MAX_RETRIES = 16;

/**
 * Settles wallet transactions that are still pending. Every process abandons debits whose lease has
 * expired, since their players wait (decision 005). One process of a node retries the credits and
 * rollbacks that are due. It leases only as many as it sends at a time; if it dies, they are due
 * again after the time of one attempt.
 */
export function startRecovery({ db, sender, leases, log, retries = true, sweepMs }: RecoveryDeps): Sweep {
  const abandonDebits = async () => {
    for (const debitID of await takeExpiredDebits(db, MAX_DEBITS)) {
      if (!leases.holds(debitID)) sender.sendInBackground(debitID, 'recovery');
    }
    return false;
  };

  const inFlight = new Set<Promise<void>>();
  const retry = (transactionID: string) => {
    const sending = sender
      .send(transactionID, 'recovery')
      .catch((error: unknown) =>
        log.error({ err: error, transactionID, ...traceFieldsOf(error) }, 'could not retry a wallet transaction'),
      )
      .then(() => void inFlight.delete(sending));
    inFlight.add(sending);
  };
  const retryDue = async (isStopped: () => boolean) => {
    while (!isStopped()) {
      for (const transactionID of await takeDueWalletTransactions(db, MAX_RETRIES - inFlight.size))
        retry(transactionID);
      if (inFlight.size < MAX_RETRIES) break;
      await Promise.race(inFlight);
    }
    return false;
  };

  const onError = (error: unknown) => {
    // An outage of the database is logged elsewhere, and during one this sweep fails every half
    // second.
    if (db.writer.isKnown) log.error({ err: error }, 'could not read the due wallet transactions');
  };
  const sweeps = [
    startSweep(abandonDebits, { pauseMs: sweepMs ?? DEBIT_SWEEP_MS, onError }),
    ...(retries ? [startSweep(retryDue, { pauseMs: sweepMs ?? RETRY_SWEEP_MS, onError })] : []),
  ];
  return {
    async stop() {
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
      await Promise.all(inFlight);
    },
  };
}

/**
 * The debits whose responses this process waits for. Their rows are leased to it for only a few
 * seconds: when a process dies, other nodes abandon its debits soon, however long the operator may
 * take to respond (decision 005).
 */
export type DebitLeases = {
  /** Renews the lease of the debit for as long as the work lasts. */
  hold<Value>(debitID: string, work: () => Promise<Value>): Promise<Value>;
  /**
   * Returns whether this process waits for it. Then its node is not lost, even if renewals are
   * late.
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

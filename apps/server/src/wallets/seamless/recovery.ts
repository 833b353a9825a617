import type { Logger } from 'pino';
import type { Database } from '../../ledger/database.ts';
import { type JobQueue, startJobQueue } from '../../ledger/jobQueue.ts';
import { takeAbandonedDebits, takeDueWalletTransactions } from '../../ledger/queries/walletTransactions.ts';
import type { DebitLeases } from './debitLeases.ts';
import type { TransactionSender } from './transactionSender.ts';

export type Recovery = { stop(): Promise<void> };

export type RecoveryOptions = {
  /** Where the queue is kept. */
  databaseUrl: string;
  /** Repeats credits and rollbacks too; one process of a node does. True when left out. */
  repeats?: boolean;
  /** The pause between two looks; when left out, a second for credits and rollbacks, half of it for debits. */
  sweepMs?: number;
};

type RecoveryDeps = RecoveryOptions & { db: Database; sender: TransactionSender; leases: DebitLeases; log: Logger };

/** As long as the shortest pause between two attempts. */
const REPEAT_SWEEP_MS = 1_000;
const DEBIT_SWEEP_MS = 500;
const MAX_TAKEN = 500;
/** Credits and rollbacks that one node sends at the same time. An operator that hangs holds one for its time-out. */
const CONCURRENCY = 16;

/**
 * Settles wallet transactions that are still pending. Every process gives up debits that have lost their node: their players wait, so
 * it must not wait for a process that is just starting. One process of a node looks for credits and rollbacks that are due, puts them
 * into the queue, and takes from the queue what it has room for; when it dies, they are due again after the time of one attempt.
 */
export async function startRecovery(deps: RecoveryDeps): Promise<Recovery> {
  const { db, sender, leases, log, repeats = true, sweepMs } = deps;
  const queue = repeats ? await startQueue(deps) : undefined;
  const sweeps = [
    repeatedly({ log, everyMs: sweepMs ?? DEBIT_SWEEP_MS }, async () => {
      for (const debitID of await takeAbandonedDebits(db, MAX_TAKEN)) {
        if (!leases.holds(debitID)) sender.sendInBackground(debitID);
      }
    }),
    queue &&
      repeatedly({ log, everyMs: sweepMs ?? REPEAT_SWEEP_MS }, async () => {
        const due = await takeDueWalletTransactions(db, MAX_TAKEN);
        if (due.length > 0) await queue.add(due);
      }),
  ];
  return {
    async stop() {
      await Promise.all(sweeps.map((sweep) => sweep?.stop()));
      await queue?.stop();
      await sender.idle();
    },
  };
}

function startQueue({ databaseUrl, sender, log }: RecoveryDeps): Promise<JobQueue> {
  return startJobQueue({
    databaseUrl,
    concurrency: CONCURRENCY,
    handle: async (transactionID) => {
      await sender
        .send(transactionID)
        .catch((error: unknown) => log.error({ err: error, transactionID }, 'could not repeat a wallet transaction'));
    },
    complain: (message) => log.warn({ queue: message }, 'the job queue reports an error'),
  });
}

/** Never two at once: the pause begins when the work is done. */
function repeatedly({ log, everyMs }: { log: Logger; everyMs: number }, work: () => Promise<void>): Recovery {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const next = () => {
    if (stopped) return;
    working = work()
      .catch((error: unknown) => log.error({ err: error }, 'could not read the due wallet transactions'))
      .then(() => {
        if (!stopped) timer = setTimeout(next, everyMs);
      });
  };
  next();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}

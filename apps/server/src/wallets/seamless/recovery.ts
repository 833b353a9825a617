import type { Logger } from 'pino';
import type { Database } from '../../ledger/database.ts';
import { type JobQueue, startJobQueue } from '../../ledger/jobQueue.ts';
import { takeAbandonedDebits } from '../../ledger/queries/debitLeases.ts';
import { takeDueCalls } from '../../ledger/queries/takeDueCalls.ts';
import type { CallSender } from './callSender.ts';
import type { DebitLeases } from './debitLeases.ts';

export type Recovery = { stop(): Promise<void> };

export type RecoveryOptions = {
  /** Where the queue is kept. */
  databaseUrl: string;
  /** Repeats credits and rollbacks too; one process of a node does. True when left out. */
  repeats?: boolean;
  /** How often it looks; when left out, a second for calls to repeat (the shortest pause between two attempts), half of it for debits. */
  sweepMs?: number;
};

type RecoveryParts = RecoveryOptions & { db: Database; sender: CallSender; leases: DebitLeases; log: Logger };

const REPEAT_SWEEP_MS = 1_000;
const DEBIT_SWEEP_MS = 500;
const MOST_AT_ONCE = 500;
/** Calls that one node repeats at the same time. An operator that hangs keeps one for its time-out. */
const CONCURRENCY = 16;

/**
 * Finishes what was begun. Every process gives up the debits that have lost their node: their players wait for it, so it must not wait
 * for a process that is just starting. One process of a node looks for credits and rollbacks that are due, puts them into the queue, and
 * takes from the queue what it has room for; when it dies, they are due again after the time that one attempt may last.
 */
export async function startRecovery(parts: RecoveryParts): Promise<Recovery> {
  const { db, sender, leases, log, repeats = true, sweepMs } = parts;
  const queue = repeats ? await startQueue(parts) : undefined;
  const sweeps = [
    repeatedly({ log, everyMs: sweepMs ?? DEBIT_SWEEP_MS }, async () => {
      for (const debitID of await takeAbandonedDebits(db, MOST_AT_ONCE)) {
        if (!leases.holds(debitID)) sender.sendInBackground(debitID);
      }
    }),
    queue &&
      repeatedly({ log, everyMs: sweepMs ?? REPEAT_SWEEP_MS }, async () => {
        const due = await takeDueCalls(db, MOST_AT_ONCE);
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

function startQueue({ databaseUrl, sender, log }: RecoveryParts): Promise<JobQueue> {
  return startJobQueue({
    databaseUrl,
    concurrency: CONCURRENCY,
    handle: async (callID) => {
      await sender
        .send(callID)
        .catch((error: unknown) => log.error({ err: error, callID }, 'a wallet call could not be repeated'));
    },
    complain: (message) => log.warn({ queue: message }, 'the job queue complains'),
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
      .catch((error: unknown) => log.error({ err: error }, 'due wallet calls could not be read'))
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

import type { Logger } from 'pino';
import type { Database } from '../ledger/database.ts';
import { startJobQueue } from '../ledger/jobQueue.ts';
import { takeDueCalls } from '../ledger/queries/takeDueCalls.ts';
import type { CallSender } from './callSender.ts';

export type Recovery = { stop(): Promise<void> };

export type RecoveryOptions = {
  /** Where the queue is kept. */
  databaseUrl: string;
  /** How often this node looks for calls that are due; a second when left out, as long as the shortest pause between two attempts. */
  sweepMs?: number;
};

type RecoveryParts = RecoveryOptions & { db: Database; sender: CallSender; log: Logger };

const SWEEP_MS = 1_000;
const MOST_AT_ONCE = 500;
/** Calls that one node repeats at the same time. An operator that hangs keeps one for its time-out. */
const CONCURRENCY = 16;

/**
 * Finishes what was begun: every node looks for movements that are due, puts them into the queue, and takes from the queue what it has
 * room for. A node that dies leaves its movements due again after the time that one attempt may last.
 */
export async function startRecovery({
  db,
  databaseUrl,
  sweepMs = SWEEP_MS,
  sender,
  log,
}: RecoveryParts): Promise<Recovery> {
  const queue = await startJobQueue({
    databaseUrl,
    concurrency: CONCURRENCY,
    handle: async (callID) => {
      await sender
        .send(callID)
        .catch((error: unknown) => log.error({ err: error, callID }, 'a wallet call could not be repeated'));
    },
    complain: (message) => log.warn({ queue: message }, 'the job queue complains'),
  });

  const sweep = async () => {
    const due = await takeDueCalls(db, MOST_AT_ONCE);
    if (due.length > 0) await queue.add(due);
  };
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  const next = () => {
    if (stopped) return;
    sweeping = sweep()
      .catch((error: unknown) => log.error({ err: error }, 'due wallet calls could not be read'))
      .then(() => {
        if (!stopped) timer = setTimeout(next, sweepMs);
      });
  };
  next();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
      await queue.stop();
      await sender.idle();
    },
  };
}

import type { BatchCommand, CommandOf, OutcomeOf } from './batchCommand.ts';
import { Batcher } from './batcher.ts';
import {
  authenticateSessions,
  closeRounds,
  openRounds,
  readBalances,
  recordEvents,
  settleWalletTransactions,
} from './commands.ts';
import type { Database } from './database.ts';

type OfPlayer<Batch> = CommandOf<Batch> & { playerID: bigint };
type Run<Batch> = (command: OfPlayer<Batch>) => Promise<OutcomeOf<Batch>>;

/**
 * The commands of a round: one at a time for the caller, in batches for the database. They throw
 * Overload; see Batcher.
 */
export type Ledger = {
  authenticateSession: Run<typeof authenticateSessions>;
  readBalance: Run<typeof readBalances>;
  openRound: Run<typeof openRounds>;
  closeRound: Run<typeof closeRounds>;
  recordEvent: Run<typeof recordEvents>;
  settleWalletTransaction: Run<typeof settleWalletTransactions>;
  /**
   * How long the oldest unanswered command has been here, in milliseconds; 0 when there is none.
   */
  oldestMs(): number;
};

/** More than a node answers within the time that a command may wait. */
const MOST_WAITING = 5_000;

export function createLedger(db: Database): Ledger {
  const batchers: { oldestMs(): number }[] = [];
  const inBatches = <Batch extends BatchCommand<never, unknown>>(
    batch: Batch,
    limits = { maxWaiting: MOST_WAITING, maxWaitMs: db.limits.connectMs },
  ): Run<Batch> => {
    const { name, run } = batch as unknown as BatchCommand<OfPlayer<Batch>, OutcomeOf<Batch>>;
    const batcher = new Batcher<OfPlayer<Batch>, OutcomeOf<Batch>>({
      name,
      run: (commands) => run(db, commands),
      keyOf: ({ playerID }) => playerID,
      ...limits,
    });
    batchers.push(batcher);
    return (command) => batcher.submit(command);
  };
  return {
    authenticateSession: inBatches(authenticateSessions),
    readBalance: inBatches(readBalances),
    openRound: inBatches(openRounds),
    closeRound: inBatches(closeRounds),
    recordEvent: inBatches(recordEvents),
    // The result of a sent call is stored however long it takes. There are no more of them than
    // requests in progress.
    settleWalletTransaction: inBatches(settleWalletTransactions, { maxWaiting: Infinity, maxWaitMs: Infinity }),
    oldestMs: () => Math.max(...batchers.map((batcher) => batcher.oldestMs())),
  };
}

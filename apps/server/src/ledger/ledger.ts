import { Batcher, type BatcherOptions, type TraceSpan } from '@roundhouse/service';
import {
  type BatchCommand,
  type BatchLimits,
  type BatchObserver,
  batchLimitsOf,
  type CommandOf,
  type OutcomeOf,
} from '../store/database/batchCommand.ts';
import type { Database } from '../store/database/database.ts';
import {
  acceptDebits,
  authenticateSessions,
  endRounds,
  openRounds,
  readBalances,
  readHistories,
  recordEvents,
  refuseBets,
  settleClosings,
  settleWalletTransactions,
} from './commands.ts';
import { acceptFreeDebits, decideGrants, openFreeRounds } from './freeRoundCommands.ts';

/** `trace` is the span of what causes the command, if that is traced. */
type Run<Batch, Command = CommandOf<Batch>> = (command: Command, trace?: TraceSpan) => Promise<OutcomeOf<Batch>>;
type OfPlayer<Batch> = CommandOf<Batch> & { playerID: bigint };
type RunOfPlayer<Batch> = Run<Batch, OfPlayer<Batch>>;

/**
 * The commands of a round run one at a time for the caller, in batches for the database. They throw
 * Overload; see Batcher.
 */
export type Ledger = {
  authenticateSession: RunOfPlayer<typeof authenticateSessions>;
  readBalance: RunOfPlayer<typeof readBalances>;
  openRound: RunOfPlayer<typeof openRounds>;
  openFreeRound: RunOfPlayer<typeof openFreeRounds>;
  decideGrant: RunOfPlayer<typeof decideGrants>;
  refuseBet: RunOfPlayer<typeof refuseBets>;
  endRound: RunOfPlayer<typeof endRounds>;
  recordEvent: RunOfPlayer<typeof recordEvents>;
  readHistory: RunOfPlayer<typeof readHistories>;
  acceptDebit: Run<typeof acceptDebits>;
  acceptFreeDebit: RunOfPlayer<typeof acceptFreeDebits>;
  settleClosing: Run<typeof settleClosings>;
  settleWalletTransaction: RunOfPlayer<typeof settleWalletTransactions>;
  /** Returns the age of the oldest unfinished command in milliseconds; 0 when there is none. */
  oldestMs(): number;
};

export function createLedger(db: Database, observe: BatchObserver = () => {}): Ledger {
  const batchers: { oldestMs(): number }[] = [];
  const bounded = batchLimitsOf(db);
  const inBatches = <Batch extends BatchCommand<never, unknown>, Command = CommandOf<Batch>>(
    batch: Batch,
    limits: BatchLimits & Pick<BatcherOptions<Command, never>, 'keyOf'>,
  ): Run<Batch, Command> => {
    const { name, run } = batch as unknown as BatchCommand<Command, OutcomeOf<Batch>>;
    const batcher = new Batcher<Command, OutcomeOf<Batch>>({
      name,
      run: (commands) => run(db, commands),
      observe: (ran) => observe(name, ran),
      ...limits,
    });
    batchers.push(batcher);
    return (command, trace) => batcher.submit(command, trace);
  };
  const ofPlayers = <Batch extends BatchCommand<never, unknown>>(
    batch: Batch,
    limits: BatchLimits = bounded,
  ): RunOfPlayer<Batch> => inBatches<Batch, OfPlayer<Batch>>(batch, { keyOf: ({ playerID }) => playerID, ...limits });
  return {
    authenticateSession: ofPlayers(authenticateSessions),
    readBalance: ofPlayers(readBalances),
    openRound: ofPlayers(openRounds),
    openFreeRound: ofPlayers(openFreeRounds),
    decideGrant: ofPlayers(decideGrants),
    refuseBet: ofPlayers(refuseBets),
    endRound: ofPlayers(endRounds),
    recordEvent: ofPlayers(recordEvents),
    // Each command reads many rounds, and no player waits to play meanwhile: few run at a time, on
    // one connection.
    readHistory: ofPlayers(readHistories, { ...bounded, maxBatchSize: 16, maxInFlight: 1 }),
    // The result of a sent request is stored however long it takes. One batch at a time makes the
    // batches larger (decision 002).
    acceptDebit: inBatches(acceptDebits, { maxInFlight: 1 }),
    acceptFreeDebit: ofPlayers(acceptFreeDebits, {}),
    settleClosing: inBatches(settleClosings, { maxInFlight: 1 }),
    settleWalletTransaction: ofPlayers(settleWalletTransactions, {}),
    oldestMs: () => Math.max(...batchers.map((batcher) => batcher.oldestMs())),
  };
}

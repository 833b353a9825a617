import { Batcher, type BatcherOptions, type ObservedBatch, type TraceSpan } from '@roundhouse/service';
import type { BatchCommand, CommandOf, OutcomeOf } from './batchCommand.ts';
import {
  acceptDebits,
  authenticateSessions,
  closeRounds,
  openRounds,
  readBalances,
  readHistories,
  recordEvents,
  refuseBets,
  settleClosings,
  settleWalletTransactions,
} from './commands.ts';
import type { Database } from './database.ts';
import { acceptFreeDebits, decideGrants, openFreeRounds } from './freeRoundCommands.ts';
import { type MaintenanceLevel, maintenanceBeforeSessions } from './queries/maintenance.ts';
import { type CallingOperator, findCallingOperators } from './queries/operatorSecrets.ts';
import { findWalletOperator, type WalletOperator } from './queries/operators.ts';
import { type FoundSession, findSessions, type SessionLookUp } from './queries/sessions.ts';

/** `trace` is the span of what causes the command, when that is traced. */
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
  closeRound: RunOfPlayer<typeof closeRounds>;
  recordEvent: RunOfPlayer<typeof recordEvents>;
  readHistory: RunOfPlayer<typeof readHistories>;
  acceptDebit: Run<typeof acceptDebits>;
  acceptFreeDebit: RunOfPlayer<typeof acceptFreeDebits>;
  settleClosing: Run<typeof settleClosings>;
  settleWalletTransaction: RunOfPlayer<typeof settleWalletTransactions>;
  /** Returns the age of the oldest unfinished command in milliseconds; 0 when there is none. */
  oldestMs(): number;
};

/** It is called once for each batch; `command` is the name of the SQL function or of the look-up. */
export type BatchObserver = (command: string, batch: ObservedBatch) => void;

type BatcherLimits<Command> = Omit<BatcherOptions<Command, never>, 'name' | 'run' | 'observe'>;
type Limits = Omit<BatcherLimits<never>, 'keyOf'>;

/** A node does not run more commands within the time that a command may wait. */
const MOST_WAITING = 5_000;
/**
 * A player who would wait longer has to come again. Less than the time after which a node is not
 * ready: other nodes have the same database.
 */
const LONGEST_DELAY_MS = 2_000;

function boundsOf({ limits: { connectMs } }: Database): Limits {
  return { maxWaiting: MOST_WAITING, maxWaitMs: connectMs, maxDelayMs: LONGEST_DELAY_MS };
}

export function createLedger(db: Database, observe: BatchObserver = () => {}): Ledger {
  const batchers: { oldestMs(): number }[] = [];
  const bounded = boundsOf(db);
  const inBatches = <Batch extends BatchCommand<never, unknown>, Command = CommandOf<Batch>>(
    batch: Batch,
    limits: BatcherLimits<Command>,
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
    limits: Limits = bounded,
  ): RunOfPlayer<Batch> => inBatches<Batch, OfPlayer<Batch>>(batch, { keyOf: ({ playerID }) => playerID, ...limits });
  return {
    authenticateSession: ofPlayers(authenticateSessions),
    readBalance: ofPlayers(readBalances),
    openRound: ofPlayers(openRounds),
    openFreeRound: ofPlayers(openFreeRounds),
    decideGrant: ofPlayers(decideGrants),
    refuseBet: ofPlayers(refuseBets),
    closeRound: ofPlayers(closeRounds),
    recordEvent: ofPlayers(recordEvents),
    // Each command reads many rounds, and nobody waits for them to play: few run at a time, on one
    // connection.
    readHistory: ofPlayers(readHistories, { ...bounded, maxBatchSize: 16, maxInFlight: 1 }),
    // The result of a sent request is stored however long it takes. There are no more of them than
    // requests in progress. One batch at a time is a larger one, and no lock of a player holds it.
    acceptDebit: inBatches(acceptDebits, { maxInFlight: 1 }),
    acceptFreeDebit: ofPlayers(acceptFreeDebits, {}),
    settleClosing: inBatches(settleClosings, { maxInFlight: 1 }),
    settleWalletTransaction: ofPlayers(settleWalletTransactions, {}),
    oldestMs: () => Math.max(...batchers.map((batcher) => batcher.oldestMs())),
  };
}

/**
 * Look-ups serve callers that are still unknown. Anybody can cause any number of them, so they run
 * in batches, on connections of their own, and a limited number may wait. They throw Overload.
 */
export type LookUps = {
  session(lookUp: SessionLookUp, trace?: TraceSpan): Promise<FoundSession>;
  /** tokenSha256 is the hash of the sessionID in the request, if there is one. */
  maintenance(tokenSha256: Buffer | undefined): Promise<MaintenanceLevel | null>;
  /** Finds the operator that verifies a session. */
  walletOperator(operatorID: number): Promise<WalletOperator | undefined>;
  /** Finds the operator named in a request whose signature is not checked yet. */
  operator(code: string): Promise<CallingOperator | undefined>;
};

export function createLookUps(db: Database, observe: BatchObserver = () => {}): LookUps {
  const optionsOf = (name: string) => ({
    ...{ name, ...boundsOf(db), maxInFlight: 1 },
    observe: (batch: ObservedBatch) => observe(name, batch),
  });
  const anonymous = { pool: db.anonymous };
  const session = new Batcher<SessionLookUp, FoundSession>({
    ...optionsOf('session look-up'),
    run: (lookUps) => findSessions.run(anonymous, lookUps),
  });
  const maintenance = new Batcher<Buffer | undefined, MaintenanceLevel | null>({
    ...optionsOf('maintenance look-up'),
    run: (tokens) =>
      maintenanceBeforeSessions.run(
        anonymous,
        tokens.map((tokenSha256) => ({ tokenSha256 })),
      ),
  });
  // These two use the players' pool, at most one connection of it each.
  const walletOperator = new Batcher<number, () => WalletOperator | undefined>({
    ...optionsOf('wallet look-up'),
    run: (operatorIDs) => findWalletOperators(db, operatorIDs),
  });
  const operator = new Batcher<string, (() => CallingOperator) | undefined>({
    ...optionsOf('operator look-up'),
    run: (codes) => findCallingOperators(db, codes),
  });
  return {
    session: (lookUp, trace) => session.submit(lookUp, trace),
    walletOperator: async (operatorID) => (await walletOperator.submit(operatorID))(),
    operator: async (code) => (await operator.submit(code))?.(),
    maintenance: (tokenSha256) => maintenance.submit(tokenSha256),
  };
}

/**
 * Reads each operator once, one after the other. An operator that cannot be read fails only its own
 * callers.
 */
async function findWalletOperators(
  db: Database,
  operatorIDs: readonly number[],
): Promise<(() => WalletOperator | undefined)[]> {
  const found = new Map<number, () => WalletOperator | undefined>();
  for (const operatorID of new Set(operatorIDs)) {
    const read = findWalletOperator(db, { operatorID }).then(
      (operator) => () => operator,
      (error: unknown) => () => {
        throw error;
      },
    );
    found.set(operatorID, await read);
  }
  return operatorIDs.map((operatorID) => found.get(operatorID) ?? (() => undefined));
}

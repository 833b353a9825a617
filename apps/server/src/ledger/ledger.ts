import { Batcher } from './batcher.ts';
import {
  type AuthenticateCommand,
  type AuthenticateOutcome,
  authenticateSessions,
} from './commands/authenticateSessions.ts';
import { type CloseRoundCommand, type CloseRoundOutcome, closeRounds } from './commands/closeRounds.ts';
import { type OpenRoundCommand, type OpenRoundOutcome, openRounds } from './commands/openRounds.ts';
import { type ReadBalanceCommand, type ReadBalanceOutcome, readBalances } from './commands/readBalances.ts';
import { type RecordEventCommand, type RecordEventOutcome, recordEvents } from './commands/recordEvents.ts';
import { type SettleCommand, type SettleOutcome, settleWalletCalls } from './commands/settleWalletCalls.ts';
import type { Database } from './database.ts';

/** The commands of a round, one at a time for the caller and in batches for the database. They throw Overload; see Batcher. */
export type Ledger = {
  authenticateSession(command: AuthenticateCommand): Promise<AuthenticateOutcome>;
  readBalance(command: ReadBalanceCommand): Promise<ReadBalanceOutcome>;
  openRound(command: OpenRoundCommand): Promise<OpenRoundOutcome>;
  closeRound(command: CloseRoundCommand): Promise<CloseRoundOutcome>;
  recordEvent(command: RecordEventCommand): Promise<RecordEventOutcome>;
  settleWalletCall(command: SettleCommand): Promise<SettleOutcome>;
  /** For how long the oldest command that is not answered has been here, in milliseconds; 0 when there is none. */
  oldestMs(): number;
};

/** More than a node answers within the time that a command may wait. */
const MOST_WAITING = 5_000;

export function createLedger(db: Database): Ledger {
  const batchers: { oldestMs(): number }[] = [];
  const batch = <Command extends { playerID: bigint }, Result>(
    { name, mayRefuse = true }: { name: string; mayRefuse?: boolean },
    run: (db: Database, commands: readonly Command[]) => Promise<Result[]>,
  ) => {
    const batcher = new Batcher<Command, Result>({
      name,
      run: (commands) => run(db, commands),
      keyOf: ({ playerID }) => playerID,
      ...(mayRefuse && { maxWaiting: MOST_WAITING, maxWaitMs: db.limits.connectMs }),
    });
    batchers.push(batcher);
    return (command: Command) => batcher.submit(command);
  };
  return {
    authenticateSession: batch({ name: 'authenticate' }, authenticateSessions),
    readBalance: batch({ name: 'balance' }, readBalances),
    openRound: batch({ name: 'open round' }, openRounds),
    closeRound: batch({ name: 'close round' }, closeRounds),
    recordEvent: batch({ name: 'event' }, recordEvents),
    // What an operator has answered is written down however long it takes: there are no more of them than calls under way.
    settleWalletCall: batch({ name: 'settle', mayRefuse: false }, settleWalletCalls),
    oldestMs: () => Math.max(...batchers.map((batcher) => batcher.oldestMs())),
  };
}

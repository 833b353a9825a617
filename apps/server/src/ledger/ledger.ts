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

/** The commands of a round, one at a time for the caller and in batches for the database. */
export type Ledger = {
  authenticateSession(command: AuthenticateCommand): Promise<AuthenticateOutcome>;
  readBalance(command: ReadBalanceCommand): Promise<ReadBalanceOutcome>;
  openRound(command: OpenRoundCommand): Promise<OpenRoundOutcome>;
  closeRound(command: CloseRoundCommand): Promise<CloseRoundOutcome>;
  recordEvent(command: RecordEventCommand): Promise<RecordEventOutcome>;
  settleWalletCall(command: SettleCommand): Promise<SettleOutcome>;
};

export function createLedger(db: Database): Ledger {
  const authenticate = new Batcher({
    run: (commands: readonly AuthenticateCommand[]) => authenticateSessions(db, commands),
  });
  const balance = new Batcher({ run: (commands: readonly ReadBalanceCommand[]) => readBalances(db, commands) });
  const open = new Batcher({ run: (commands: readonly OpenRoundCommand[]) => openRounds(db, commands) });
  const close = new Batcher({ run: (commands: readonly CloseRoundCommand[]) => closeRounds(db, commands) });
  const event = new Batcher({ run: (commands: readonly RecordEventCommand[]) => recordEvents(db, commands) });
  const settle = new Batcher({ run: (commands: readonly SettleCommand[]) => settleWalletCalls(db, commands) });
  return {
    authenticateSession: (command) => authenticate.submit(command),
    readBalance: (command) => balance.submit(command),
    openRound: (command) => open.submit(command),
    closeRound: (command) => close.submit(command),
    recordEvent: (command) => event.submit(command),
    settleWalletCall: (command) => settle.submit(command),
  };
}

import type { AuthenticateOutcome } from '../ledger/commands/authenticateSessions.ts';
import type { CloseRoundOutcome } from '../ledger/commands/closeRounds.ts';
import type { OpenRoundCommand, OpenRoundOutcome } from '../ledger/commands/openRounds.ts';
import type { ReadBalanceOutcome } from '../ledger/commands/readBalances.ts';
import type { SessionFacts } from '../ledger/queries/findSession.ts';

/** A drawn and priced bet, ready to be opened. */
export type Bet = Omit<OpenRoundCommand, 'playerID' | 'sessionRowID'>;

/**
 * The wallet port: who the player is, what they have, and the two movements of a round. Each call is whole: when it answers,
 * the round and the money say the same, and a refusal has changed nothing.
 */
export type Wallet = {
  authenticate(session: SessionFacts): Promise<AuthenticateOutcome>;
  balance(session: SessionFacts): Promise<ReadBalanceOutcome>;
  /** Opens the round and debits the bet. */
  openRound(session: SessionFacts, bet: Bet): Promise<OpenRoundOutcome>;
  /** Completes the open round and credits its payout. Idempotent. */
  closeRound(session: SessionFacts): Promise<CloseRoundOutcome>;
};

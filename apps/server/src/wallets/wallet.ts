import type { Micros, WalletAuthenticateResponse } from '@roundhouse/contract';
import type { OpenRoundCommand } from '../ledger/commands/openRounds.ts';
import type { SessionFacts } from '../ledger/queries/findSession.ts';
import type { Outcome } from '../ledger/refusal.ts';

/** A drawn and priced bet, ready to be opened. */
export type Bet = Omit<OpenRoundCommand, 'playerID' | 'sessionRowID' | 'walletDown'>;

/** A session as its bearer shows it. The sessionID is a credential: it is handed to the operator that issued it, and never kept. */
export type BearerSession = KnownSession & {
  sessionID: string;
  /** What the operator has just said of the session, so that it is not asked twice in one request. */
  vouched?: WalletAuthenticateResponse;
};

/** A session with the wallet that keeps its player's money. */
export type KnownSession = SessionFacts & { wallet: Wallet };

/** latestRoundID is the active round of the player and game, else the last one, else null. */
type Authentication = Outcome<{ balance: Micros; latestRoundID: bigint | null }>;
export type BalanceReading = Outcome<{ balance: Micros }>;
export type OpenedRound = Outcome<{ roundID: bigint; replayed: boolean; balance: Micros }>;
/** closedRoundID is null when there was nothing left to complete. */
export type ClosedRound = Outcome<{ closedRoundID: bigint | null; balance: Micros }>;

/**
 * The wallet port: who the player is, what they have, and the two movements of a round. Each call is whole: when it answers, the
 * round and the money say the same, or what is still on its way is written down and will be finished whatever happens.
 */
export type Wallet = {
  authenticate(session: BearerSession): Promise<Authentication>;
  balance(session: BearerSession): Promise<BalanceReading>;
  /** Opens the round and debits the bet. */
  openRound(session: BearerSession, bet: Bet): Promise<OpenedRound>;
  /** Completes the open round and credits its payout. Idempotent. */
  closeRound(session: BearerSession): Promise<ClosedRound>;
};

export type Wallets = { house: Wallet; seamless: Wallet };

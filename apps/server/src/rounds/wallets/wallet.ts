import type { Grant, Micros, WalletAuthenticateResponse } from '@roundhouse/contract';
import type { TraceSpan } from '@roundhouse/service';
import type { Outcome } from '../../base/refusal.ts';
import type { OpenRoundCommand, RefuseBetCommand } from '../../ledger/commands.ts';
import type { RoundOfGame } from '../../store/rounds/rounds.ts';
import type { SessionFacts } from '../../store/rounds/sessions.ts';

/** A bet that is drawn and priced, and ready to be opened. */
export type Bet = Omit<OpenRoundCommand, 'playerID' | 'sessionRowID' | 'walletDown'> & {
  /** The grant that the bet names, by the operator's id. */
  grantID: string | undefined;
};

/** A bet that breaks the rules. */
type RefusedBet = Omit<RefuseBetCommand, 'sessionRowID'>;

/** The sessionID is a credential: it is sent to the operator that issued it, and never stored. */
export type BearerSession = KnownSession & {
  sessionID: string;
  /** The span of the request, when it is traced. */
  trace?: TraceSpan | undefined;
  /** Set when session verification has just found it: this request needs no second one. */
  verified?: WalletAuthenticateResponse;
};

/** A session with the wallet that keeps its player's money. */
export type KnownSession = SessionFacts & { wallet: Wallet };

/**
 * round is the active one of the player and game, else the last completed one. maxStake is the
 * highest cost of one play; undefined for no limit.
 */
type Authentication = Outcome<{
  balance: Micros;
  round: RoundOfGame | undefined;
  maxStake: Micros | undefined;
  grants: Grant[];
}>;
export type BalanceReading = Outcome<{ balance: Micros }>;
/** grantID is the grant of a free round, named or automatic. */
type OpenedRound = Outcome<{
  roundID: bigint;
  replayed: boolean;
  balance: Micros;
  grantID: string | undefined;
}>;
/** completedRoundID is null when there was nothing left to complete. */
type EndedRound = Outcome<{ completedRoundID: bigint | null; balance: Micros }>;

/**
 * A wallet says who the player is and what they have, and debits and credits a round. When a
 * function returns, round and money agree, or the wallet transaction is stored as
 * pending and recovery settles it.
 */
export type Wallet = {
  authenticate(session: BearerSession): Promise<Authentication>;
  balance(session: BearerSession): Promise<BalanceReading>;
  /** Opens the round and debits the bet. */
  openRound(session: BearerSession, bet: Bet): Promise<OpenedRound>;
  /** Refuses the bet, unless its key has opened a round before. It moves no money. */
  refuseBet(session: BearerSession, bet: RefusedBet): Promise<Outcome<{ roundID: bigint; balance: Micros }>>;
  /** Completes the open round and credits its payout. It is idempotent. */
  endRound(session: BearerSession): Promise<EndedRound>;
};

export type Wallets = { house: Wallet; seamless: Wallet };

import type { CurrencyCode } from './currencies.ts';
import type { ErrorCode } from './errors.ts';

/**
 * What crosses the wire, as plain types: a browser needs no schema library to know them. schemas.ts holds the same as
 * schemas, and does not compile when the two differ.
 */

/** What the player has (interface document, section 2 "Balance"). */
export type Balance = {
  /** Micros, within ±9,007,199,254,740,991: 1,000,000 is one unit. */
  amount: number;
  /** Display only: it never changes the play. */
  currency: CurrencyCode;
};

/** A way to bet (section 1 "Bet levels and bet modes"). */
export type BetMode = {
  /** Name, in upper case. */
  mode: string;
  /** Above zero. The debit is the base bet times this. */
  costMultiplier: number;
  /** A bought feature, which a jurisdiction may forbid. */
  feature: boolean;
};

/** What the place of play demands (section 2 "Jurisdiction object"). All twelve fields are always sent. */
export type Jurisdiction = {
  /** Social casino mode is on. */
  socialCasino: boolean;
  /** Fullscreen is restricted. */
  disabledFullscreen: boolean;
  /** Turbo play is restricted. */
  disabledTurbo: boolean;
  /** Super turbo play is restricted. */
  disabledSuperTurbo: boolean;
  /** Autoplay is restricted. */
  disabledAutoplay: boolean;
  /** Stopping the reels early is restricted. */
  disabledSlamstop: boolean;
  /** Starting a round with the space bar is restricted. */
  disabledSpacebar: boolean;
  /** Feature modes are refused with ERR_VAL. */
  disabledBuyFeature: boolean;
  /** The game shows what the player has won or lost. */
  displayNetPosition: boolean;
  /** The game shows its RTP. */
  displayRTP: boolean;
  /** The game shows how long the session has lasted. */
  displaySessionTimer: boolean;
  /** Milliseconds between two rounds, 0 to 3,600,000; 0 for none. A play that comes earlier is refused with ERR_VAL. */
  minimumRoundDuration: number;
};

/** How the game may be played (section 2 "Config"). */
export type BetConfig = {
  gameID: string;
  /** Smallest base bet, in micros, above zero. */
  minBet: number;
  /** Largest base bet, in micros, above zero. */
  maxBet: number;
  /** A base bet is divisible by this, in micros, above zero. */
  stepBet: number;
  /** The base bet to preselect, in micros, above zero. */
  defaultBetLevel: number;
  /** Recommended base bets in micros, ascending, the last at most maxBet. May be empty. */
  betLevels: number[];
  /** The bet modes by name. */
  betModes: Record<string, BetMode>;
  jurisdiction: Jurisdiction;
};

/** One round of a game (section 2 "Round", which leaves the fields open). */
export type Round = {
  /** Number of the round, zero or more; 0 in a preview. */
  betID: number;
  /** Base bet in micros, above zero, before the cost multiplier. */
  amount: number;
  /** What the round pays, in micros, zero or more. */
  payout: number;
  /** The payout divided by the base bet, zero or more. For display: no amount is computed from it. */
  payoutMultiplier: number;
  /** Above zero. The debit was the base bet times this. */
  costMultiplier: number;
  /** The round still has to be ended. */
  active: boolean;
  /** The bet mode, in upper case. */
  mode: string;
  /** The latest recorded event, or null. */
  event: string | null;
  /** The events of the published book, as they were published. */
  state: unknown[];
};

/** The round of a player who has not played this game yet. */
export type NoRound = Record<string, never>;

/** The body of every answer that is not a success (section 7). */
export type ErrorBody = {
  error: ErrorCode;
  /** Plain English for a log. Not for the player, and not to be parsed. */
  message: string;
};

/** Section 4 "POST /wallet/authenticate". */
export type AuthenticateRequest = {
  /** 1 to 256 characters, from the launch URL. It is a credential. */
  sessionID: string;
};
/** All that a game needs to start or to resume (section 4 "POST /wallet/authenticate"). */
export type AuthenticateResponse = {
  balance: Balance;
  config: BetConfig;
  /** The active round, else the last completed one, else an empty object. See {@link isRound}. */
  round: Round | NoRound;
  /** Always null. */
  meta: null;
};

/** Section 4 "POST /wallet/balance". */
export type BalanceRequest = {
  /** 1 to 256 characters. */
  sessionID: string;
};
/** The balance now (section 4 "POST /wallet/balance"). */
export type BalanceResponse = { balance: Balance };

/** Section 4 "POST /wallet/play". */
export type PlayRequest = {
  /** 1 to 256 characters. */
  sessionID: string;
  /** Base bet in micros, above zero. See `checkBet` for the rules. */
  amount: number;
  /** Name of a bet mode, 1 to 64 characters, in upper or lower case. */
  mode: string;
};
/** The new round, and the balance after the debit (section 4 "POST /wallet/play"). */
export type PlayResponse = { balance: Balance; round: Round };

/** Section 4 "POST /wallet/end-round". */
export type EndRoundRequest = {
  /** 1 to 256 characters. */
  sessionID: string;
};
/** The balance after the payout (section 4 "POST /wallet/end-round"). */
export type EndRoundResponse = { balance: Balance };

/** Section 4 "POST /bet/event". */
export type EventRequest = {
  /** 1 to 256 characters. */
  sessionID: string;
  /** What the player did, in the words of the game: 1 to 1024 characters. The server keeps it and does not read it. */
  event: string;
};
/** The event, as it was recorded (section 4 "POST /bet/event"). */
export type EventResponse = { event: string };

/** A published book, to be shown again. Beyond the interface document. */
export type ReplayResponse = {
  /** The payout divided by the base bet, zero or more. */
  payoutMultiplier: number;
  /** Above zero. */
  costMultiplier: number;
  /** The events of the book, as they were published. */
  state: unknown[];
};

/** Whether authenticate returned a round, and not the empty object of a player who has never played. */
export function isRound(round: Round | NoRound): round is Round {
  return 'betID' in round;
}

import type { Grant, RevealedSeed } from '@roundhouse/sdk';
import type { AutoplayLimits, AutoplayStop as LimitStop } from '@roundhouse/sdk/duties';
import type { Pace } from '@roundhouse/sdk/events';
import type { ModeName, SymbolCode } from '../../rules.ts';
import type { Point, SoundChannel, SymbolPlace } from './ports.ts';

export type { SoundChannel };

/**
 * loading → intro → idle ⇄ spinning → presenting → idle. `blocked` is final; a dialog says what to
 * do.
 */
export type Phase = 'loading' | 'intro' | 'idle' | 'spinning' | 'presenting' | 'blocked';

/** What the jurisdiction and the device allow. Every button depends on it. */
export type Permissions = {
  readonly turbo: boolean;
  readonly superTurbo: boolean;
  readonly autoplay: boolean;
  /** Autoplay needs a loss limit that the player has chosen. */
  readonly autoplayNeedsLossLimit: boolean;
  /** The most rounds of one autoplay; 0 for any number. */
  readonly autoplayMaximumRounds: number;
  readonly slamStop: boolean;
  readonly spaceBar: boolean;
  readonly buyFeature: boolean;
  readonly fullscreen: boolean;
  /** A payout of no more than the stake may have the effects of a win. */
  readonly lossCelebration: boolean;
  readonly showNetPosition: boolean;
  readonly showRtp: boolean;
  readonly showSessionTimer: boolean;
  /** The player's rounds can be listed. */
  readonly history: boolean;
};

export type PlayerPace = Exclude<Pace, 'instant'>;

export type FreeSpinsShown = {
  readonly spin: number;
  readonly totalSpins: number;
  readonly multiplier: number;
};

/** A symbol that the player has pressed, with its place on the screen. */
export type PayBubble = SymbolPlace & { readonly symbol: SymbolCode };

export type AutoplaySettings = Required<AutoplayLimits> & {
  readonly spins: number;
  readonly stopOnFreeSpins: boolean;
};

export type AutoplayRunning = AutoplaySettings & { readonly remaining: number };

/** What went wrong: one kind for each reaction of the player. */
export type FailureKind =
  | 'sessionOver'
  | 'otherGame'
  | 'otherTab'
  /** The player has left, and the link names no page to leave for. */
  | 'left'
  | 'insufficientFunds'
  | 'limitReached'
  | 'notAllowedHere'
  | 'noDemo'
  | 'maintenance'
  | 'serverFailure'
  | 'noNetwork'
  | 'badRequest'
  /** Another window or device has a round open. */
  | 'openElsewhere'
  | 'badLaunch'
  | 'replayNotFound'
  | 'noWebGl';

/**
 * What the button does. `again` retries, `close` closes the dialog, and so does `resume`, after
 * which the open round goes on. `reload` reloads the page, and so does `playHere`, which takes the
 * session back. With `none` there is no button, because only the lobby helps.
 */
export type FailureRemedy = 'again' | 'close' | 'resume' | 'reload' | 'playHere' | 'none';

export type Dialog =
  | { readonly kind: 'bet' }
  | { readonly kind: 'autoplay' }
  | { readonly kind: 'autoplayConfirm'; readonly settings: AutoplaySettings }
  | { readonly kind: 'buy'; readonly mode: ModeName; readonly costMicros: number }
  | { readonly kind: 'info' }
  | { readonly kind: 'menu' }
  | { readonly kind: 'fairness' }
  /** `back`: the dialog that returns when it is closed. */
  | { readonly kind: 'history'; readonly back?: Dialog }
  | { readonly kind: 'leave'; readonly to: LeaveTarget }
  /** `freeRounds` offers a grant, or says what is left of it. */
  | { readonly kind: 'freeRounds' | 'freeRoundsDecline' | 'freeRoundsEnded'; readonly grant: Grant }
  | ({ readonly kind: 'realityCheck' } & SessionSums)
  | { readonly kind: 'notice'; readonly reason: 'autoplayStopped'; readonly why: AutoplayStop }
  | {
      readonly kind: 'failure';
      readonly failure: FailureKind;
      readonly remedy: FailureRemedy;
      /** Names the failed request for support, when there is one. */
      readonly requestId: string | undefined;
      /** The mode that costs too much, when insufficientFunds is known without a request. */
      readonly mode?: ModeName;
    };

/** A page that replaces the game. */
export type LeaveTarget = 'returnURL' | 'cashierURL';

/** Counts what the player has done since the session began. */
export type SessionSums = {
  readonly elapsedMs: number;
  readonly stakedMicros: number;
  readonly paidMicros: number;
  /** Payouts minus stakes. */
  readonly netMicros: number;
};

export type AutoplayStop = LimitStop | 'freeSpins';

export type ReplayInfo = {
  readonly mode: string;
  readonly betMicros: number;
  readonly costMicros: number;
  readonly book: string;
  readonly state: 'ready' | 'playing' | 'ended';
  /** It was a free round: the operator paid the bet. */
  readonly isFree: boolean;
  /** A round of the history, and the game waits behind it. */
  readonly canLeave: boolean;
};

/** Amounts are micros. */
export type HistoryLine = {
  readonly betID: number;
  /** The name of the mode in upper case. */
  readonly mode: string;
  /** Milliseconds since 1970, as Date.now() returns them. */
  readonly startedAtMs: number;
  /** The balance just before the bet; undefined when it is not known. */
  readonly balanceBeforeMicros: number | undefined;
  readonly stakeMicros: number;
  readonly payoutMicros: number;
  /** A void round has 0. */
  readonly netMicros: number;
  readonly state: 'completed' | 'open' | 'void';
  readonly canReplay: boolean;
  /** The operator has paid the bet. */
  readonly isFree: boolean;
  /**
   * Says of a provably fair draw whether its server seed is revealed, so that the whole draw can be
   * checked. It is undefined for the certified generator, and while the round is open.
   */
  readonly fair: 'revealed' | 'hidden' | undefined;
};

/** What the fairness dialog does and shows beside the seeds in use. */
export type FairTools = {
  /**
   * `changed`: the player's seed is a new one. `revealed`: the server seed was just revealed.
   * `failed`: the rounds could not be loaded.
   */
  readonly state: 'idle' | 'busy' | 'changed' | 'revealed' | 'failed';
  /** The server seed that was revealed last. */
  readonly revealed?: RevealedSeed | undefined;
  /** The last round, when it is over and its draw can be checked. */
  readonly lastRound?: { readonly betID: number; readonly serverSeedHash: string } | undefined;
};

/** The proof of a round is in the address of the verifier. */
export type RoundCheck = { readonly state: 'loading' | 'failed' } | { readonly state: 'ready'; readonly url: string };

/** `more`: there are older rounds; `complete`: these are all. */
export type HistoryShown = {
  readonly lines: readonly HistoryLine[];
  readonly state: 'loading' | 'more' | 'complete' | 'failed';
};

/** The player's actions. An action that is not allowed now does nothing. */
export type GameActions = {
  /** Leads from the intro into the game, or into the open round. */
  enter(): void;
  spin(): void;
  /** Stops the reels, or skips what is being shown. */
  stop(): void;
  /** Spin or stop, whichever the big button does now. */
  spinOrStop(): void;
  /**
   * A press on the picture, or undefined for one elsewhere: shows what the symbol pays while
   * nothing moves. The same symbol again, or anything else, closes it.
   */
  pressPicture(point: Point | undefined): void;
  raiseBet(): void;
  lowerBet(): void;
  setBet(betMicros: number): void;
  setAnte(on: boolean): void;
  cyclePace(): void;
  toggleMuted(): void;
  /** Takes whole percents, 0 to 100. Sound that is muted is heard again. */
  setVolume(channel: SoundChannel, percent: number): void;
  setLeftHanded(on: boolean): void;
  setBatterySaver(on: boolean): void;
  toggleFullscreen(): void;
  /**
   * Leaves for a page of the operator. While a round runs, a dialog asks first.
   */
  leaveTo(target: LeaveTarget): void;
  /** The player has seen the reality check and plays on. */
  acknowledge(): void;
  openDialog(kind: 'bet' | 'autoplay' | 'buy' | 'info' | 'menu' | 'history' | 'fairness'): void;
  closeDialog(): void;
  askAutoplay(settings: AutoplaySettings): void;
  startAutoplay(settings: AutoplaySettings): void;
  stopAutoplay(): void;
  /** The player has confirmed it in the dialog. */
  buyFeature(): void;
  /** Does the remedy of the failure dialog. */
  remedy(): void;
  /** Closes the dialog that says what costs too much, and sets the highest bet that does not. */
  takeAffordableBet(): void;
  /** Shows what is left of the free rounds, or the offer that was kept for later. */
  openFreeRounds(): void;
  acceptFreeRounds(): void;
  /** Closes the offer and keeps the grant for later. */
  keepFreeRounds(): void;
  /** A dialog asks before the free rounds are declined. */
  askDeclineFreeRounds(): void;
  declineFreeRounds(): void;
  /** The player has read how the free rounds have ended. */
  closeFreeRoundsEnd(): void;
  startReplay(): void;
  /** Leaves the replay of a round of the history, back to the game as it was. */
  leaveReplay(): void;
  /** Loads the next page of the history, or the one that could not be loaded. */
  moreHistory(): void;
  /** Replays a round of the history. */
  replayRound(betID: number): void;
  /** Takes this client seed from the next round on. */
  changeSeed(clientSeed: string): void;
  /** Reveals the server seed. The next one takes over, with this client seed. */
  revealSeed(clientSeed: string): void;
  /** Opens the verifier with the proof of a round. */
  checkRound(betID: number): void;
  /** Saves all rounds of the revealed server seed as a file. */
  saveRounds(): void;
};

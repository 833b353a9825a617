import type { ReadonlySignal } from '@preact/signals-core';
import type { BetConfig, CurrencyCode, Device, Fairness, Grant, Language, RevealedSeed } from '@roundhouse/sdk';
import type { Pace } from '@roundhouse/sdk/events';
import type { ModeName, SymbolCode } from '../../rules.ts';
import type { Pages } from './launch.ts';
import type { Point, SoundChannel, SymbolPlace, Volumes } from './ports.ts';

export type { SoundChannel };

/**
 * loading → intro → idle ⇄ spinning → presenting → idle. `blocked` is final; a dialog says what to
 * do.
 */
export type Phase = 'loading' | 'intro' | 'idle' | 'spinning' | 'presenting' | 'blocked';

/** The jurisdiction and the device allow these. Every button depends on them. */
export type Permissions = {
  readonly turbo: boolean;
  readonly superTurbo: boolean;
  readonly autoplay: boolean;
  /** Autoplay needs a loss limit that the player has chosen. */
  readonly autoplayNeedsLossLimit: boolean;
  /** The largest number of rounds in one autoplay; 0 for any number. */
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
  /** The player's own rounds can be listed. */
  readonly history: boolean;
};

export type PlayerPace = Exclude<Pace, 'instant'>;

export type FreeSpinsShown = {
  readonly spin: number;
  readonly totalSpins: number;
  readonly multiplier: number;
};

/** Is a symbol that the player has pressed, with its place on the screen. */
export type PayBubble = SymbolPlace & { readonly symbol: SymbolCode };

export type AutoplaySettings = {
  readonly spins: number;
  /** Autoplay stops when the balance has fallen by this number of micros; undefined: no limit. */
  readonly lossLimitMicros: number | undefined;
  /** Autoplay stops after a round that pays this number of micros or more; undefined: no limit. */
  readonly singleWinLimitMicros: number | undefined;
  readonly stopOnFreeSpins: boolean;
};

export type AutoplayRunning = AutoplaySettings & { readonly remaining: number };

/** Says what went wrong: one kind for each reaction of the player. */
export type FailureKind =
  | 'sessionOver'
  | 'otherGame'
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
  | 'badLaunch'
  | 'replayNotFound'
  | 'noWebGl';

/**
 * Says what the button does. `again` retries, `close` closes the dialog, `reload` reloads the page.
 * With `none` there is no button, because only the lobby helps.
 */
export type FailureRemedy = 'again' | 'close' | 'reload' | 'none';

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
      /** It is the mode that costs too much, when insufficientFunds is known without a request. */
      readonly mode?: ModeName;
    };

/** Is a page that replaces the game. */
export type LeaveTarget = 'returnURL' | 'cashierURL';

/** Counts what the player has done since the session began. */
export type SessionSums = {
  readonly elapsedMs: number;
  readonly stakedMicros: number;
  readonly paidMicros: number;
  /** Is payouts minus stakes. */
  readonly netMicros: number;
};

export type AutoplayStop = 'lossLimit' | 'singleWinLimit' | 'freeSpins';

export type ReplayInfo = {
  readonly mode: string;
  readonly betMicros: number;
  readonly costMicros: number;
  readonly book: string;
  readonly state: 'ready' | 'playing' | 'ended';
  /** It was a free round: the operator paid the bet. */
  readonly isFree: boolean;
  /** It is a round of the history, and the game waits behind it. */
  readonly canLeave: boolean;
};

/** Is a round of the player's own. Amounts are micros. */
export type HistoryLine = {
  readonly betID: number;
  /** Is in upper case. */
  readonly mode: string;
  /** Counts as Date.now() does. */
  readonly startedAtMs: number;
  /** It is the balance just before the bet; undefined when it is not known. */
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
   * Of a provably fair draw: whether its server seed is revealed, so that all of it can be checked;
   * undefined for a draw of the certified generator, and while the round is open.
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

/** Has everything that the screen shows, as signals. Only the game writes them. */
export type GameModel = {
  readonly phase: ReadonlySignal<Phase>;
  /** Goes from 0 to 1 while the game loads. */
  readonly progress: ReadonlySignal<number>;
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  readonly device: Device;
  readonly pages: Pages;
  /** It says whether the balance is play money. */
  readonly isFunMode: boolean;
  readonly currency: ReadonlySignal<CurrencyCode>;
  /** The words leave out "bet", "buy", "cash" and the like. */
  readonly social: ReadonlySignal<boolean>;
  readonly permissions: ReadonlySignal<Permissions>;
  readonly config: ReadonlySignal<BetConfig | undefined>;
  /** The balance to show now. A payout is added after its round has been shown. */
  readonly balanceMicros: ReadonlySignal<number | undefined>;
  readonly betMicros: ReadonlySignal<number>;
  /** It is BASE or ANTE, and the spin button plays it. */
  readonly mode: ReadonlySignal<ModeName>;
  /** The spin button costs this: bet × cost of the mode. */
  readonly stakeMicros: ReadonlySignal<number>;
  /** It is what the round on screen has paid so far; it counts up. */
  readonly winMicros: ReadonlySignal<number>;
  readonly freeSpins: ReadonlySignal<FreeSpinsShown | undefined>;
  /** The game shows the pays of this symbol beside it. */
  readonly payBubble: ReadonlySignal<PayBubble | undefined>;
  readonly pace: ReadonlySignal<PlayerPace>;
  readonly autoplay: ReadonlySignal<AutoplayRunning | undefined>;
  readonly dialog: ReadonlySignal<Dialog | undefined>;
  readonly muted: ReadonlySignal<boolean>;
  readonly volumes: ReadonlySignal<Volumes>;
  /** The spin button is for the left thumb. Without a choice it is where lines of text end. */
  readonly leftHanded: ReadonlySignal<boolean>;
  /** The player wants at most 30 frames a second. */
  readonly batterySaver: ReadonlySignal<boolean>;
  readonly fullscreen: ReadonlySignal<boolean>;
  /** Is payouts minus stakes of this session. */
  readonly netPositionMicros: ReadonlySignal<number>;
  readonly sessionElapsedMs: ReadonlySignal<number>;
  /** The spin button starts a round now. */
  readonly canSpin: ReadonlySignal<boolean>;
  /** The spin button stops the reels or skips what is shown. */
  readonly canStop: ReadonlySignal<boolean>;
  /** The balance covers at most this bet; a dialog about a bet that costs too much shows it. */
  readonly affordableBetMicros: ReadonlySignal<number | undefined>;
  readonly canRaiseBet: ReadonlySignal<boolean>;
  readonly canLowerBet: ReadonlySignal<boolean>;
  /** False during an autoplay, and while free rounds are played: their bet is fixed. */
  readonly canChangeBet: ReadonlySignal<boolean>;
  /** The player may start an autoplay. It can be one of free rounds. */
  readonly canStartAutoplay: ReadonlySignal<boolean>;
  /** The next round is a free one of this grant. */
  readonly grant: ReadonlySignal<Grant | undefined>;
  /** The player keeps this grant for later. */
  readonly laterGrant: ReadonlySignal<Grant | undefined>;
  /** A decision about free rounds is on its way. */
  readonly deciding: ReadonlySignal<boolean>;
  /** The connection is lost; the client retries. */
  readonly reconnecting: ReadonlySignal<boolean>;
  /** Tells screen readers what has just happened, in the player's language. */
  readonly announcement: ReadonlySignal<string>;
  /** Tells screen readers the board, reel by reel. */
  readonly boardText: ReadonlySignal<string>;
  readonly replay: ReadonlySignal<ReplayInfo | undefined>;
  /** The history dialog shows this list. */
  readonly history: ReadonlySignal<HistoryShown | undefined>;
  /** While the intro is shown: a round is open and continues when the player enters. */
  readonly openRound: ReadonlySignal<boolean>;
  /** The seeds of the next draw; undefined when the certified generator draws. */
  readonly fairness: ReadonlySignal<Fairness | undefined>;
  /** Why the seeds cannot be changed now; undefined when they can. */
  readonly seedsLock: ReadonlySignal<'round' | 'autoplay' | undefined>;
  readonly fairTools: ReadonlySignal<FairTools>;
  /** The rounds whose check was asked for in the open dialog, by betID. */
  readonly checks: ReadonlySignal<ReadonlyMap<number, RoundCheck>>;
  /** The verifier page of the server. */
  readonly verifierURL: string;
};

/** The player can do these. An action that is not allowed now does nothing. */
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
   * Leads to a page of the operator. While a round runs a dialog asks first, and its button does
   * it.
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
  /** Leads from the replay of a round of the history back to the game as it was. */
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

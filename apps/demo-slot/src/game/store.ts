import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { BetConfig, CurrencyCode, Fairness, Grant } from '@roundhouse/sdk';
import type { GrantsState } from '@roundhouse/sdk/grants';
import type { LineWin, ModeName } from '../../rules.ts';
import type {
  AutoplayRunning,
  Dialog,
  FairTools,
  FreeSpinsShown,
  HistoryShown,
  PayBubble,
  Phase,
  PlayerPace,
  ReplayInfo,
  RoundCheck,
} from './model.ts';
import type { Volumes } from './ports.ts';

/** The spin button can cut this short now. */
export type MovingStep = 'reels' | 'show';

type PaidLine = { readonly win: LineWin; readonly amount: string };

const NO_GRANTS: GrantsState = { current: undefined, offer: undefined, later: [], ended: undefined };

/** Makes the signals that the screen reads as they are. The model adds what is derived. */
export function createShown({ currency }: { currency: CurrencyCode }) {
  return {
    phase: signal<Phase>('loading'),
    /** Goes from 0 to 1 while the game loads. */
    progress: signal(0),
    currency: signal(currency),
    config: signal<BetConfig | undefined>(undefined),
    /** The balance to show now. A payout is added after its round has been shown. */
    balanceMicros: signal<number | undefined>(undefined),
    betMicros: signal(0),
    /** The mode that the spin button plays: BASE or ANTE. */
    mode: signal<ModeName>('BASE'),
    /** What the round on the screen has paid so far. It counts up. */
    winMicros: signal(0),
    freeSpins: signal<FreeSpinsShown | undefined>(undefined),
    /** The game shows the pays of this symbol beside it. */
    payBubble: signal<PayBubble | undefined>(undefined),
    autoplay: signal<AutoplayRunning | undefined>(undefined),
    dialog: signal<Dialog | undefined>(undefined),
    muted: signal(false),
    volumes: signal<Volumes>({ music: 100, effects: 100 }),
    /** The player wants at most 30 frames a second. */
    batterySaver: signal(false),
    fullscreen: signal(false),
    /** The payouts of this session minus its stakes. */
    netPositionMicros: signal(0),
    sessionElapsedMs: signal(0),
    /** The next round is a free one of this grant. It does not change while a round is shown. */
    grant: signal<Grant | undefined>(undefined),
    /** The server has not responded to a decision about free rounds yet. */
    deciding: signal(false),
    /** Tells screen readers what has just happened, in the player's language. */
    announcement: signal(''),
    /** Tells screen readers the board, reel by reel. */
    boardText: signal(''),
    replay: signal<ReplayInfo | undefined>(undefined),
    /** The list of the history dialog. */
    history: signal<HistoryShown | undefined>(undefined),
    /** While the intro is shown: a round is open and continues when the player enters. */
    openRound: signal(false),
    /** The seeds of the next draw; undefined when the certified generator draws. */
    fairness: signal<Fairness | undefined>(undefined),
    fairTools: signal<FairTools>({ state: 'idle' }),
    /** The rounds whose check was asked for in the open dialog, by betID. */
    checks: signal<ReadonlyMap<number, RoundCheck>>(new Map()),
  };
}

/** Makes the signals that only the game reads. */
function createHidden() {
  return {
    /** What all rounds of this session have cost. */
    stakedMicros: signal(0),
    /** The client would take a play now. */
    clientReady: signal(false),
    /** The jurisdiction's pause between two rounds is not over. */
    tooEarly: signal(false),
    /** The lines that pay on the board on the screen, with what each pays. */
    lines: signal<readonly PaidLine[] | undefined>(undefined),
    moving: signal<MovingStep | undefined>(undefined),
    /** The player's choice. The jurisdiction may allow less. */
    wantedPace: signal<PlayerPace>('normal'),
    /** The player's choice; undefined follows the direction of the language. */
    wantedLeftHanded: signal<boolean | undefined>(undefined),
    /** The browser says that there is no network. */
    offline: signal(false),
    /** After a failure the client is authenticating again. */
    recovering: signal(false),
    /** Free rounds, as the SDK follows them. */
    grants: signal(NO_GRANTS),
  };
}

export type Shown = Readonly<ReturnType<typeof createShown>>;

/** All state of the game that is not derived. */
export type Store = Shown & Readonly<ReturnType<typeof createHidden>>;

export function createStore(shown: Shown): Store {
  return { ...shown, ...createHidden() };
}

/** The same signals for those who must not write them. */
export type ReadOnly<Signals> = {
  readonly [Name in keyof Signals]: Signals[Name] extends Signal<infer Value> ? ReadonlySignal<Value> : never;
};

/** Resolves when the condition is true. */
export function until(condition: ReadonlySignal<boolean>): Promise<void> {
  return new Promise((resolve) => {
    let unsubscribe: (() => void) | undefined;
    unsubscribe = condition.subscribe((isTrue) => {
      if (!isTrue) return;
      resolve();
      // At the first call `subscribe` has not returned yet.
      unsubscribe?.();
    });
    if (condition.peek()) unsubscribe();
  });
}

import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { BetConfig, CurrencyCode } from '@roundhouse/sdk';
import type { ModeName } from '../../rules.ts';
import type { AutoplayRunning, Dialog, FreeSpinsShown, GameModel, Phase, PlayerPace, ReplayFacts } from './model.ts';

/** What the big button would cut short: turning reels or another step. */
export type MovingStep = 'reels' | 'show';

/** All state of the game that is not derived. {@link GameModel} adds the derived state. */
export type Store = {
  readonly phase: Signal<Phase>;
  readonly progress: Signal<number>;
  readonly currency: Signal<CurrencyCode>;
  readonly config: Signal<BetConfig | undefined>;
  readonly balanceMicros: Signal<number | undefined>;
  readonly netPositionMicros: Signal<number>;
  /** The client would take a play now. */
  readonly clientReady: Signal<boolean>;
  /** The jurisdiction's pause between two rounds is not over. */
  readonly tooEarly: Signal<boolean>;
  readonly betMicros: Signal<number>;
  readonly mode: Signal<ModeName>;
  readonly winMicros: Signal<number>;
  readonly freeSpins: Signal<FreeSpinsShown | undefined>;
  readonly moving: Signal<MovingStep | undefined>;
  /** The player's choice. The jurisdiction may allow less. */
  readonly wantedPace: Signal<PlayerPace>;
  readonly autoplay: Signal<AutoplayRunning | undefined>;
  readonly dialog: Signal<Dialog | undefined>;
  readonly muted: Signal<boolean>;
  readonly fullscreen: Signal<boolean>;
  readonly sessionElapsedMs: Signal<number>;
  /** The browser says that there is no network. */
  readonly offline: Signal<boolean>;
  /** After a failure the client is authenticating again. */
  readonly recovering: Signal<boolean>;
  readonly announcement: Signal<string>;
  readonly boardText: Signal<string>;
  readonly replay: Signal<ReplayFacts | undefined>;
  readonly openRound: Signal<boolean>;
};

export function createStore({ currency }: { currency: CurrencyCode }): Store {
  return {
    phase: signal<Phase>('loading'),
    progress: signal(0),
    currency: signal(currency),
    config: signal<BetConfig | undefined>(undefined),
    balanceMicros: signal<number | undefined>(undefined),
    netPositionMicros: signal(0),
    clientReady: signal(false),
    tooEarly: signal(false),
    betMicros: signal(0),
    mode: signal<ModeName>('BASE'),
    winMicros: signal(0),
    freeSpins: signal<FreeSpinsShown | undefined>(undefined),
    moving: signal<MovingStep | undefined>(undefined),
    wantedPace: signal<PlayerPace>('normal'),
    autoplay: signal<AutoplayRunning | undefined>(undefined),
    dialog: signal<Dialog | undefined>(undefined),
    muted: signal(false),
    fullscreen: signal(false),
    sessionElapsedMs: signal(0),
    offline: signal(false),
    recovering: signal(false),
    announcement: signal(''),
    boardText: signal(''),
    replay: signal<ReplayFacts | undefined>(undefined),
    openRound: signal(false),
  };
}

/** Resolves when the condition is true. */
export function until(fact: ReadonlySignal<boolean>): Promise<void> {
  return new Promise((resolve) => {
    let unsubscribe: (() => void) | undefined;
    unsubscribe = fact.subscribe((isTrue) => {
      if (!isTrue) return;
      resolve();
      // At the first call `subscribe` has not returned yet.
      unsubscribe?.();
    });
    if (fact.peek()) unsubscribe();
  });
}

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import {
  type BetConfig,
  betLevelsOf,
  type CurrencyCode,
  type Fairness,
  type Grant,
  isSocial,
  LANGUAGES,
} from '@roundhouse/sdk';
import type { GrantsState } from '@roundhouse/sdk/grants';
import type { LineWin, ModeName } from '../../rules.ts';
import type { LaunchSettings } from './launch.ts';
import type {
  AutoplayRunning,
  Dialog,
  FairTools,
  FreeSpinsShown,
  GameModel,
  HistoryShown,
  PayBubble,
  Phase,
  PlayerPace,
  ReplayInfo,
  RoundCheck,
} from './model.ts';
import { affordableBet, costOf } from './money.ts';
import { allowedPace, permissionsOf } from './permissions.ts';
import type { Page, Volumes } from './ports.ts';

/** The spin button can cut this short now. */
export type MovingStep = 'reels' | 'show';

type PaidLine = { readonly win: LineWin; readonly amount: string };

/** Holds all state of the game that is not derived. {@link GameModel} adds the derived state. */
export type Store = {
  readonly phase: Signal<Phase>;
  readonly progress: Signal<number>;
  readonly currency: Signal<CurrencyCode>;
  readonly config: Signal<BetConfig | undefined>;
  readonly balanceMicros: Signal<number | undefined>;
  readonly netPositionMicros: Signal<number>;
  /** All rounds that were begun here have cost this. */
  readonly stakedMicros: Signal<number>;
  /** The client would take a play now. */
  readonly clientReady: Signal<boolean>;
  /** The jurisdiction's pause between two rounds is not over. */
  readonly tooEarly: Signal<boolean>;
  readonly betMicros: Signal<number>;
  readonly mode: Signal<ModeName>;
  readonly winMicros: Signal<number>;
  readonly freeSpins: Signal<FreeSpinsShown | undefined>;
  /** These lines pay on the board on the screen, with what each pays. */
  readonly lines: Signal<readonly PaidLine[] | undefined>;
  readonly payBubble: Signal<PayBubble | undefined>;
  readonly moving: Signal<MovingStep | undefined>;
  /** The player chose it. The jurisdiction may allow less. */
  readonly wantedPace: Signal<PlayerPace>;
  readonly autoplay: Signal<AutoplayRunning | undefined>;
  readonly dialog: Signal<Dialog | undefined>;
  readonly muted: Signal<boolean>;
  readonly volumes: Signal<Volumes>;
  /** The player chose it; undefined means as the language is written. */
  readonly wantedLeftHanded: Signal<boolean | undefined>;
  readonly batterySaver: Signal<boolean>;
  readonly fullscreen: Signal<boolean>;
  readonly sessionElapsedMs: Signal<number>;
  /** The browser says that there is no network. */
  readonly offline: Signal<boolean>;
  /** After a failure the client is authenticating again. */
  readonly recovering: Signal<boolean>;
  readonly announcement: Signal<string>;
  readonly boardText: Signal<string>;
  readonly replay: Signal<ReplayInfo | undefined>;
  readonly history: Signal<HistoryShown | undefined>;
  readonly openRound: Signal<boolean>;
  /** Are the free rounds as the SDK follows them. */
  readonly grants: Signal<GrantsState>;
  /** Is the grant that the bet is fixed for. It does not change while a round is on the screen. */
  readonly grant: Signal<Grant | undefined>;
  /** The server is being asked for a decision about free rounds. */
  readonly deciding: Signal<boolean>;
  /** Are the seeds as the client follows them. */
  readonly fairness: Signal<Fairness | undefined>;
  readonly fairTools: Signal<FairTools>;
  readonly checks: Signal<ReadonlyMap<number, RoundCheck>>;
};

const NO_GRANTS: GrantsState = { current: undefined, offer: undefined, later: [], ended: undefined };

export function createStore({ currency }: { currency: CurrencyCode }): Store {
  return {
    phase: signal<Phase>('loading'),
    progress: signal(0),
    currency: signal(currency),
    config: signal<BetConfig | undefined>(undefined),
    balanceMicros: signal<number | undefined>(undefined),
    netPositionMicros: signal(0),
    stakedMicros: signal(0),
    clientReady: signal(false),
    tooEarly: signal(false),
    betMicros: signal(0),
    mode: signal<ModeName>('BASE'),
    winMicros: signal(0),
    freeSpins: signal<FreeSpinsShown | undefined>(undefined),
    lines: signal<readonly PaidLine[] | undefined>(undefined),
    payBubble: signal<PayBubble | undefined>(undefined),
    moving: signal<MovingStep | undefined>(undefined),
    wantedPace: signal<PlayerPace>('normal'),
    autoplay: signal<AutoplayRunning | undefined>(undefined),
    dialog: signal<Dialog | undefined>(undefined),
    muted: signal(false),
    volumes: signal<Volumes>({ music: 100, effects: 100 }),
    wantedLeftHanded: signal<boolean | undefined>(undefined),
    batterySaver: signal(false),
    fullscreen: signal(false),
    sessionElapsedMs: signal(0),
    offline: signal(false),
    recovering: signal(false),
    announcement: signal(''),
    boardText: signal(''),
    replay: signal<ReplayInfo | undefined>(undefined),
    history: signal<HistoryShown | undefined>(undefined),
    openRound: signal(false),
    grants: signal(NO_GRANTS),
    grant: signal<Grant | undefined>(undefined),
    deciding: signal(false),
    fairness: signal<Fairness | undefined>(undefined),
    fairTools: signal<FairTools>({ state: 'idle' }),
    checks: signal<ReadonlyMap<number, RoundCheck>>(new Map()),
  };
}

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

/** Has the model, and a signal for the game alone. */
export type Derived = {
  readonly model: GameModel;
  /** A round may begin now, whatever dialog is open. */
  readonly canPlay: ReadonlySignal<boolean>;
};

export function modelOf(store: Store, launch: LaunchSettings, page: Page): Derived {
  const { language, device, isReplay, isFunMode, pages } = launch;
  const { phase, config, currency, betMicros, autoplay, dialog, moving } = store;

  const permissions = computed(() =>
    permissionsOf({ config: config.value, isReplay, isFunMode, canFullscreen: page.canFullscreen }),
  );
  const isIdle = computed(() => phase.value === 'idle' && !isReplay && !store.replay.value);
  const canPlay = computed(() => {
    const isWaiting = store.tooEarly.value || store.recovering.value;
    return isIdle.value && store.clientReady.value && !isWaiting;
  });
  const canChoose = computed(() => {
    const isInFailure = dialog.value?.kind === 'failure';
    return isIdle.value && !autoplay.value && !isInFailure && config.value !== undefined;
  });
  const canChangeBet = computed(() => canChoose.value && !store.grant.value);
  const { direction } = LANGUAGES[language];
  const levels = computed(() => (config.value ? betLevelsOf(config.value) : []));

  const model: GameModel = {
    phase,
    progress: store.progress,
    language,
    direction,
    device,
    pages,
    isFunMode,
    currency,
    social: computed(() =>
      isSocial({ launch: { ...launch, currency: currency.value }, state: { config: config.value } }),
    ),
    permissions,
    config,
    balanceMicros: store.balanceMicros,
    betMicros,
    mode: store.mode,
    stakeMicros: computed(
      () => costOf(config.value, { betMicros: betMicros.value, mode: store.mode.value }) ?? betMicros.value,
    ),
    winMicros: store.winMicros,
    freeSpins: store.freeSpins,
    payBubble: store.payBubble,
    pace: computed(() => allowedPace(store.wantedPace.value, permissions.value)),
    autoplay,
    dialog,
    muted: store.muted,
    volumes: store.volumes,
    leftHanded: computed(() => store.wantedLeftHanded.value ?? direction === 'rtl'),
    batterySaver: store.batterySaver,
    fullscreen: store.fullscreen,
    netPositionMicros: store.netPositionMicros,
    sessionElapsedMs: store.sessionElapsedMs,
    canSpin: computed(() => canPlay.value && !autoplay.value && !dialog.value),
    canStop: computed(() => {
      if (phase.value !== 'spinning' && phase.value !== 'presenting') return false;
      // `disabledSlamstop` forbids stopping the reels early. The player may still skip the win.
      return moving.value === 'reels' ? permissions.value.slamStop : moving.value === 'show';
    }),
    affordableBetMicros: computed(() => {
      const open = dialog.value;
      if (open?.kind !== 'failure' || open.mode === undefined) return undefined;
      return affordableBet(config.value, { balanceMicros: store.balanceMicros.value ?? 0, mode: open.mode });
    }),
    canRaiseBet: computed(() => canChangeBet.value && levels.value.some((level) => level > betMicros.value)),
    canLowerBet: computed(() => canChangeBet.value && levels.value.some((level) => level < betMicros.value)),
    canChangeBet,
    canStartAutoplay: canChoose,
    grant: store.grant,
    laterGrant: computed(() => store.grants.value.later[0]),
    deciding: store.deciding,
    reconnecting: computed(() => store.offline.value || store.recovering.value),
    announcement: store.announcement,
    boardText: store.boardText,
    replay: store.replay,
    history: store.history,
    openRound: store.openRound,
    fairness: store.fairness,
    seedsLock: computed(() => {
      if (autoplay.value) return 'autoplay';
      return phase.value === 'idle' && store.clientReady.value ? undefined : 'round';
    }),
    fairTools: store.fairTools,
    checks: store.checks,
    verifierURL: launch.verifierURL,
  };
  return { model, canPlay };
}

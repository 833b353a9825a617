import { computed, type ReadonlySignal } from '@preact/signals-core';
import { betLevelsOf, LANGUAGES } from '@roundhouse/sdk';
import { costOf } from './bets/betChoice.ts';
import type { LaunchFacts } from './launch.ts';
import type { GameModel } from './model.ts';
import type { Page } from './page.ts';
import { allowedPace, isSocial, permissionsOf } from './permissions.ts';
import type { Store } from './store.ts';

/** The model, and what only the game uses. */
export type Derived = {
  readonly model: GameModel;
  /** A round may begin now, whatever dialog is open. */
  readonly canPlay: ReadonlySignal<boolean>;
};

export function modelOf(store: Store, launch: LaunchFacts, page: Page): Derived {
  const { language, device, isReplay } = launch;
  const { phase, config, currency, betMicros, autoplay, dialog, moving } = store;

  const permissions = computed(() =>
    permissionsOf({ config: config.value, isReplay, canFullscreen: page.canFullscreen }),
  );
  const isIdle = computed(() => phase.value === 'idle' && !isReplay);
  const canPlay = computed(() => {
    const isWaiting = store.tooEarly.value || store.recovering.value;
    return isIdle.value && store.clientReady.value && !isWaiting;
  });
  const canChangeBet = computed(() => {
    const isInFailure = dialog.value?.kind === 'failure';
    return isIdle.value && !autoplay.value && !isInFailure && config.value !== undefined;
  });
  const levels = computed(() => (config.value ? betLevelsOf(config.value) : []));

  const model: GameModel = {
    phase,
    progress: store.progress,
    language,
    direction: LANGUAGES[language].direction,
    device,
    currency,
    social: computed(() => isSocial({ config: config.value, launchedSocial: launch.social, currency: currency.value })),
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
    pace: computed(() => allowedPace(store.wantedPace.value, permissions.value)),
    autoplay,
    dialog,
    muted: store.muted,
    fullscreen: store.fullscreen,
    netPositionMicros: store.netPositionMicros,
    sessionElapsedMs: store.sessionElapsedMs,
    canSpin: computed(() => canPlay.value && !autoplay.value && !dialog.value),
    canStop: computed(() => {
      if (phase.value !== 'spinning' && phase.value !== 'presenting') return false;
      // `disabledSlamstop` forbids stopping the reels early. The player may still skip the win.
      return moving.value === 'reels' ? permissions.value.slamStop : moving.value === 'show';
    }),
    canRaiseBet: computed(() => canChangeBet.value && levels.value.some((level) => level > betMicros.value)),
    canLowerBet: computed(() => canChangeBet.value && levels.value.some((level) => level < betMicros.value)),
    canChangeBet,
    reconnecting: computed(() => store.offline.value || store.recovering.value),
    announcement: store.announcement,
    boardText: store.boardText,
    replay: store.replay,
    openRound: store.openRound,
  };
  return { model, canPlay };
}

import { computed } from '@preact/signals-core';
import { betLevelsOf, isSocial, LANGUAGES } from '@roundhouse/sdk';
import type { LaunchSettings } from './launch.ts';
import { affordableBet, costOf } from './money.ts';
import { allowedPace, permissionsOf } from './permissions.ts';
import type { Page } from './ports.ts';
import type { ReadOnly, Shown, Store } from './store.ts';

type Derived = Readonly<ReturnType<typeof derive>>;

/** Everything that the screen shows, as signals. Only the game writes them. */
export type GameModel = ReadOnly<Shown> & Readonly<Derived['model']>;

/** A round may begin now, whatever dialog is open. The screen does not read it. */
export type CanPlay = Derived['canPlay'];

type Sources = { readonly shown: Shown; readonly store: Store; readonly launch: LaunchSettings; readonly page: Page };

export function createModel({ shown, ...sources }: Sources): { model: GameModel; canPlay: CanPlay } {
  const { model, canPlay } = derive(sources);
  return { model: { ...shown, ...model }, canPlay };
}

function derive({ store, launch, page }: Omit<Sources, 'shown'>) {
  const { language, device, isReplay, isFunMode, pages, verifierURL } = launch;
  const { phase, config, currency, betMicros, mode, autoplay, dialog, moving } = store;
  const { direction } = LANGUAGES[language];

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
  const levels = computed(() => (config.value ? betLevelsOf(config.value) : []));

  const model = {
    language,
    direction,
    device,
    pages,
    /** The balance is play money. */
    isFunMode,
    /** The words leave out "bet", "buy", "cash" and the like. */
    social: computed(() =>
      isSocial({ launch: { ...launch, currency: currency.value }, state: { config: config.value } }),
    ),
    permissions,
    /** What the spin button costs: bet × cost of the mode. */
    stakeMicros: computed(() => {
      const costMicros = costOf(config.value, { betMicros: betMicros.value, mode: mode.value });
      return costMicros ?? betMicros.value;
    }),
    pace: computed(() => allowedPace(store.wantedPace.value, permissions.value)),
    /** The spin button is for the left thumb. Without a choice it is where lines of text end. */
    leftHanded: computed(() => store.wantedLeftHanded.value ?? direction === 'rtl'),
    /** The spin button starts a round now. */
    canSpin: computed(() => canPlay.value && !autoplay.value && !dialog.value),
    /** The spin button stops the reels or skips what is shown. */
    canStop: computed(() => {
      if (phase.value !== 'spinning' && phase.value !== 'presenting') return false;
      // `disabledSlamstop` forbids stopping the reels early. The player may still skip the win.
      if (moving.value === 'show') return true;
      // Between two free spins nothing moves for a moment, in which the button must not flicker.
      return permissions.value.slamStop && (moving.value === 'reels' || store.freeSpins.value !== undefined);
    }),
    /** The highest bet that the balance covers, in a dialog about a bet that costs too much. */
    affordableBetMicros: computed(() => {
      const open = dialog.value;
      if (open?.kind !== 'failure' || open.mode === undefined) return undefined;
      return affordableBet(config.value, { balanceMicros: store.balanceMicros.value ?? 0, mode: open.mode });
    }),
    canRaiseBet: computed(() => canChangeBet.value && levels.value.some((level) => level > betMicros.value)),
    canLowerBet: computed(() => canChangeBet.value && levels.value.some((level) => level < betMicros.value)),
    /** False during an autoplay, and while free rounds are played: their bet is fixed. */
    canChangeBet,
    /** An autoplay can be one of free rounds. */
    canStartAutoplay: canChoose,
    /** The player keeps this grant for later. */
    laterGrant: computed(() => store.grants.value.later[0]),
    /** The connection is lost; the client retries. */
    reconnecting: computed(() => store.offline.value || store.recovering.value),
    /** Why the seeds cannot be changed now; undefined when they can. */
    seedsLock: computed(() => {
      if (autoplay.value) return 'autoplay';
      return phase.value === 'idle' && store.clientReady.value ? undefined : 'round';
    }),
    verifierURL,
  };
  return { model, canPlay };
}

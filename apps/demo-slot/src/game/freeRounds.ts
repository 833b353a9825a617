import { computed, effect, untracked } from '@preact/signals-core';
import { type Grant, isRgsError } from '@roundhouse/sdk';
import type { Grants } from '@roundhouse/sdk/grants';
import { endTextOf } from '../texts/texts.ts';
import type { ClientContext } from './context.ts';
import type { Recovery } from './failure.ts';
import type { Dialog, GameActions } from './model.ts';
import { spinModeOf } from './money.ts';

/**
 * Follows the free rounds: fixes the bet, offers a grant between two rounds, and says how one has
 * ended. Returns the function that stops it.
 */
export function followGrants(context: ClientContext, grants: Grants): () => void {
  const { store, page } = context;
  const take = () => {
    store.grants.value = grants.state;
  };
  take();
  // The operator may have given free rounds on the page around the game.
  const readAgain = () => {
    if (store.config.peek()) grants.refresh().catch(() => undefined);
  };
  const ends = [
    grants.subscribe(take),
    page.onReturn(readAgain),
    fixBet(context),
    closeStaleDialog(context),
    openDialogAtRest(context),
  ];
  return () => {
    for (const end of ends) end();
    grants.close();
  };
}

/** The bet is that of the current grant, and after it the player's bet again. */
function fixBet({ store }: ClientContext): () => void {
  let own: { betMicros: number; mode: ReturnType<typeof store.mode.peek> } | undefined;

  const change = (grant: Grant | undefined) => {
    if (grant) {
      own ??= { betMicros: store.betMicros.peek(), mode: store.mode.peek() };
      store.betMicros.value = grant.amount;
      store.mode.value = spinModeOf(grant.mode) ?? 'BASE';
    } else if (own) {
      store.betMicros.value = own.betMicros;
      store.mode.value = own.mode;
      own = undefined;
    }
    store.lines.value = undefined;
  };
  return effect(() => {
    const { current } = store.grants.value;
    const isKnown = store.config.value !== undefined;
    const isRoundShown = store.phase.value === 'spinning' || store.phase.value === 'presenting';
    untracked(() => {
      const isOther = current?.grantID !== store.grant.peek()?.grantID;
      if (!isKnown || (isOther && isRoundShown)) return;
      if (isOther) change(current);
      store.grant.value = current;
    });
  });
}

/** A grant that is open no longer cannot be accepted or declined: its dialog closes. */
function closeStaleDialog({ store }: ClientContext): () => void {
  return effect(() => {
    const dialog = store.dialog.value;
    if (dialog?.kind !== 'freeRounds' && dialog?.kind !== 'freeRoundsDecline') return;
    const { current, offer, later } = store.grants.value;
    const isOpen = [current, offer, ...later].some((grant) => grant?.grantID === dialog.grant.grantID);
    if (!isOpen) store.dialog.value = undefined;
  });
}

/** Shows how a grant has ended, then the next offer. Nothing is offered during an autoplay. */
function openDialogAtRest({ store, say }: ClientContext): () => void {
  const isAtRest = computed(
    () => store.phase.value === 'idle' && !store.autoplay.value && !store.replay.value && !store.dialog.value,
  );
  return effect(() => {
    const { ended, offer } = store.grants.value;
    if (!isAtRest.value || store.recovering.value || !(ended ?? offer)) return;
    untracked(() => {
      if (ended) {
        say(endTextOf(ended));
        store.dialog.value = { kind: 'freeRoundsEnded', grant: ended };
      } else if (offer) {
        say('freeRoundsOffer', { count: offer.left });
        store.dialog.value = { kind: 'freeRounds', grant: offer };
      }
    });
  });
}

/** What the player can do with free rounds. */
export function freeRoundActions({ store, model, audio }: ClientContext, grants: Grants, recovery: Recovery) {
  const opened = (kind: 'freeRounds' | 'freeRoundsDecline' | 'freeRoundsEnded') => {
    const dialog = store.dialog.peek();
    return dialog?.kind === kind ? dialog.grant : undefined;
  };
  const show = (dialog: Dialog | undefined) => {
    audio.play('button');
    store.dialog.value = dialog;
  };

  /**
   * The dialog stays until the server has responded. A grant that has ended is reported by its
   * state.
   */
  async function decide(decision: Promise<void>): Promise<void> {
    store.deciding.value = true;
    audio.play('button');
    const dialog = store.dialog.peek();
    await recovery.attempt(async () => {
      await decision.catch((error) => {
        if (!hasEnded(error, grants)) throw error;
      });
      if (store.dialog.peek() === dialog) store.dialog.value = undefined;
    });
    store.deciding.value = false;
  }

  return {
    openFreeRounds() {
      const { current, later } = grants.state;
      const grant = current ?? later[0];
      if (grant && model.canStartAutoplay.peek() && !store.dialog.peek()) show({ kind: 'freeRounds', grant });
    },
    acceptFreeRounds() {
      const grant = opened('freeRounds');
      if (!grant || store.deciding.peek()) return;
      if (grants.state.current?.grantID === grant.grantID) show(undefined);
      else void decide(grants.accept(grant.grantID));
    },
    keepFreeRounds() {
      const grant = opened('freeRounds');
      if (!grant || store.deciding.peek()) return;
      // A play of its bet takes a round of an automatic grant anyway.
      if (!grant.automatic) grants.later(grant.grantID);
      show(undefined);
    },
    askDeclineFreeRounds() {
      const grant = opened('freeRounds');
      if (grant && !store.deciding.peek()) show({ kind: 'freeRoundsDecline', grant });
    },
    declineFreeRounds() {
      const grant = opened('freeRoundsDecline');
      if (grant && !store.deciding.peek()) void decide(grants.decline(grant.grantID));
    },
    closeFreeRoundsEnd() {
      if (!opened('freeRoundsEnded')) return;
      grants.acknowledge();
      show(undefined);
    },
  } satisfies Partial<GameActions>;
}

/**
 * Returns whether the server refused it because the grant has ended. A dialog then reports the end.
 */
export function hasEnded(error: unknown, { state }: Grants): boolean {
  return isRgsError(error) && error.code === 'ERR_VAL' && state.ended !== undefined;
}

import { batch } from '@preact/signals-core';
import { debitOf, type Round } from '@roundhouse/sdk';
import { resumeIndex } from '@roundhouse/sdk/events';
import type { Grants } from '@roundhouse/sdk/grants';
import type { ModeName } from '../../../rules.ts';
import type { ClientContext } from '../context.ts';
import { showBalance } from '../followClient.ts';
import { spinModeOf } from '../money.ts';
import type { RealityChecks } from '../realityCheck.ts';
import { presentRound, stopOnOldBoard } from './presentRound.ts';
import { createRecorder } from './recorder.ts';
import { hasFreeSpins, shownRoundOf } from './shownRound.ts';
import { turnReels } from './spinHandlers.ts';

/** Holds the result of a round, for autoplay. */
export type PlayedRound = { readonly payoutMicros: number; readonly hadFreeSpins: boolean };

/**
 * Plays rounds, from the button to the payout. A failure is thrown after the reels have stopped;
 * the caller decides what happens next.
 */
export type Rounds = {
  play(mode: ModeName): Promise<PlayedRound>;
  /** Continues an open round where it was left, or only ends it when it has been shown already. */
  resume(round: Round): Promise<void>;
};

export function createRounds(context: ClientContext, realityChecks: RealityChecks, grants: Grants): Rounds {
  const { client, store, steps, stage, model } = context;
  let shownBetID: number | undefined;

  async function show(round: Round): Promise<PlayedRound> {
    const shown = shownRoundOf(round);
    const recorder = createRecorder(client, shown.events, context.clock);
    const from = resumeIndex(round.event, shown.events);
    // A resume in the middle has no turning reels.
    if (from > 0) await stopOnOldBoard(context);
    await presentRound(context, shown, {
      from,
      onEvent: (index) => (round.active ? recorder.record(index) : undefined),
    });
    await recorder.settled();
    shownBetID = round.betID;
    return { payoutMicros: round.payout, hadFreeSpins: hasFreeSpins(shown) };
  }

  async function finish(): Promise<void> {
    if (client.state.activeRound) await client.endRound();
    // The next round is a free one only when the server says that one is left.
    await grants.settled();
    showBalance(context);
  }

  async function onScreen<T>(run: () => Promise<T>): Promise<T> {
    store.phase.value = 'spinning';
    const result = await run().finally(async () => {
      await stopOnOldBoard(context);
      showBalance(context);
    });
    // Both happen in one step, so that no round can begin before the dialog is open.
    batch(() => {
      store.phase.value = 'idle';
      realityChecks.atRoundEnd();
    });
    return result;
  }

  function begin(): void {
    steps.endShows();
    stage.clearWins();
    store.winMicros.value = 0;
    turnReels(context, 'basegame', model.pace.peek());
    const grant = store.grant.peek();
    if (grant) context.say('sayFreeRound', { round: grant.used + 1, total: grant.given });
    else context.say('saySpinning');
  }

  return {
    play: (mode) =>
      onScreen(async () => {
        begin();
        const grant = store.grant.peek();
        const bet = { amount: store.betMicros.peek(), mode };
        const { round } = await (grant ? grants.play(grant) : client.play(bet));
        // The operator pays the bet of a free round.
        if (!round.grantID) store.stakedMicros.value += debitOf(round);
        // A round of auto-close is completed already: its balance would reveal the result before it
        // is shown.
        if (round.active || round.payout === 0) showBalance(context);
        const played = await show(round);
        await finish();
        return played;
      }),

    async resume(round) {
      const own = { betMicros: store.betMicros.peek(), mode: store.mode.peek() };
      store.betMicros.value = round.amount;
      store.mode.value = spinModeOf(round.mode) ?? store.mode.peek();
      await onScreen(async () => {
        if (round.betID !== shownBetID) {
          if (resumeIndex(round.event, round.state) === 0) begin();
          await show(round);
        }
        await finish();
        // The grant has ended while its last round was open: the bet is the player's own again.
        if (!round.grantID || store.grant.peek()) return;
        store.betMicros.value = own.betMicros;
        store.mode.value = own.mode;
      });
    },
  };
}

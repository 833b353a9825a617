import { computed } from '@preact/signals-core';
import type { Grants } from '@roundhouse/sdk/grants';
import type { ModeName } from '../../../rules.ts';
import { runAutoplay } from '../autoplay.ts';
import type { ClientContext } from '../context.ts';
import { type Failures, type Recovery, shortOfFunds } from '../failure.ts';
import type { Fairness } from '../fairness.ts';
import { freeRoundActions, hasEnded } from '../freeRounds.ts';
import type { History } from '../history.ts';
import type { GameActions } from '../model.ts';
import { isAutoplayAllowed } from '../permissions.ts';
import type { RealityChecks } from '../realityCheck.ts';
import type { Replay } from '../replay.ts';
import type { PlayedRound, Rounds } from '../round/playRound.ts';
import { until } from '../store.ts';

export type RoundActions = ReturnType<typeof roundActions>;

/** An invalid launch link allows no action. */
export const NO_ROUND_ACTIONS: RoundActions = {
  enter() {},
  spin() {},
  startAutoplay() {},
  async buyFeature() {},
  acknowledge() {},
  openFreeRounds() {},
  acceptFreeRounds() {},
  keepFreeRounds() {},
  askDeclineFreeRounds() {},
  declineFreeRounds() {},
  closeFreeRoundsEnd() {},
  startReplay() {},
  leaveReplay() {},
  moreHistory() {},
  replayRound() {},
  changeSeed() {},
  revealSeed() {},
  checkRound() {},
  saveRounds() {},
};

type RoundDeps = {
  readonly rounds: Rounds;
  readonly recovery: Recovery;
  readonly failures: Failures;
  readonly realityChecks: RealityChecks;
  readonly replay: Replay;
  readonly history: History;
  readonly fairness: Fairness;
  readonly grants: Grants;
};

/** These actions begin a round, or go on with one. */
export function roundActions(
  context: ClientContext,
  { rounds, recovery, failures, realityChecks, replay, history, fairness, grants }: RoundDeps,
) {
  const { store, model, canPlay, audio, stage } = context;

  const play = (mode: ModeName) => playRound(context, { rounds, recovery, failures, grants }, mode);
  return {
    enter() {
      if (store.phase.peek() !== 'intro') return;
      audio.unlock();
      audio.music('base');
      stage.enter();
      void recovery.attempt(recovery.resumeOpenRound);
    },
    spin() {
      if (model.canSpin.peek()) void play(store.mode.peek());
    },
    startAutoplay(settings) {
      if (store.dialog.peek()?.kind !== 'autoplayConfirm' || !model.canStartAutoplay.peek()) return;
      if (!isAutoplayAllowed(settings, model.permissions.peek())) return;
      store.dialog.value = undefined;
      audio.play('button');
      void runAutoplay(context, settings, () => play(store.mode.peek()));
    },
    async buyFeature() {
      const dialog = store.dialog.peek();
      if (dialog?.kind !== 'buy') return;
      // The jurisdiction may demand a pause between two rounds. The dialog stays until it is over.
      if (!canPlay.peek()) await until(computed(() => canPlay.value || store.dialog.value !== dialog));
      if (store.dialog.peek() !== dialog) return;
      store.dialog.value = undefined;
      audio.play('button');
      await play(dialog.mode);
    },
    ...freeRoundActions(context, grants, recovery),
    acknowledge: realityChecks.acknowledge,
    startReplay: () => void recovery.attempt(replay.start),
    leaveReplay() {
      // This also works from the menu.
      if (store.dialog.peek()?.kind === 'menu') store.dialog.value = undefined;
      replay.leave();
    },
    moreHistory: history.more,
    replayRound: (betID) => void recovery.attempt(() => history.replay(betID)),
    changeSeed: fairness.changeSeed,
    revealSeed: fairness.revealSeed,
    checkRound: fairness.checkRound,
    saveRounds: fairness.saveRounds,
  } satisfies Partial<GameActions>;
}

/** Undefined when no round began: the balance does not cover it, or it failed. */
async function playRound(
  context: ClientContext,
  { rounds, recovery, failures, grants }: Pick<RoundDeps, 'rounds' | 'recovery' | 'failures' | 'grants'>,
  mode: ModeName,
): Promise<PlayedRound | undefined> {
  const short = shortOfFunds(context, mode);
  if (short) {
    failures.show(short, () => {});
    return undefined;
  }
  let played: PlayedRound | undefined;
  await recovery.attempt(async () => {
    played = await rounds.play(mode).catch(async (error) => {
      if (!hasEnded(error, grants)) throw error;
      await context.client.authenticate();
      await recovery.resumeOpenRound();
      return undefined;
    });
  });
  return played;
}

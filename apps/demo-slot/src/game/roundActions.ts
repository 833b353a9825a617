import { computed } from '@preact/signals-core';
import type { ModeName } from '../../rules.ts';
import { runAutoplay } from './autoplay/runAutoplay.ts';
import type { Recovery } from './failure/recovery.ts';
import type { GameActions } from './model.ts';
import type { Replay } from './replay.ts';
import type { PlayedRound, Rounds } from './round/playRound.ts';
import { until } from './store.ts';
import type { OpenTable } from './table.ts';

/** The actions that begin a round, or go on with one. */
export type RoundActions = Pick<GameActions, 'enter' | 'spin' | 'startAutoplay' | 'buyFeature' | 'startReplay'>;

/** The actions for an invalid launch link: none. */
export const NO_ROUND_ACTIONS: RoundActions = {
  enter() {},
  spin() {},
  startAutoplay() {},
  buyFeature() {},
  startReplay() {},
};

export type RoundParts = {
  readonly rounds: Rounds;
  readonly recovery: Recovery;
  /** In a replay only. */
  readonly replay: Replay | undefined;
};

export function roundActions(table: OpenTable, { rounds, recovery, replay }: RoundParts): RoundActions {
  const { store, model, canPlay, audio, stage } = table;

  async function play(mode: ModeName): Promise<PlayedRound | undefined> {
    let played: PlayedRound | undefined;
    await recovery.attempt(async () => {
      played = await rounds.play(mode);
    });
    return played;
  }

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
      if (store.dialog.peek()?.kind !== 'autoplayConfirm' || !model.canChangeBet.peek()) return;
      store.dialog.value = undefined;
      audio.play('button');
      void runAutoplay(table, settings, () => play(store.mode.peek()));
    },
    async buyFeature() {
      const asked = store.dialog.peek();
      if (asked?.kind !== 'buy') return;
      // The jurisdiction may demand a pause between two rounds. The dialog stays until it is over.
      if (!canPlay.peek()) await until(computed(() => canPlay.value || store.dialog.value !== asked));
      if (store.dialog.peek() !== asked) return;
      store.dialog.value = undefined;
      audio.play('button');
      await play(asked.mode);
    },
    startReplay() {
      if (replay) void recovery.attempt(replay.start);
    },
  };
}

import { computed } from '@preact/signals-core';
import { betLevelsOf, nextBetLevel, previousBetLevel } from '@roundhouse/sdk';
import type { ModeName } from '../../rules.ts';
import { runAutoplay } from './autoplay.ts';
import type { ClientContext, Context } from './context.ts';
import { type Failures, failureDialog, type Recovery, shortOfFunds } from './failure.ts';
import type { History } from './history.ts';
import type { AutoplaySettings, Dialog, GameActions, Permissions } from './model.ts';
import { costOf } from './money.ts';
import { nextPace } from './permissions.ts';
import { keepBet } from './preferences.ts';
import type { RealityChecks } from './realityCheck.ts';
import type { Replay } from './replay.ts';
import type { PlayedRound, Rounds } from './round/playRound.ts';
import { until } from './store.ts';

/** The actions that change what is set or shown, and begin no round. */
type SettingActions = Pick<
  GameActions,
  | 'stop'
  | 'pressPicture'
  | 'raiseBet'
  | 'lowerBet'
  | 'setBet'
  | 'setAnte'
  | 'cyclePace'
  | 'toggleMuted'
  | 'setVolume'
  | 'setLeftHanded'
  | 'setBatterySaver'
  | 'toggleFullscreen'
  | 'leaveTo'
  | 'openDialog'
  | 'closeDialog'
  | 'askAutoplay'
  | 'stopAutoplay'
  | 'remedy'
  | 'takeAffordableBet'
>;

export function settingActions(context: Context, failures: Failures): SettingActions {
  const { store, model, audio, page, steps, stage } = context;

  function setBet(betMicros: number): void {
    const config = store.config.peek();
    const levels: readonly number[] = config ? betLevelsOf(config) : [];
    if (!model.canChangeBet.peek() || !levels.includes(betMicros) || betMicros === store.betMicros.peek()) return;
    store.betMicros.value = betMicros;
    store.lines.value = undefined;
    keepBet(page, store);
    audio.play('betChange');
  }

  return {
    stop() {
      if (model.canStop.peek()) steps.cutShort();
    },
    pressPicture(point) {
      const open = store.payBubble.peek();
      store.payBubble.value = undefined;
      const isAtRest = store.phase.peek() === 'idle' && !store.dialog.peek() && !store.autoplay.peek();
      const place = isAtRest && point ? stage.symbolAt(point) : undefined;
      if (!place || (place.reel === open?.reel && place.row === open.row)) return;
      const symbol = context.board()[place.reel]?.[place.row];
      if (!symbol) return;
      store.payBubble.value = { ...place, symbol };
      audio.play('button');
    },
    raiseBet() {
      const config = store.config.peek();
      if (config) setBet(nextBetLevel(store.betMicros.peek(), config));
    },
    lowerBet() {
      const config = store.config.peek();
      if (config) setBet(previousBetLevel(store.betMicros.peek(), config));
    },
    setBet,
    setAnte(on) {
      const mode = on ? 'ANTE' : 'BASE';
      if (!model.canChangeBet.peek() || !store.config.peek()?.betModes[mode] || store.mode.peek() === mode) return;
      store.mode.value = mode;
      audio.play('betChange');
    },
    cyclePace() {
      const pace = nextPace(model.pace.peek(), model.permissions.peek());
      if (pace === model.pace.peek()) return;
      store.wantedPace.value = pace;
      audio.play('button');
    },
    toggleMuted() {
      store.muted.value = !store.muted.peek();
      audio.play('button');
    },
    setVolume(channel, percent) {
      store.volumes.value = { ...store.volumes.peek(), [channel]: percent };
      store.muted.value = false;
      // Each step is heard; for the music it is the music itself.
      if (channel === 'effects') audio.play('button');
    },
    setLeftHanded(on) {
      store.wantedLeftHanded.value = on;
      audio.play('button');
    },
    setBatterySaver(on) {
      store.batterySaver.value = on;
      audio.play('button');
    },
    toggleFullscreen() {
      if (model.permissions.peek().fullscreen) page.toggleFullscreen();
    },
    leaveTo(target) {
      const url = model.pages[target];
      const open = store.dialog.peek();
      if (url === undefined) {
        // A reality check always offers to leave.
        if (open?.kind === 'realityCheck') store.dialog.value = failureDialog('left', 'reload');
        return;
      }
      const isRoundRunning = store.phase.peek() === 'spinning' || store.phase.peek() === 'presenting';
      const isAsked = isRoundRunning && !model.replay.peek() && open?.kind !== 'leave';
      audio.play('button');
      if (isAsked) store.dialog.value = { kind: 'leave', to: target };
      else page.leave(url);
    },
    openDialog(kind) {
      const dialog = dialogOf(context, kind);
      if (!dialog) return;
      if (dialog.kind === 'failure') return failures.show(dialog, () => {});
      audio.play('button');
      store.dialog.value = dialog;
    },
    closeDialog() {
      const dialog = store.dialog.peek();
      if (dialog?.kind === 'failure') {
        if (dialog.remedy === 'close') failures.remedy();
        return;
      }
      if (dialog?.kind === 'realityCheck') return;
      if (dialog) audio.play('button');
      store.dialog.value = dialog?.kind === 'history' ? dialog.back : undefined;
    },
    askAutoplay(settings) {
      if (store.dialog.peek()?.kind !== 'autoplay' || !isAutoplayAllowed(settings, model.permissions.peek())) return;
      audio.play('button');
      store.dialog.value = { kind: 'autoplayConfirm', settings };
    },
    stopAutoplay() {
      if (!store.autoplay.peek()) return;
      store.autoplay.value = undefined;
      audio.play('button');
    },
    remedy: () => failures.remedy(),
    takeAffordableBet() {
      const betMicros = model.affordableBetMicros.peek();
      if (betMicros === undefined) return;
      failures.remedy();
      setBet(betMicros);
    },
  };
}

function isAutoplayAllowed(
  { spins, lossLimitMicros }: AutoplaySettings,
  { autoplayNeedsLossLimit, autoplayMaximumRounds }: Permissions,
): boolean {
  const isWithinRounds = autoplayMaximumRounds === 0 || spins <= autoplayMaximumRounds;
  return spins >= 1 && isWithinRounds && (lossLimitMicros !== undefined || !autoplayNeedsLossLimit);
}

/** The dialog that may be opened now; undefined when it may not. */
function dialogOf(context: Context, kind: Parameters<GameActions['openDialog']>[0]): Dialog | undefined {
  const { store, model } = context;
  const open = store.dialog.peek();
  // A reality check waits behind the history until it is acknowledged.
  const isLookedUp = kind === 'history' && open?.kind === 'realityCheck';
  const isAnswered = open === undefined || open.kind === 'menu' || open.kind === kind || isLookedUp;
  if (!isAnswered || store.phase.peek() === 'loading' || store.phase.peek() === 'blocked') return undefined;
  const { autoplay, buyFeature } = model.permissions.peek();
  const canChange = model.canChangeBet.peek();
  switch (kind) {
    case 'bet':
      return canChange ? { kind } : undefined;
    case 'autoplay':
      return canChange && autoplay ? (shortOfFunds(context, store.mode.peek()) ?? { kind }) : undefined;
    case 'buy': {
      const costMicros = costOf(store.config.peek(), { betMicros: store.betMicros.peek(), mode: 'BONUS' });
      if (!canChange || !buyFeature || costMicros === undefined) return undefined;
      return shortOfFunds(context, 'BONUS') ?? { kind, mode: 'BONUS', costMicros };
    }
    case 'history':
      if (!model.permissions.peek().history || model.replay.peek()) return undefined;
      return isLookedUp ? { kind, back: open } : { kind };
    default:
      return { kind };
  }
}

/** The actions that begin a round, or go on with one. */
export type RoundActions = Pick<
  GameActions,
  | 'enter'
  | 'spin'
  | 'startAutoplay'
  | 'buyFeature'
  | 'startReplay'
  | 'leaveReplay'
  | 'moreHistory'
  | 'replayRound'
  | 'acknowledge'
>;

/** The actions for an invalid launch link: none. */
export const NO_ROUND_ACTIONS: RoundActions = {
  enter() {},
  spin() {},
  startAutoplay() {},
  buyFeature() {},
  acknowledge() {},
  startReplay() {},
  leaveReplay() {},
  moreHistory() {},
  replayRound() {},
};

type RoundDeps = {
  readonly rounds: Rounds;
  readonly recovery: Recovery;
  readonly failures: Failures;
  readonly realityChecks: RealityChecks;
  readonly replay: Replay;
  readonly history: History;
};

export function roundActions(
  context: ClientContext,
  { rounds, recovery, failures, realityChecks, replay, history }: RoundDeps,
): RoundActions {
  const { store, model, canPlay, audio, stage } = context;

  async function play(mode: ModeName): Promise<PlayedRound | undefined> {
    const short = shortOfFunds(context, mode);
    if (short) {
      failures.show(short, () => {});
      return undefined;
    }
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
    acknowledge: realityChecks.acknowledge,
    startReplay: () => void recovery.attempt(replay.start),
    leaveReplay() {
      // From the menu, too.
      if (store.dialog.peek()?.kind === 'menu') store.dialog.value = undefined;
      replay.leave();
    },
    moreHistory: history.more,
    replayRound: (betID) => void recovery.attempt(() => history.replay(betID)),
  };
}

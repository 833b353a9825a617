import { betLevelsOf, nextBetLevel, previousBetLevel } from '@roundhouse/sdk';
import { costOf } from './bets/betChoice.ts';
import type { Failures } from './failure/failures.ts';
import type { Dialog, GameActions } from './model.ts';
import { nextPace } from './permissions.ts';
import { keepBet } from './preferences.ts';
import type { Table } from './table.ts';

/** The actions that change what is set or shown, and begin no round. */
export type SettingActions = Pick<
  GameActions,
  | 'stop'
  | 'raiseBet'
  | 'lowerBet'
  | 'setBet'
  | 'setAnte'
  | 'cyclePace'
  | 'toggleMuted'
  | 'toggleFullscreen'
  | 'openDialog'
  | 'closeDialog'
  | 'askAutoplay'
  | 'stopAutoplay'
  | 'remedy'
>;

export function settingActions(table: Table, failures: Failures): SettingActions {
  const { store, model, audio, page, steps } = table;

  function setBet(betMicros: number): void {
    const config = store.config.peek();
    const levels: readonly number[] = config ? betLevelsOf(config) : [];
    if (!model.canChangeBet.peek() || !levels.includes(betMicros) || betMicros === store.betMicros.peek()) return;
    store.betMicros.value = betMicros;
    keepBet(page, store);
    audio.play('betChange');
  }

  return {
    stop() {
      if (model.canStop.peek()) steps.cutShort();
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
    toggleFullscreen() {
      if (model.permissions.peek().fullscreen) page.toggleFullscreen();
    },
    openDialog(kind) {
      const dialog = dialogOf(table, kind);
      if (!dialog) return;
      audio.play('button');
      store.dialog.value = dialog;
    },
    closeDialog() {
      const dialog = store.dialog.peek();
      if (dialog?.kind === 'failure') {
        if (dialog.remedy === 'close') failures.remedy();
        return;
      }
      if (dialog) audio.play('button');
      store.dialog.value = undefined;
    },
    askAutoplay(settings) {
      if (store.dialog.peek()?.kind !== 'autoplay' || settings.spins < 1) return;
      audio.play('button');
      store.dialog.value = { kind: 'autoplayConfirm', settings };
    },
    stopAutoplay() {
      if (!store.autoplay.peek()) return;
      store.autoplay.value = undefined;
      audio.play('button');
    },
    remedy: () => failures.remedy(),
  };
}

/** The dialog that may be opened now; undefined when it may not. */
function dialogOf({ store, model }: Table, kind: Parameters<GameActions['openDialog']>[0]): Dialog | undefined {
  const open = store.dialog.peek();
  const isAnswered = open === undefined || open.kind === 'menu' || open.kind === kind;
  if (!isAnswered || store.phase.peek() === 'loading' || store.phase.peek() === 'blocked') return undefined;
  const { autoplay, buyFeature } = model.permissions.peek();
  const canChange = model.canChangeBet.peek();
  switch (kind) {
    case 'bet':
      return canChange ? { kind } : undefined;
    case 'autoplay':
      return canChange && autoplay ? { kind } : undefined;
    case 'buy': {
      const costMicros = costOf(store.config.peek(), { betMicros: store.betMicros.peek(), mode: 'BONUS' });
      return canChange && buyFeature && costMicros !== undefined ? { kind, mode: 'BONUS', costMicros } : undefined;
    }
    default:
      return { kind };
  }
}

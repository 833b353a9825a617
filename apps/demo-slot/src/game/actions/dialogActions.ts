import type { Context } from '../context.ts';
import { type Failures, failureDialog, shortOfFunds } from '../failure.ts';
import type { Dialog, GameActions } from '../model.ts';
import { costOf } from '../money.ts';
import { isAutoplayAllowed } from '../permissions.ts';

/** These actions open, answer and close dialogs. */
export function dialogActions(context: Context, failures: Failures) {
  const { store, model, audio } = context;
  return {
    leaveTo: (target) => leaveTo(context, target),
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
  } satisfies Partial<GameActions>;
}

function leaveTo({ store, model, audio, page }: Context, target: Parameters<GameActions['leaveTo']>[0]): void {
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
}

/** Returns the dialog that may be opened now; undefined when it may not. */
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
      return model.canStartAutoplay.peek() && autoplay
        ? (shortOfFunds(context, store.mode.peek()) ?? { kind })
        : undefined;
    case 'buy': {
      const costMicros = costOf(store.config.peek(), { betMicros: store.betMicros.peek(), mode: 'BONUS' });
      if (!canChange || !buyFeature || costMicros === undefined) return undefined;
      return shortOfFunds(context, 'BONUS') ?? { kind, mode: 'BONUS', costMicros };
    }
    case 'history':
      if (!model.permissions.peek().history || model.replay.peek()) return undefined;
      return isLookedUp ? { kind, back: open } : { kind };
    case 'fairness':
      return store.fairness.peek() && !model.replay.peek() ? { kind } : undefined;
    default:
      return { kind };
  }
}

import { effect, signal } from '@preact/signals-core';
import { createSessionTimer } from '@roundhouse/sdk/duties';
import type { ClientContext, Context } from './context.ts';
import { type Failures, failureDialog } from './failure.ts';
import type { GameModel } from './gameModel.ts';
import type { GameActions } from './model.ts';
import type { GameKey } from './ports.ts';
import { keepPreferences, recallPreferences } from './preferences.ts';

/**
 * Follows the page and the player for sound, frames, full screen and stored choices. Returns the
 * function that stops it.
 */
export function followPage({ store, page, audio, stage }: Context): () => void {
  recallPreferences(page, store);
  const ends = [
    keepPreferences(page, store),
    page.onFullscreen(() => {
      store.fullscreen.value = page.isFullscreen();
    }),
    effect(() => audio.setMuted(store.muted.value)),
    effect(() => audio.setVolumes(store.volumes.value)),
    effect(() => stage.saveBattery(store.batterySaver.value)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/**
 * Shows the session timer where the jurisdiction demands it. Returns the function that stops it.
 */
export function followSession({ client, store, model }: ClientContext): () => void {
  return effect(() => {
    const startedAtMs = client.state.sessionStartedAtMs;
    if (!model.permissions.value.showSessionTimer || startedAtMs === undefined) return;
    const onTick = (elapsedMs: number) => {
      store.sessionElapsedMs.value = elapsedMs;
    };
    const timer = createSessionTimer({ startedAtMs, onTick });
    return () => timer.stop();
  });
}

const OTHER_TAB = failureDialog('otherTab', 'playHere');

/**
 * Stops the game when a later page plays the session: only a reload goes on here. Returns the
 * function that stops it.
 */
export function followTabs({ client, store, page, audio }: ClientContext): () => void {
  const isTaken = signal(false);
  void page.holdSession(client).then(() => {
    isTaken.value = true;
    audio.setMuted(true);
  });
  return effect(() => {
    if (!isTaken.value) return;
    store.autoplay.value = undefined;
    // The round on the screen still ends, and its dialogs must not cover this one.
    if (store.phase.value !== 'blocked') store.phase.value = 'blocked';
    if (store.dialog.value !== OTHER_TAB) store.dialog.value = OTHER_TAB;
  });
}

/**
 * Shows when the connection is lost, and retries when it is back. Returns the function that stops
 * it.
 */
export function followNetwork({ store, page }: Context, failures: Failures): () => void {
  store.offline.value = !page.isOnline();
  return page.onOnline((online) => {
    store.offline.value = !online;
    const dialog = store.dialog.peek();
    const waitsForNetwork = dialog?.kind === 'failure' && dialog.failure === 'noNetwork';
    if (online && waitsForNetwork && dialog.remedy === 'again') failures.remedy();
  });
}

/** Handles a key. Returns whether the game used it; then the page ignores it. */
export function pressKey(key: GameKey, model: GameModel, actions: GameActions): boolean {
  const phase = model.phase.peek();
  if (model.dialog.peek() || phase === 'loading' || phase === 'intro' || phase === 'blocked') return false;
  switch (key) {
    case 'spin':
      // This also holds where the space bar may not spin: otherwise it would press a focused spin
      // button.
      if (model.permissions.peek().spaceBar) spinOrReplay(model, actions);
      return true;
    case 'raiseBet':
      actions.raiseBet();
      return true;
    case 'lowerBet':
      actions.lowerBet();
      return true;
    case 'mute':
      actions.toggleMuted();
      return true;
    case 'stopAutoplay':
      actions.stopAutoplay();
      return true;
  }
}

function spinOrReplay(model: GameModel, actions: GameActions): void {
  const replay = model.replay.peek();
  if (replay && replay.state !== 'playing') actions.startReplay();
  else actions.spinOrStop();
}

import type { GameActions, GameModel } from './model.ts';
import type { GameKey } from './page.ts';

/** Handles a key. Returns whether the game used it; then the page ignores it. */
export function pressKey(key: GameKey, model: GameModel, actions: GameActions): boolean {
  const phase = model.phase.peek();
  if (model.dialog.peek() || phase === 'loading' || phase === 'intro' || phase === 'blocked') return false;
  switch (key) {
    case 'spin':
      // Also used where the space bar may not spin: otherwise it would press a focused spin button.
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
  }
}

function spinOrReplay(model: GameModel, actions: GameActions): void {
  const replay = model.replay.peek();
  if (replay && replay.state !== 'playing') actions.startReplay();
  else actions.spinOrStop();
}

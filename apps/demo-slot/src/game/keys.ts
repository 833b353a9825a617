import type { GameActions, GameModel } from './model.ts';
import type { GameKey } from './page.ts';

/** What a key does now. The answer says whether the game has used it, so that the page does nothing else with it. */
export function pressKey(key: GameKey, model: GameModel, actions: GameActions): boolean {
  const phase = model.phase.peek();
  if (model.dialog.peek() || phase === 'loading' || phase === 'intro' || phase === 'blocked') return false;
  switch (key) {
    case 'spin':
      // Where the space bar may not spin it is used up all the same: it would press the spin button if that has the focus.
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

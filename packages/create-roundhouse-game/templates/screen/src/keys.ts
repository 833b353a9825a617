import type { Client } from '@roundhouse/sdk';
import type { Game } from './game.ts';
import type { HudAction } from './hud.ts';

/** Keys are known by what they write, so that plus and minus work on every keyboard. */
const KEYS: Record<string, HudAction> = {
  ' ': 'spin',
  '+': 'raiseBet',
  '=': 'raiseBet',
  ArrowUp: 'raiseBet',
  '-': 'lowerBet',
  ArrowDown: 'lowerBet',
  m: 'sound',
  M: 'sound',
  Escape: 'stopAutoplay',
};
/** What is open has the keys. */
const OPEN = 'dialog[open], #welcome';
/** The space bar presses these. On the spin button it spins. */
const PRESSED_BY_SPACE = 'button:not(.spin), a';

export function listenToKeys(client: Client, game: Game): void {
  const actionOf = ({ key, target, ctrlKey, altKey, metaKey }: KeyboardEvent) => {
    if (ctrlKey || altKey || metaKey || document.querySelector(OPEN)) return undefined;
    const isOfButton = key === ' ' && target instanceof Element && target.closest(PRESSED_BY_SPACE);
    return isOfButton ? undefined : KEYS[key];
  };
  addEventListener('keydown', (event) => {
    const { repeat, target } = event;
    const action = actionOf(event);
    // Each round needs a separate press: holding Enter down would press a button again.
    if (action !== undefined || (repeat && target instanceof HTMLButtonElement)) event.preventDefault();
    if (action === undefined || (repeat && (action === 'spin' || action === 'sound'))) return;
    // Where the space bar must not spin, it does not press the focused spin button either.
    if (action === 'spin' && client.state.config?.jurisdiction.disabledSpacebar) return;
    game.act(action);
  });
  // The browser presses a focused button when the space bar is released.
  addEventListener('keyup', (event) => {
    if (actionOf(event) === 'spin') event.preventDefault();
  });
}

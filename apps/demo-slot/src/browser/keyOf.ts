import type { GameKey } from '../game/page.ts';

/**
 * By the character of the key, so that plus and minus work on every keyboard and on the number pad.
 */
const KEYS: Readonly<Record<string, GameKey>> = {
  ' ': 'spin',
  '+': 'raiseBet',
  '=': 'raiseBet',
  ArrowUp: 'raiseBet',
  '-': 'lowerBet',
  _: 'lowerBet',
  ArrowDown: 'lowerBet',
  m: 'mute',
  M: 'mute',
};

/**
 * Elements with their own meaning of a key. The round button is none of them: there the space bar
 * spins.
 */
const OWN_MEANING = 'input, select, textarea, dialog, [role=listbox], [role=slider], [role=tablist], [role=radiogroup]';
const PRESSED_BY_SPACE = 'button:not(.spin), a, summary';

/** The game's action for a key on this element; undefined when the game does not use the key. */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'target'>) {
  const key = KEYS[event.key];
  if (!key || event.ctrlKey || event.altKey || event.metaKey) return undefined;
  // The document itself, which has no `closest`, may be the target.
  const target = event.target as Partial<Element> | null;
  if (target?.closest?.(OWN_MEANING)) return undefined;
  return key === 'spin' && target?.closest?.(PRESSED_BY_SPACE) ? undefined : key;
}

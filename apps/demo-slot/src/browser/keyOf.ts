import type { GameKey } from '../game/page.ts';

/** By what is written on the key, so that plus and minus are found on every keyboard and on the number pad. */
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

/** Where a key has a meaning of its own. The round button is none: there the space bar is the game's. */
const OWN_MEANING = 'input, select, textarea, dialog, [role=listbox], [role=slider], [role=tablist], [role=radiogroup]';
const PRESSED_BY_SPACE = 'button:not(.spin), a, summary';

/** What a key means to the game where it was pressed; undefined when it is not the game's. */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'target'>) {
  const key = KEYS[event.key];
  if (!key || event.ctrlKey || event.altKey || event.metaKey) return undefined;
  // The document itself, which has no `closest`, may be the target.
  const target = event.target as Partial<Element> | null;
  if (target?.closest?.(OWN_MEANING)) return undefined;
  return key === 'spin' && target?.closest?.(PRESSED_BY_SPACE) ? undefined : key;
}

import { expect, it } from 'vitest';
import { keyOf } from './keyOf.ts';

/** A key pressed where the selectors of these names match. */
function pressed(key: string, { on = '', ctrlKey = false }: { on?: string; ctrlKey?: boolean } = {}) {
  const closest = (selectors: string) => (on !== '' && selectors.split(', ').includes(on) ? {} : null);
  return keyOf({ key, ctrlKey, altKey: false, metaKey: false, target: { closest } as unknown as EventTarget });
}

it.each([
  [' ', 'spin'],
  ['+', 'raiseBet'],
  ['=', 'raiseBet'],
  ['ArrowUp', 'raiseBet'],
  ['-', 'lowerBet'],
  ['ArrowDown', 'lowerBet'],
  ['m', 'mute'],
  ['M', 'mute'],
  ['x', undefined],
])('the key "%s" is %s', (key, expected) => {
  expect(pressed(key)).toBe(expected);
});

it('leaves the browser its own shortcuts, such as the zoom', () => {
  expect(pressed('+', { ctrlKey: true })).toBeUndefined();
});

it.each(['input', 'dialog', '[role=radiogroup]'])('leaves all keys to %s', (on) => {
  for (const key of [' ', '+', 'ArrowDown', 'm']) expect(pressed(key, { on })).toBeUndefined();
});

it('lets the space bar press any button but the round one, and the other keys work there', () => {
  expect(pressed(' ', { on: 'button:not(.spin)' })).toBeUndefined();
  expect(pressed('+', { on: 'button:not(.spin)' })).toBe('raiseBet');
  expect(pressed(' ', { on: 'button.spin' })).toBe('spin');
});

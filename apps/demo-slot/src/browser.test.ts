import { expect, it } from 'vitest';
import { createLazyStage, keyOf } from './browser.ts';
import type { StageSize } from './game/ports.ts';
import { createFakeStage } from './game/testing/fakePorts.ts';

/** Returns a key pressed where the selectors of these names match. */
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
  ['Escape', 'stopAutoplay'],
  ['x', undefined],
])('the key "%s" is %s', (key, expected) => {
  expect(pressed(key)).toBe(expected);
});

it('ignores shortcuts of the browser, such as zoom', () => {
  expect(pressed('+', { ctrlKey: true })).toBeUndefined();
});

it.each(['input', 'dialog', '[role=radiogroup]'])('ignores all keys in %s', (on) => {
  for (const key of [' ', '+', 'ArrowDown', 'm']) expect(pressed(key, { on })).toBeUndefined();
});

it('ignores the space bar on all buttons but the spin button, and no other key', () => {
  expect(pressed(' ', { on: 'button:not(.spin)' })).toBeUndefined();
  expect(pressed('+', { on: 'button:not(.spin)' })).toBe('raiseBet');
  expect(pressed(' ', { on: 'button.spin' })).toBe('spin');
});

const SIZE: StageSize = { width: 800, height: 600, free: { x: 0, y: 0, width: 800, height: 500 } };

it('passes on the size that was set before the stage was loaded', async () => {
  const fake = createFakeStage();
  const sizes: StageSize[] = [];
  fake.resize = (size) => void sizes.push(size);
  const stage = createLazyStage(async () => fake);
  stage.resize({ ...SIZE, width: 400 });
  stage.resize(SIZE);
  const seen: number[] = [];
  await stage.load((progress) => seen.push(progress));
  expect(sizes).toEqual([SIZE]);
  expect(seen.at(-1)).toBe(1);
});

it('rejects when its stage cannot be fetched', async () => {
  const stage = createLazyStage(() => Promise.reject(new Error('not fetched')));
  await expect(stage.load(() => {})).rejects.toThrow('not fetched');
  stage.destroy();
});

import { expect, it } from 'vitest';
import { placeAfterKey } from './betDialogs.tsx';

/** 0 1 2 3 / 4 5 6 7 / 8 9 */
const GRID = { count: 10, columns: 4, isRightToLeft: false };

it.each<[key: string, from: number, to: number | undefined]>([
  ['ArrowRight', 3, 4],
  ['ArrowLeft', 4, 3],
  ['ArrowDown', 5, 9],
  ['ArrowUp', 5, 1],
  ['Home', 6, 0],
  ['End', 6, 9],
  ['Enter', 6, undefined],
  ['ArrowLeft', 0, undefined],
  ['ArrowUp', 2, undefined],
  ['ArrowDown', 7, undefined],
  ['ArrowRight', 9, undefined],
])('%s moves the focus from %i to %s', (key, from, to) => {
  expect(placeAfterKey(key, { ...GRID, from })).toBe(to);
});

it.each([
  ['ArrowRight', 3],
  ['ArrowLeft', 5],
  ['ArrowDown', 8],
])('%s moves the focus from 4 to %i where rows are read from the right', (key, to) => {
  expect(placeAfterKey(key, { ...GRID, from: 4, isRightToLeft: true })).toBe(to);
});

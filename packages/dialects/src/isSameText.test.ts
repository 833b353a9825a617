import { expect, it } from 'vitest';
import { isSameText } from './isSameText.ts';

it.each([
  ['same', 'same', true],
  ['same', 'other', false],
  ['same', 'same again', false],
  ['', '', true],
])('%j and %j', (one, other, same) => {
  expect(isSameText(one, other)).toBe(same);
});

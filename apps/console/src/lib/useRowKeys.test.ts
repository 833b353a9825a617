import { expect, it } from 'vitest';
import { moveRow } from './useRowKeys.ts';

it.each([
  [-1, 1, 3, 0],
  [-1, -1, 3, 2],
  [0, -1, 3, 0],
  [2, 1, 3, 2],
  [1, 1, 3, 2],
  [5, 1, 0, -1],
] as const)('moves from row %i by %i of %i to %i', (active, step, count, row) => {
  expect(moveRow(active, step, count)).toBe(row);
});

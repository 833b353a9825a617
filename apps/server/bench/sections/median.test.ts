import { expect, test } from 'vitest';
import { median } from './median.ts';

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[undefined, 7], 7],
  [[undefined], undefined],
])('the median of %j is %s', (values, expected) => {
  expect(median(values)).toBe(expected);
});

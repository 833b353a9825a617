import { expect, it } from 'vitest';
import { volatilityOf } from './volatility.ts';

it.each([
  [0, 'low'],
  [4.999, 'low'],
  [5, 'medium'],
  [9.999, 'medium'],
  [10, 'high'],
  [500, 'high'],
])('a standard deviation of %d is %s', (standardDeviation, expected) => {
  expect(volatilityOf(standardDeviation)).toBe(expected);
});

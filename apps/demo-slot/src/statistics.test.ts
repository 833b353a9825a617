import { expect, it } from 'vitest';
import { volatilityOf } from './statistics.ts';

it.each([
  [0, 1],
  [2.49, 1],
  [2.5, 2],
  [5, 3],
  [9.99, 3],
  [10, 4],
  [20, 5],
  [300, 5],
])('a standard deviation of %d stakes is the volatility %d', (standardDeviation, volatility) => {
  expect(volatilityOf(standardDeviation)).toBe(volatility);
});

import { expect, it } from 'vitest';
import { autoplayChoices, stopAfterRound, stopBeforeRound } from './duties.ts';

it('stops before the round that would break the loss limit, to the micro', () => {
  const limits = { lossLimitMicros: 3_000_000 };
  expect(stopBeforeRound(limits, { lostMicros: 2_000_000, stakeMicros: 1_000_000 })).toBeUndefined();
  expect(stopBeforeRound(limits, { lostMicros: 2_000_001, stakeMicros: 1_000_000 })).toBe('lossLimit');
  expect(stopBeforeRound({}, { lostMicros: 2_000_001, stakeMicros: 1_000_000 })).toBeUndefined();
});

it('stops after a win that reaches the limit, to the micro', () => {
  const limits = { singleWinLimitMicros: 5_000_000 };
  expect(stopAfterRound(limits, { payoutMicros: 4_999_999 })).toBeUndefined();
  expect(stopAfterRound(limits, { payoutMicros: 5_000_000 })).toBe('singleWinLimit');
  expect(stopAfterRound({}, { payoutMicros: 5_000_000 })).toBeUndefined();
});

it('offers no more rounds than the jurisdiction allows, and always a number', () => {
  const choices = [10, 25, 50, 100];
  expect(autoplayChoices(choices, 0)).toEqual(choices);
  expect(autoplayChoices(choices, 60)).toEqual([10, 25, 50]);
  expect(autoplayChoices(choices, 50)).toEqual([10, 25, 50]);
  expect(autoplayChoices(choices, 7)).toEqual([7]);
});

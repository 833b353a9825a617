import { expect, it } from 'vitest';
import { meaningOf, momentText } from './entryFacts.ts';

it.each([
  ['debit', -1, 'bet'],
  ['credit', 5, 'win'],
  ['credit', 0, 'closed'],
  ['rollback', 1, 'returned'],
  ['rollback', 0, 'returned'],
  ['deposit', 1, 'deposit'],
  ['withdrawal', -1, 'withdrawal'],
] as const)('%s of %i is a %s', (kind, amount, meaning) => {
  expect(meaningOf({ kind, amount })).toBe(meaning);
});

it('names the day of a line that is not of today', () => {
  const now = new Date(2026, 10, 21, 12);
  expect(momentText(new Date(2026, 10, 21, 9, 5, 3).toISOString(), now)).toEqual({ time: '09:05:03', day: undefined });
  expect(momentText(new Date(2026, 10, 20, 9, 5, 3).toISOString(), now)).toEqual({ time: '09:05:03', day: '20 Nov' });
});

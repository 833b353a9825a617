import { expect, test as it } from 'vitest';
import { periodsAt } from './periods.ts';

it('uses UTC days, and ends a month on its last day', () => {
  expect(periodsAt(new Date('2028-03-01T00:30:00Z'))).toEqual({
    Today: { from: '2028-03-01', to: '2028-03-01' },
    Yesterday: { from: '2028-02-29', to: '2028-02-29' },
    'Last 7 days': { from: '2028-02-24', to: '2028-03-01' },
    'This month': { from: '2028-03-01', to: '2028-03-01' },
    'Last month': { from: '2028-02-01', to: '2028-02-29' },
  });
});

import { expect, it } from 'vitest';
import { requirementsCsv } from './requirements.ts';

it('a row of the CSV is one line, with a bar between the entries of a cell', () => {
  const row = { clause: '2.2', requirement: 'One clock.', status: 'built', how: 'So.', code: ['a.sql', 'b.ts'] };
  const sections = [{ title: 'Time', rows: [{ ...row, tests: ['one > x', 'two > y'] }] }];
  const requirements = { STATUSES: ['built'], DOCUMENTS: [{ page: 'gli-19', title: 'GLI-19', sections }] };
  const results = { at: '2030-01-31T12:00:00Z', tests: { 'one > x': 'passed' } } as const;
  expect(requirementsCsv(requirements, results).split('\n').slice(1)).toEqual([
    'gli-19,2.2,no,One clock.,built,So.,a.sql | b.ts,one > x | two > y,passed | not run,',
    '',
  ]);
});

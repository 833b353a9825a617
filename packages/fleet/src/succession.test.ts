import { expect, it } from 'vitest';
import { type Fleet, findSuccessionIssues } from './fleet.ts';

const cell = (name: string, ...numbers: number[]) => ({ name, numbers, url: `https://${name}` });

const BEFORE: Fleet = {
  version: 3,
  cells: [cell('eu-1', 1), cell('eu-2', 2, 5)],
  placements: [{ operators: ['acme'], cells: ['eu-1'], home: 'eu-1' }, { cells: ['eu-2'] }],
};

const change = (changes: Partial<Fleet>): Fleet => ({ ...BEFORE, version: 4, ...changes });

it.each<[string, Fleet]>([
  ['the same fleet', structuredClone(BEFORE)],
  ['a later version of the same', change({})],
  ['one more cell', change({ cells: [...BEFORE.cells, cell('eu-3', 3)] })],
  ['another order of cells', change({ cells: BEFORE.cells.toReversed() })],
  ['one more number', change({ cells: [cell('eu-1', 1, 6), cell('eu-2', 2, 5)] })],
  ['one more placement', change({ placements: [...BEFORE.placements, { operators: ['acme'], cells: ['eu-2'] }] })],
  ['another home', change({ placements: [{ operators: ['acme'], cells: ['eu-1'] }, ...BEFORE.placements.slice(1)] })],
  ['another address', change({ cells: [{ ...cell('eu-1', 1), url: 'https://new' }, cell('eu-2', 2, 5)] })],
  [
    'another name',
    change({
      cells: [cell('first', 1), cell('eu-2', 2, 5)],
      placements: [{ operators: ['acme'], cells: ['first'] }, { cells: ['eu-2'] }],
    }),
  ],
])('%s may follow', (_what, after) => {
  expect(findSuccessionIssues(BEFORE, after)).toEqual([]);
});

it.each<[string, Fleet, string, string]>([
  [
    'a change without a new version',
    change({ version: 3, cells: [...BEFORE.cells, cell('eu-3', 3)] }),
    'version',
    'the cells have version 3, so a change has a higher one',
  ],
  ['an earlier version', change({ version: 2 }), 'version', 'the cells have version 3, so a change has a higher one'],
  ['a cell less', change({ cells: [cell('eu-1', 1)] }), 'cells', 'cell eu-2 with number 2 is missing'],
  [
    'a number less',
    change({ cells: [cell('eu-1', 1), cell('eu-2', 2)] }),
    'cells.1.numbers',
    'cell eu-2 has the numbers 2, 5: new ones stand behind them',
  ],
  [
    'a number in between',
    change({ cells: [cell('eu-1', 1), cell('eu-2', 2, 4, 5)] }),
    'cells.1.numbers',
    'cell eu-2 has the numbers 2, 5: new ones stand behind them',
  ],
  [
    'a first number that changes',
    change({ cells: [cell('eu-1', 1), cell('eu-2', 7)] }),
    'cells',
    'cell eu-2 with number 2 is missing',
  ],
  [
    'a placement that is gone',
    change({ placements: BEFORE.placements.slice(0, 1) }),
    'placements.1',
    'an earlier placement has changed: add new ones at the end',
  ],
  [
    'a placement with one more cell',
    change({ placements: [{ operators: ['acme'], cells: ['eu-1', 'eu-2'] }, { cells: ['eu-2'] }] }),
    'placements.0',
    'an earlier placement has changed: add new ones at the end',
  ],
  [
    'a placement with one more operator',
    change({ placements: [{ operators: ['acme', 'beta'], cells: ['eu-1'] }, { cells: ['eu-2'] }] }),
    'placements.0',
    'an earlier placement has changed: add new ones at the end',
  ],
])('%s is refused', (_what, after, path, message) => {
  const found = findSuccessionIssues(BEFORE, after).map((issue) => [issue.path.join('.'), issue.message]);
  expect(found).toContainEqual([path, message]);
});

it('two cells that swap their names change every placement that names them', () => {
  const after = change({ cells: [cell('eu-2', 1), cell('eu-1', 2, 5)] });
  expect(findSuccessionIssues(BEFORE, after).map(({ path }) => path.join('.'))).toEqual([
    'placements.0',
    'placements.1',
  ]);
});

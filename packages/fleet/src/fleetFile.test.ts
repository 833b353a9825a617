import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FleetFileError, fleetOf } from './fleet.ts';
import { parseFleetFile, readFleetFile } from './fleetFile.ts';

const environment = { CELL_2: 'postgresql://two' };

const GOOD = `version: 2
cells:
  - name: eu-1
    numbers: [1, 4]
    url: https://eu-1.example.com/
    databaseUrl: postgresql://one
    nodes: [http://10.0.0.1:4000]
  - name: eu-2
    numbers: [2]
    url: https://eu-2.example.com
    databaseUrl: env:CELL_2
placements:
  - operators: [acme]
    cells: [eu-1]
  - cells: [eu-1, eu-2]
    home: eu-2
`;

const CELLS = [
  {
    name: 'eu-1',
    numbers: [1, 4],
    url: 'https://eu-1.example.com',
    databaseUrl: 'postgresql://one',
    nodes: ['http://10.0.0.1:4000'],
  },
  { name: 'eu-2', numbers: [2], url: 'https://eu-2.example.com', databaseUrl: 'postgresql://two' },
];
const PLACEMENTS = [
  { operators: ['acme'], cells: ['eu-1'] },
  { cells: ['eu-1', 'eu-2'], home: 'eu-2' },
];

const parse = (text: string) => parseFleetFile(text, { file: 'fleet.yaml', environment });

it('reads cells and placements, and the address of a database from the environment', () => {
  expect(parse(GOOD)).toEqual({ version: 2, cells: CELLS, placements: PLACEMENTS });
});

it('reads JSON', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'fleet-')), 'fleet.json');
  await writeFile(file, JSON.stringify({ version: 2, cells: CELLS, placements: PLACEMENTS }));
  expect(readFleetFile(file, {})).toEqual({ version: 2, cells: CELLS, placements: PLACEMENTS });
});

it('the fleet has no address of a database and of a node', () => {
  expect(fleetOf(parse(GOOD))).toEqual({
    version: 2,
    cells: CELLS.map(({ name, numbers, url }) => ({ name, numbers, url })),
    placements: PLACEMENTS,
  });
});

it('a file that is not there is an error with its name', () => {
  expect(() => readFleetFile('/nowhere/fleet.yaml', {})).toThrow(FleetFileError);
  expect(() => readFleetFile('/nowhere/fleet.yaml', {})).toThrow('/nowhere/fleet.yaml cannot be read: ENOENT.');
});

/** What is wrong, the text of the good file, what replaces it, and the message. */
const BAD: readonly [string, string, string, string][] = [
  ['broken YAML', 'numbers: [2]', 'numbers: [2', 'fleet.yaml:10: '],
  ['a key twice', '    numbers: [2]', '    numbers: [2]\n    numbers: [2]', 'fleet.yaml:10: Map keys must be unique'],
  ['no version', 'version: 2\n', '', 'fleet.yaml:1: version: '],
  ['a version of 0', 'version: 2', 'version: 0', 'fleet.yaml:1: version: '],
  ['a version that is a text', 'version: 2', 'version: two', 'fleet.yaml:1: version: '],
  ['a version with a fraction', 'version: 2', 'version: 2.5', 'fleet.yaml:1: version: '],
  [
    'a key that does not exist',
    'numbers: [2]',
    'numbers: [2]\n    shard: 1',
    'fleet.yaml:8: cells.1: Unrecognized key',
  ],
  [
    'a number of another cell',
    'numbers: [2]',
    'numbers: [4]',
    'fleet.yaml:9: cells.1.numbers.0: number 4 is that of cell eu-1 already',
  ],
  [
    'numbers that fall',
    'numbers: [1, 4]',
    'numbers: [4, 1]',
    'fleet.yaml:4: cells.0.numbers.1: number 1 is not above the one before it',
  ],
  [
    'a number twice in one cell',
    'numbers: [1, 4]',
    'numbers: [1, 1]',
    'fleet.yaml:4: cells.0.numbers.1: number 1 is that of cell eu-1 already',
  ],
  ['the number of no fleet', 'numbers: [2]', 'numbers: [0]', 'fleet.yaml:9: cells.1.numbers.0: '],
  ['a number above all', 'numbers: [2]', 'numbers: [1024]', 'fleet.yaml:9: cells.1.numbers.0: '],
  ['no number', 'numbers: [2]', 'numbers: []', 'fleet.yaml:9: cells.1.numbers: '],
  ['a name twice', 'name: eu-2', 'name: eu-1', 'fleet.yaml:8: cells.1.name: cell eu-1 is listed twice'],
  [
    'a name with other letters',
    'name: eu-2',
    'name: EU 2',
    'fleet.yaml:8: cells.1.name: is 1 to 32 of a-z, 0-9 and "-"',
  ],
  ['an address that is none', 'https://eu-2.example.com', 'eu-2', 'fleet.yaml:10: cells.1.url: '],
  ['an address of another protocol', 'https://eu-2.example.com', 'ftp://eu-2', 'fleet.yaml:10: cells.1.url: '],
  [
    'an address of another cell',
    'https://eu-2.example.com',
    'https://eu-1.example.com',
    'fleet.yaml:10: cells.1.url: https://eu-1.example.com is the address of cell eu-1 already',
  ],
  ['no database', '    databaseUrl: env:CELL_2\n', '', 'fleet.yaml:8: cells.1.databaseUrl: '],
  [
    'a variable that is not set',
    'env:CELL_2',
    'env:CELL_9',
    'fleet.yaml:11: cells.1.databaseUrl: the variable CELL_9 is not set',
  ],
  [
    'an unknown cell',
    '    cells: [eu-1]\n',
    '    cells: [eu-3]\n',
    'fleet.yaml:14: placements.0.cells.0: there is no cell eu-3',
  ],
  [
    'a cell twice',
    'cells: [eu-1, eu-2]',
    'cells: [eu-1, eu-2, eu-1]',
    'fleet.yaml:15: placements.1.cells.2: cell eu-1 is listed twice',
  ],
  [
    'a home that is elsewhere',
    '    cells: [eu-1]\n',
    '    cells: [eu-1]\n    home: eu-2\n',
    'fleet.yaml:15: placements.0.home: cell eu-2 is not one of the cells of this placement',
  ],
  ['an operator that cannot be one', '[acme]', '["ac me"]', 'fleet.yaml:13: placements.0.operators.0: '],
  ['a placement of no operator', '[acme]', '[]', 'fleet.yaml:13: placements.0.operators: '],
  ['no placement', GOOD.slice(GOOD.indexOf('placements:')), 'placements: []\n', 'fleet.yaml:12: placements: '],
  ['an empty file', GOOD, '', 'fleet.yaml:1: the file: '],
  ['a list', GOOD, '- eu-1\n', 'fleet.yaml:1: the file: '],
];

it.each(BAD)('%s is refused with its line', (_what, good, bad, message) => {
  expect(GOOD).toContain(good);
  const refusal = () => parse(GOOD.replace(good, bad));
  expect(refusal).toThrow(FleetFileError);
  expect(refusal).toThrow(message);
});

it('all issues are named at once', () => {
  const text = GOOD.replace('numbers: [2]', 'numbers: [4]')
    .replace('home: eu-2', 'home: eu-9')
    .replace('CELL_2', 'CELL_9');
  expect(() => parse(text)).toThrow(
    [
      'fleet.yaml:9: cells.1.numbers.0: number 4 is that of cell eu-1 already',
      'fleet.yaml:16: placements.1.home: cell eu-9 is not one of the cells of this placement',
      'fleet.yaml:11: cells.1.databaseUrl: the variable CELL_9 is not set',
    ].join('\n'),
  );
});

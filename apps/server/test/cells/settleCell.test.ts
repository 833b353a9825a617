import type { Cell, Fleet } from '@roundhouse/fleet';
import { idRangeOf } from '@roundhouse/fleet';
import { openClient } from '@roundhouse/service';
import { expect, it } from 'vitest';
import { findCell, findIdSequences } from '../../src/store/cells/cell.ts';
import { settleCell } from '../../src/store/cells/settleCell.ts';
import { useDatabaseOfEachTest } from '../support/database.ts';

const SEQUENCES = [
  'players_id_seq',
  'accounts_id_seq',
  'fair_seeds_id_seq',
  'fair_client_seeds_id_seq',
  'sessions_id_seq',
  'rounds_id_seq',
  'transfers_id_seq',
  'grants_id_seq',
];

const database = useDatabaseOfEachTest();

const cellOf = (name: string, ...numbers: number[]): Cell => ({ name, numbers, url: `https://${name}.example.com` });

const fleetWith = (version: number, ...cells: Cell[]): Fleet => ({
  version,
  cells,
  placements: [{ cells: cells.map(({ name }) => name), home: 'eu-1' }],
});

function settle(fleet: Fleet, name = 'eu-1') {
  const cell = fleet.cells.find((each) => each.name === name) as Cell;
  return settleCell({ url: database.url, fleet, cell, actor: 'person:ann' });
}

const FIRST = fleetWith(1, cellOf('eu-1', 1), cellOf('eu-2', 2));

it('a database becomes a cell: its next ids are those of its number', async () => {
  expect(await findCell(database.db.pool)).toBeUndefined();
  expect(await settle(FIRST)).toEqual({ isStored: true, sequences: SEQUENCES });
  expect(await findCell(database.db.pool)).toEqual({ numbers: [1], fleetVersion: 1, fleet: FIRST });
  const { first, last } = idRangeOf(1);
  for (const sequence of await findIdSequences(database.db.pool)) {
    expect(sequence).toMatchObject({ start: first, min: first, max: last, next: first });
  }
  expect(await addPlayer('anna')).toBe(first);
});

it('a database with rows becomes a cell, and keeps their ids', async () => {
  expect(await addPlayer('old')).toBe(1n);
  await settle(FIRST);
  expect(await addPlayer('new')).toBe(idRangeOf(1).first);
  expect(await database.db.player.findMany({ orderBy: { id: 'asc' }, select: { externalId: true } })).toEqual([
    { externalId: 'old' },
    { externalId: 'new' },
  ]);
});

it('is repeated, and changes nothing', async () => {
  await settle(FIRST);
  await addPlayer('anna');
  const before = await findIdSequences(database.db.pool);
  expect(await settle(FIRST)).toEqual({ isStored: false, sequences: [] });
  expect(await findIdSequences(database.db.pool)).toEqual(before);
});

it('ids move on when the cell has one more number', async () => {
  await settle(FIRST);
  await addPlayer('anna');
  const next = fleetWith(2, cellOf('eu-1', 1, 4), cellOf('eu-2', 2));
  expect(await settle(next)).toEqual({ isStored: true, sequences: SEQUENCES });
  expect(await findCell(database.db.pool)).toEqual({ numbers: [1, 4], fleetVersion: 2, fleet: next });
  expect(await addPlayer('ben')).toBe(idRangeOf(4).first);
});

it('stores a fleet with one more cell, and leaves the sequences', async () => {
  await settle(FIRST);
  const next = fleetWith(2, cellOf('eu-1', 1), cellOf('eu-2', 2), cellOf('eu-3', 3));
  next.placements = [...FIRST.placements, ...next.placements];
  expect(await settle(next)).toEqual({ isStored: true, sequences: [] });
  expect((await findCell(database.db.pool))?.fleet).toEqual(next);
});

it('a significant event says what changed, and who did it', async () => {
  await settle(FIRST);
  await settle(FIRST);
  const next = fleetWith(2, cellOf('eu-1', 1, 4), cellOf('eu-2', 2));
  await settle(next);
  const events = await database.db.significantEvent.findMany({
    where: { kind: 'cell_changed' },
    orderBy: { id: 'asc' },
  });
  expect(events).toMatchObject([
    { actor: 'person:ann', subject: 'cell 1', valueBefore: null },
    { actor: 'person:ann', subject: 'cell 1' },
  ]);
  const values = events.map(({ valueBefore, valueAfter }) =>
    [valueBefore, valueAfter].map((text) => JSON.parse(`${text}`)),
  );
  expect(values).toMatchObject([
    [null, { numbers: [1], fleet_version: 1, fleet: FIRST }],
    [
      { numbers: [1], fleet_version: 1, fleet: FIRST },
      { numbers: [1, 4], fleet_version: 2, fleet: next },
    ],
  ]);
});

it('one of two processes at once makes the change', async () => {
  const settled = await Promise.all([settle(FIRST), settle(FIRST), settle(FIRST)]);
  expect(settled.filter(({ isStored }) => isStored)).toHaveLength(1);
  expect(settled.flatMap(({ sequences }) => sequences)).toEqual(SEQUENCES);
});

it.each<[string, Fleet, string, string]>([
  [
    'another cell',
    fleetWith(2, cellOf('eu-1', 1), cellOf('eu-2', 2)),
    'eu-2',
    'The fleet file has this database as cell eu-2 with number 2, but it is cell eu-1 with number 1.',
  ],
  [
    'another fleet of the same version',
    fleetWith(1, cellOf('eu-1', 1), cellOf('eu-9', 2)),
    'eu-1',
    'Cell eu-1 has version 1 of the fleet, and version 1 cannot follow it:\n  version: the cells have version 1, so a change has a higher one',
  ],
  [
    'a fleet without a cell',
    fleetWith(2, cellOf('eu-1', 1, 5), cellOf('eu-2', 3)),
    'eu-1',
    'Cell eu-1 has version 1 of the fleet, and version 2 cannot follow it:\n  cells: cell eu-2 with number 2 is missing',
  ],
])('%s is refused, and changes nothing', async (_name, fleet, cell, message) => {
  await settle(FIRST);
  const before = [await findCell(database.db.pool), await findIdSequences(database.db.pool)];
  await expect(settle(fleet, cell)).rejects.toThrow(message);
  expect([await findCell(database.db.pool), await findIdSequences(database.db.pool)]).toEqual(before);
});

it('an older fleet is refused', async () => {
  await settle(FIRST);
  await settle(fleetWith(2, cellOf('eu-1', 1, 4), cellOf('eu-2', 2)));
  await expect(settle(FIRST)).rejects.toThrow(
    [
      'Cell eu-1 has version 2 of the fleet, and version 1 cannot follow it:',
      '  version: the cells have version 2, so a change has a higher one',
      '  cells.0.numbers: cell eu-1 has the numbers 1, 4: new ones stand behind them',
    ].join('\n'),
  );
});

it('ids of a number that no cell has are refused', async () => {
  await addPlayer('odd', (7n << 43n) + 5n);
  await expect(settle(FIRST)).rejects.toThrow(
    'Cell eu-1 has numbers 1, and ids of number 7 in players: no cell of the fleet has that number.',
  );
});

it('ids of another cell are refused in a database that was no cell', async () => {
  await addPlayer('odd', (2n << 43n) + 5n);
  await expect(settle(FIRST)).rejects.toThrow(
    'Cell eu-1 has numbers 1, and ids of number 2 in players, which is cell eu-2, but the database has been no cell before.',
  );
});

it('ids of moved-in players are accepted below the last number of the cell, and refused above', async () => {
  await settle(FIRST);
  await addPlayer('moved', (2n << 43n) + 5n);
  await expect(settle(FIRST)).rejects.toThrow(
    'Cell eu-1 has numbers 1, and ids of number 2 in players: give the cell a number above 2, as its last one.',
  );
  await settle(fleetWith(2, cellOf('eu-1', 1, 4), cellOf('eu-2', 2)));
  expect(await addPlayer('new')).toBe(idRangeOf(4).first);
});

it('a sequence above the range is refused', async () => {
  const client = await openClient(database.url);
  await client.query("SELECT setval('transfers_id_seq', $1)", [`${5n << 43n}`]);
  await client.end();
  await expect(settle(FIRST)).rejects.toThrow(
    `Cell eu-1 cannot make ids of number 1: the next id of transfers is ${(5n << 43n) + 1n}, above all of that number.`,
  );
  expect(await findCell(database.db.pool)).toBeUndefined();
});

async function addPlayer(externalId: string, id?: bigint): Promise<bigint> {
  const operator = await database.db.operator.upsert({
    where: { code: 'acme' },
    create: { code: 'acme', name: 'Acme' },
    update: {},
  });
  const player = await database.db.player.create({
    data: { operatorId: operator.id, externalId, ...(id !== undefined && { id }) },
  });
  return player.id;
}

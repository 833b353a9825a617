import type { Cell, Fleet } from '@roundhouse/fleet';
import { idRangeOf } from '@roundhouse/fleet';
import { StartError } from '@roundhouse/service';
import { expect, it } from 'vitest';
import { CellError, settleCell } from '../../src/store/cells/settleCell.ts';
import { requireCellIds } from '../../src/store/database/startChecks.ts';
import { useDatabaseOfEachTest } from '../support/database.ts';
import { openPlayers } from '../support/ledgerPlay.ts';

const FLEET: Fleet = {
  version: 1,
  cells: [
    { name: 'eu-1', numbers: [1, 4], url: 'https://eu-1' },
    { name: 'eu-2', numbers: [2], url: 'https://eu-2' },
    { name: 'eu-3', numbers: [5], url: 'https://eu-3' },
  ],
  placements: [{ cells: ['eu-1'] }],
};

const database = useDatabaseOfEachTest();

const settle = () => settleCell({ url: database.url, fleet: FLEET, cell: FLEET.cells[0] as Cell });

it('a database of no fleet has every id', async () => {
  await openPlayers(database.db, 1);
  await database.db.$executeRaw`SELECT setval('rounds_id_seq', ${idRangeOf(3).first})`;
  await requireCellIds(database.db);
});

it('a cell has old rows of no fleet, its own, and those of moved-in players', async () => {
  await openPlayers(database.db, 1);
  await settle();
  await requireCellIds(database.db);
  await database.db.player.create({ data: { id: idRangeOf(2).first, operatorId: 1, externalId: 'moved' } });
  await database.db.player.create({ data: { operatorId: 1, externalId: 'own' } });
  await requireCellIds(database.db);
});

it.each([
  ['begins again at 1', 'ALTER SEQUENCE rounds_id_seq MINVALUE 1 RESTART 1', 'rounds', 1n],
  ['has no end', 'ALTER SEQUENCE players_id_seq NO MAXVALUE', 'players', idRangeOf(4).first],
  [
    'stands in the range of an earlier number',
    `ALTER SEQUENCE grants_id_seq MINVALUE ${idRangeOf(1).first} MAXVALUE ${idRangeOf(1).last} START ${idRangeOf(1).first} RESTART ${idRangeOf(1).first}`,
    'grants',
    idRangeOf(1).first,
  ],
])('a cell does not start when a sequence %s', async (_what, change, table, next) => {
  await settle();
  await database.db.$executeRawUnsafe(change);
  await expect(requireCellIds(database.db)).rejects.toThrow(StartError);
  await expect(requireCellIds(database.db)).rejects.toThrow(
    `New ids of ${table} are not those of cell eu-1 with number 4: its next one is ${next}. Run \`roundhouse migrate --fleet\` first.`,
  );
});

it.each([
  ['above its last number', 5, 'give the cell a number above 5, as its last one.'],
  ['of a number that no cell has', 3, 'no cell of the fleet has that number.'],
])('a cell does not start with ids %s', async (_what, number, message) => {
  await openPlayers(database.db, 1);
  await settle();
  await database.db.player.create({ data: { id: idRangeOf(number).first, operatorId: 1, externalId: 'odd' } });
  await expect(requireCellIds(database.db)).rejects.toThrow(CellError);
  await expect(requireCellIds(database.db)).rejects.toThrow(
    `Cell eu-1 has numbers 1, 4, and ids of number ${number} in players: ${message}`,
  );
});

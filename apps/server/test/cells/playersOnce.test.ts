import { afterAll, beforeAll, expect, it } from 'vitest';
import { playersInSeveral } from '../../src/cells/playersOnce.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runRoundhouse, succeed } from '../support/roundhouse.ts';
import { fleetOfCells, writeFleet } from './writeFleet.ts';

const CELLS = ['eu-1', 'eu-2', 'eu-3'];
/**
 * A long list spans pages, and the two last names have another order in JavaScript than in bytes.
 */
const MANY = Array.from({ length: 10_001 }, (_, at) => `many-${at}`);
const databases: TestDatabase[] = [];
const dbs: Database[] = [];
let fleet: string;

beforeAll(async () => {
  for (const _ of CELLS) databases.push(await createTestDatabase());
  dbs.push(...databases.map(({ url }) => openDatabase({ url, connections: 2 })));
  fleet = await writeFleet(fleetOfCells(databases.map(({ url }) => ({ databaseUrl: url }))));
  await succeed(['migrate', '--fleet', fleet]);
  const [one, two, three] = dbs as [Database, Database, Database];
  for (const db of dbs) await db.operator.create({ data: { code: 'acme', name: 'Acme' } });
  await add(one, ['ann', 'bob', '\u{1F3B0}', ...MANY]);
  await add(two, ['carl', '\uFF21', 'many-10001']);
  await add(three, ['dora']);
});
afterAll(async () => {
  for (const db of dbs) await db.$disconnect();
  for (const database of databases) await database.drop();
});

async function add(db: Database, names: readonly string[], movedTo: number | null = null): Promise<void> {
  const { id } = await db.operator.findUniqueOrThrow({ where: { code: 'acme' } });
  await db.player.createMany({ data: names.map((externalId) => ({ operatorId: id, externalId, movedTo })) });
}

async function found() {
  const all = [];
  for await (const each of playersInSeveral(CELLS.map((cell, at) => ({ cell, db: dbs[at] as Database }))))
    all.push(each);
  return all;
}

it('finds exactly the players who are in more than one cell, and the books do not balance then', async () => {
  const [one, two, three] = dbs as [Database, Database, Database];
  // A player who has moved away is not there any more.
  await add(two, ['bob'], 1);
  expect(await found()).toEqual([]);
  expect(await succeed(['books-balance', '--fleet', fleet])).toMatch(/^all cells +balance/m);

  await add(two, ['many-9', '\u{1F3B0}']);
  await add(three, ['ann', 'many-9']);
  await add(one, ['\uFF21']);
  expect(await found()).toEqual([
    { operator: 'acme', playerID: 'ann', cells: ['eu-1', 'eu-3'] },
    { operator: 'acme', playerID: 'many-9', cells: ['eu-1', 'eu-2', 'eu-3'] },
    { operator: 'acme', playerID: '\uFF21', cells: ['eu-1', 'eu-2'] },
    { operator: 'acme', playerID: '\u{1F3B0}', cells: ['eu-1', 'eu-2'] },
  ]);
  const { code, stdout } = await runRoundhouse(['books-balance', '--fleet', fleet]);
  expect(code).toBe(1);
  expect(stdout).toContain('player ann of operator acme: is in eu-1 and eu-3 (a player is in one cell)\n');
  expect(stdout).toMatch(/^all cells +do NOT balance/m);
});

import { randomUUID } from 'node:crypto';
import type { Fleet } from '@roundhouse/fleet';
import { CELL_HEADER } from '@roundhouse/fleet';
import { beforeAll, expect, it } from 'vitest';
import { launchBody, operatorClient, refusalOf } from '../operators/api/operatorClient.ts';
import type { TestServer } from '../support/testServer.ts';
import { fleetOfVersion, houseInCells, joinFleet, playerOf, routed, useCells } from './fleet.ts';

const cells = useCells(2);
let house: Awaited<ReturnType<typeof houseInCells>>;
let fleet: Fleet;

beforeAll(async () => {
  house = await houseInCells(cells);
  fleet = fleetOfVersion(2, 3, [
    { operators: [house.code], cells: ['eu-1', 'eu-2'] },
    { operators: [house.code], cells: ['eu-1', 'eu-2', 'eu-3'] },
  ]);
  for (const [at, { db }] of cells.entries()) await joinFleet(db, at + 1, fleet);
});

const clientAt = (number: number, asked: number[] = []) =>
  operatorClient((cells[number - 1] as TestServer).url, house, routed(fleet.version, asked));
const playerIn = (...numbers: number[]) => playerOf(fleet, house.code, numbers);
const terms = () => ({
  ...{ gameIDs: ['fixture'], mode: 'BASE', bets: { USD: 1_000_000 }, rounds: 1, automatic: true, paidAtEnd: false },
  endsAt: new Date(Date.now() + 3_600_000).toISOString(),
});
const give = (number: number, players: readonly string[], asked: number[] = []) =>
  clientAt(number, asked).giveGrants({
    terms: terms(),
    grants: players.map((playerID) => ({ grantID: randomUUID(), playerID, currency: 'USD' })),
  });
const playersOf = (number: number, players: readonly string[]) =>
  (cells[number - 1] as TestServer).db.player.count({ where: { externalId: { in: [...players] } } });

it('grants for players of this cell are given here, to known and new ones', async () => {
  const players = [playerIn(1), playerIn(1)];
  expect((await clientAt(1).launch(launchBody({ playerID: players[0] }))).status).toBe(200);
  expect((await give(1, players)).status).toBe(200);
  expect(await playersOf(1, players)).toBe(2);
  const { body } = await clientAt(1).grants({ playerID: players[1] as string });
  expect(body.grants).toHaveLength(1);
});

it('when all players are of one other cell, it is 421, and nothing changes', async () => {
  const players = [playerIn(1), playerIn(1)];
  const refused = await give(2, players);
  expect([...refusalOf(refused), refused.headers.get(CELL_HEADER)]).toEqual([421, 'ERR_VAL', '1']);
  expect(await playersOf(2, players)).toBe(0);
});

it('when the players are of several cells, the refusal lists them, and nothing changes', async () => {
  const here = [playerIn(1), playerIn(1)];
  const there = Array.from({ length: 22 }, () => playerIn(2));
  const refused = await give(1, [...here, ...there]);
  expect(refusalOf(refused)).toEqual([400, 'ERR_VAL']);
  expect(refused.body.message).toBe(
    `grants: the players are of several cells, so each cell needs a separate request: this cell: ${here.join(', ')}; eu-2: ${there.slice(0, 20).join(', ')} and 2 more`,
  );
  expect(await playersOf(1, [...here, ...there])).toBe(0);
});

it('new players with different earlier cells are all created by their newest one', async () => {
  const players = [playerIn(1, 3), playerIn(2, 3)];
  const atFirst = await give(1, players);
  expect([atFirst.status, atFirst.headers.get(CELL_HEADER)]).toEqual([421, '2']);
  const atSecond = await give(2, players, [1]);
  expect([atSecond.status, atSecond.headers.get(CELL_HEADER)]).toEqual([421, '3']);
});

it('a list of the grants of a player of another cell is 421', async () => {
  const refused = await clientAt(2).grants({ playerID: playerIn(1) });
  expect([...refusalOf(refused), refused.headers.get(CELL_HEADER)]).toEqual([421, 'ERR_VAL', '1']);
});

it('a misdirected request may come again, unchanged: its nonce is free', async () => {
  // fetch repeats a 421, so the client sees the second response.
  const playerID = playerIn(1);
  expect((await clientAt(2).launch(launchBody({ playerID }))).status).toBe(421);
  expect(await (cells[1] as TestServer).db.operatorNonce.count()).toBe(0);
});

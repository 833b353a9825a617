import type { Fleet } from '@roundhouse/fleet';
import { CELL_HEADER, candidatesOf, FLEET_HEADER } from '@roundhouse/fleet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { openAccount } from '../../src/store/rounds/players.ts';
import { launchBody, operatorClient } from '../operators/api/operatorClient.ts';
import type { TestServer } from '../support/testServer.ts';
import { fleetOfVersion, houseInCells, joinFleet, playerOf, routed, seamlessInCells, useCells } from './fleet.ts';

const cells = useCells(2);
const [first, second] = [() => cells[0] as TestServer, () => cells[1] as TestServer];

let house: Awaited<ReturnType<typeof houseInCells>>;
let seamless: Awaited<ReturnType<typeof seamlessInCells>>;
/** Another node of the first cell, which has read its own fleet. */
let node: Awaited<ReturnType<TestServer['startNode']>>;
let nodeDatabase: Database;
/** Each version adds the other cell as the newest owner of some players. */
const fleetAt = (version: number): Fleet => {
  const operators = [house.code, seamless.code];
  const placements = Array.from({ length: version }, (_, at) => ({
    operators,
    cells: at % 2 === 0 ? ['eu-1'] : ['eu-1', 'eu-2'],
  }));
  return fleetOfVersion(version, 2, placements);
};
const store = async (version: number) => {
  for (const [at, { db }] of cells.entries()) await joinFleet(db, at + 1, fleetAt(version));
};
const playersIn = ({ db }: TestServer, externalId: string) => db.player.count({ where: { externalId } });

beforeAll(async () => {
  house = await houseInCells(cells);
  seamless = await seamlessInCells(cells);
  nodeDatabase = openDatabase({ url: first().databaseUrl });
  node = await first().startNode({ db: nodeDatabase });
});

afterAll(async () => {
  await node?.close();
  await nodeDatabase?.$disconnect();
  await seamless?.wallet.close();
});

/** The node forgets no fleet, so each test begins with a version that all have read. */
async function allHaveRead(version: number): Promise<void> {
  await store(version);
  for (const db of [first().db, second().db, nodeDatabase]) await db.fleet.reread();
}

it('a node with an old fleet creates no player of another cell', async () => {
  await allHaveRead(1);
  await store(2);
  for (const operator of [house, seamless]) {
    const playerID = playerOf(fleetAt(2), operator.code, [1, 2]);
    // The node does not hear of the new version: the database alone says it.
    const refused = await operatorClient(node.url, operator).launch(launchBody({ playerID }));
    const { headers } = refused;
    expect([refused.status, headers.get(CELL_HEADER), headers.get(FLEET_HEADER)]).toEqual([421, '2', '2']);
    expect(await playersIn(first(), playerID)).toBe(0);
    await nodeDatabase.fleet.reread();
  }
});

it('a launch beside the new fleet waits for it, and obeys it', async () => {
  await allHaveRead(1);
  const playerID = playerOf(fleetAt(2), house.code, [1, 2]);
  const launched = await first().db.$transaction(
    async (tx) => {
      await tx.$executeRaw`UPDATE cell SET fleet_version = 2, fleet = ${fleetAt(2)}::jsonb`;
      const launching = operatorClient(node.url, house).launch(launchBody({ playerID }));
      const waiting = async () => {
        const [row] = await first().db.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO players%'`;
        return row?.count;
      };
      await expect.poll(waiting).toBe(1n);
      return { launching };
    },
    { timeout: 60_000 },
  );
  expect((await launched.launching).status).toBe(421);
  expect(await playersIn(first(), playerID)).toBe(0);
});

it('a node without a fleet obeys the first one', async () => {
  await first().db.$executeRaw`DELETE FROM cell`;
  await nodeDatabase.fleet.reread();
  await store(2);
  const playerID = playerOf(fleetAt(2), house.code, [1, 2]);
  expect((await operatorClient(node.url, house).launch(launchBody({ playerID }))).status).toBe(421);
});

it('a node without a fleet reads the first one when a router names it', async () => {
  const client = operatorClient(node.url, house);
  await first().db.$executeRaw`DELETE FROM cell`;
  await nodeDatabase.fleet.reread();
  expect((await client.launch(launchBody({ playerID: 'known' }))).headers.get(FLEET_HEADER)).toBe(null);
  await store(1);
  // The player is known, so no creation shows the node that the database has a fleet now.
  const heard = async () =>
    (await operatorClient(node.url, house, routed(1)).playerRounds('known')).headers.get(FLEET_HEADER);
  await expect.poll(heard).toBe('1');
});

it('grants beside a new fleet are given by it', async () => {
  await allHaveRead(1);
  await store(2);
  const playerID = playerOf(fleetAt(2), house.code, [1, 2]);
  const terms = {
    gameIDs: ['fixture'],
    mode: 'BASE',
    bets: { USD: 1_000_000 },
    rounds: 1,
    automatic: true,
    paidAtEnd: false,
  };
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const grants = [{ grantID: `g-${playerID}`, playerID, currency: 'USD' }];
  const refused = await operatorClient(node.url, house).giveGrants({ terms: { ...terms, endsAt }, grants });
  expect([refused.status, refused.headers.get(CELL_HEADER)]).toEqual([421, '2']);
  expect(await playersIn(first(), playerID)).toBe(0);
});

it('a player that moves while a session starts gets no account in the cell that it leaves', async () => {
  const { id: operatorId } = await first().db.operator.findUniqueOrThrow({ where: { code: seamless.code } });
  const data = { operatorId, externalId: 'mover', movedTo: 2 };
  const { id: playerId } = await first().db.player.create({ data });
  await expect(openAccount(first().db, { operatorId, playerId, currency: 'USD', balance: null })).rejects.toThrow();
  expect(await first().db.account.count({ where: { playerId } })).toBe(0);
});

/** Asks the candidates as the launch router does, whose fleet file has this version. */
async function launchAsRouter(playerID: string, version: number): Promise<number> {
  const asked: string[] = [];
  const urls = [[first().url, node.url], [second().url]];
  const waiting = candidatesOf(fleetAt(version), { operator: house.code, playerID }).map(
    ({ numbers }) => numbers[0] as number,
  );
  const tried = new Set<number>();
  for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
    if (tried.has(number)) continue;
    tried.add(number);
    const choice = urls[number - 1] as string[];
    const headers = {
      [FLEET_HEADER]: String(version),
      ...(asked.length > 0 && { 'roundhouse-asked': asked.join(',') }),
    };
    const url = choice[Math.floor(Math.random() * choice.length)] as string;
    const response = await operatorClient(url, house, headers).launch(launchBody({ playerID }));
    if (response.status !== 421) return response.status;
    asked.push(`${number}@${response.headers.get(FLEET_HEADER)}`);
    waiting.unshift(Number(response.headers.get(CELL_HEADER)));
  }
  return 500;
}

it('routers with two fleets launch each player in one cell at most, while a new fleet is stored', async () => {
  await allHaveRead(3);
  const players = Array.from({ length: 25 }, (_, at) => `raced-${at}`);
  const launches = players.flatMap((playerID) => [3, 4, 4].map((version) => launchAsRouter(playerID, version)));
  await joinFleet(second().db, 2, fleetAt(4));
  await joinFleet(first().db, 1, fleetAt(4));
  for (const status of await Promise.all(launches)) expect([200, 500]).toContain(status);
  for (const playerID of players) {
    expect((await playersIn(first(), playerID)) + (await playersIn(second(), playerID)), playerID).toBeLessThanOrEqual(
      1,
    );
  }
  // With one fleet everywhere all are served, and by the cell that they are in.
  for (const playerID of players) expect(await launchAsRouter(playerID, 4)).toBe(200);
  for (const playerID of players) {
    expect((await playersIn(first(), playerID)) + (await playersIn(second(), playerID)), playerID).toBe(1);
  }
});

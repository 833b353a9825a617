import type { Fleet } from '@roundhouse/fleet';
import { CELL_HEADER, FLEET_HEADER } from '@roundhouse/fleet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBody, operatorClient, refusalOf, send, signedHeaders } from '../operators/api/operatorClient.ts';
import { expectNothingChanged } from '../support/snapshot.ts';
import type { TestServer } from '../support/testServer.ts';
import { fleetOfVersion, houseInCells, joinFleet, playerOf, routed, seamlessInCells, useCells } from './fleet.ts';

const cells = useCells(2);
const MISDIRECTED = [421, 'ERR_VAL'];

let house: Awaited<ReturnType<typeof houseInCells>>;
let seamless: Awaited<ReturnType<typeof seamlessInCells>>;
let fleet: Fleet;
/** Both operators had eu-1 first; now both cells take their new players. */
let placements: Fleet['placements'];

beforeAll(async () => {
  house = await houseInCells(cells);
  seamless = await seamlessInCells(cells);
  const operators = [house.code, seamless.code];
  placements = [
    { operators, cells: ['eu-1'] },
    { operators, cells: ['eu-1', 'eu-2'] },
    { operators: ['nobody'], cells: ['eu-1'] },
  ];
  fleet = fleetOfVersion(7, 2, placements);
  for (const [at, { db }] of cells.entries()) await joinFleet(db, at + 1, fleet);
});

const [first, second] = [() => cells[0] as TestServer, () => cells[1] as TestServer];
/** A client of one cell that sends what the launch router adds. */
const clientAt = (cell: TestServer, caller: { code: string; secret: string }, asked: number[] = []) =>
  operatorClient(cell.url, caller, routed(fleet.version, asked));
const playersIn = ({ db }: TestServer, externalId: string) => db.player.count({ where: { externalId } });

describe.each([
  ['with the house wallet', () => house],
  ['with a wallet of its own', () => seamless],
])('a launch of an operator %s', (_, operatorOf) => {
  it('creates the player in its one candidate', async () => {
    const playerID = playerOf(fleet, operatorOf().code, [1]);
    const { status, body, headers } = await clientAt(first(), operatorOf()).launch(launchBody({ playerID }));
    expect(status).toBe(200);
    expect(headers.get(FLEET_HEADER)).toBe('7');
    expect(headers.get(CELL_HEADER)).toBeNull();
    expect(body.sessionID).toMatch(new RegExp(`^${operatorOf().code}:c1\\.[\\w-]{32}$`));
    expect(await playersIn(first(), playerID)).toBe(1);
  });

  it('of a player of another cell is 421 that names the cell, and changes nothing', async () => {
    const playerID = playerOf(fleet, operatorOf().code, [1]);
    await expectNothingChanged(second(), async () => {
      const refused = await clientAt(second(), operatorOf()).launch(launchBody({ playerID }));
      expect(refusalOf(refused)).toEqual(MISDIRECTED);
      expect(refused.headers.get(CELL_HEADER)).toBe('1');
      expect(refused.headers.get(FLEET_HEADER)).toBe('7');
      expect(refused.body.message).toBe(
        `player ${playerID} is not of this cell: by version 7 of the fleet, cell eu-1 (1) comes next`,
      );
    });
    expect(await playersIn(second(), playerID)).toBe(0);
  });

  it('creates a player in the newest cell only when the earlier one has refused', async () => {
    const playerID = playerOf(fleet, operatorOf().code, [1, 2]);
    const asFirst = await clientAt(second(), operatorOf()).launch(launchBody({ playerID }));
    expect([...refusalOf(asFirst), asFirst.headers.get(CELL_HEADER)]).toEqual([...MISDIRECTED, '1']);
    const atOld = await clientAt(first(), operatorOf()).launch(launchBody({ playerID }));
    expect([...refusalOf(atOld), atOld.headers.get(CELL_HEADER)]).toEqual([...MISDIRECTED, '2']);
    expect((await clientAt(second(), operatorOf(), [1]).launch(launchBody({ playerID }))).status).toBe(200);
    expect([await playersIn(first(), playerID), await playersIn(second(), playerID)]).toEqual([0, 1]);
    // From now on the cell knows it.
    expect((await clientAt(second(), operatorOf()).launch(launchBody({ playerID }))).status).toBe(200);
  });

  it('of a player that the cell has is served there, whoever would create it now', async () => {
    const playerID = playerOf(fleet, operatorOf().code, [1, 2]);
    const { id: operatorId } = await first().db.operator.findUniqueOrThrow({ where: { code: operatorOf().code } });
    await first().db.player.create({ data: { operatorId, externalId: playerID } });
    expect((await clientAt(first(), operatorOf()).launch(launchBody({ playerID }))).status).toBe(200);
  });

  it('of a player that has moved goes to the cell that has it', async () => {
    const playerID = playerOf(fleet, operatorOf().code, [1]);
    const { id: operatorId } = await first().db.operator.findUniqueOrThrow({ where: { code: operatorOf().code } });
    await first().db.player.create({ data: { operatorId, externalId: playerID, movedTo: 2 } });
    const refused = await clientAt(first(), operatorOf(), [2]).launch(launchBody({ playerID }));
    expect([...refusalOf(refused), refused.headers.get(CELL_HEADER)]).toEqual([...MISDIRECTED, '2']);
  });
});

it('a refusal of an older fleet does not let a cell create the player', async () => {
  const playerID = playerOf(fleet, house.code, [1, 2]);
  const client = operatorClient(second().url, house, { 'roundhouse-fleet': '7', 'roundhouse-asked': '1@6' });
  expect(refusalOf(await client.launch(launchBody({ playerID })))).toEqual(MISDIRECTED);
});

describe('a request that names a player of another cell is 421:', () => {
  it('ending sessions, and the statement of the player', async () => {
    const playerID = playerOf(fleet, house.code, [1]);
    const client = clientAt(second(), house);
    for (const refused of [await client.endSessions({ playerID }), await client.playerRounds(playerID)]) {
      expect([...refusalOf(refused), refused.headers.get(CELL_HEADER)]).toEqual([...MISDIRECTED, '1']);
    }
    const own = clientAt(first(), house);
    expect((await own.endSessions({ playerID })).body).toEqual({ ended: 0 });
    expect((await own.playerRounds(playerID)).status).toBe(404);
  });
});

describe('an operator that the fleet places in no cell', () => {
  it('gets a refusal that says so', async () => {
    const lost = await houseInCells(cells);
    const refused = await clientAt(first(), lost).launch(launchBody({ playerID: 'anna' }));
    expect(refusalOf(refused)).toEqual([400, 'ERR_VAL']);
    expect(refused.body.message).toBe(`version 7 of the fleet places operator ${lost.code} in no cell`);
    expect(refused.headers.get(CELL_HEADER)).toBeNull();
    const unnamed = await seamlessInCells(cells);
    expect(refusalOf(await clientAt(first(), unnamed).launch(launchBody()))).toEqual([400, 'ERR_VAL']);
    await unnamed.wallet.close();
  });
});

describe('session verification', () => {
  it('refuses a player of another cell, and stores nothing', async () => {
    const playerID = playerOf(fleet, seamless.code, [1]);
    const sessionID = `${seamless.code}:a-session:${playerID}`;
    await expectNothingChanged(second(), async () => {
      const refused = await second().authenticate(sessionID);
      expect(refusalOf(refused)).toEqual([400, 'ERR_VAL']);
      expect(refused.body.message).toBe('the player is of cell eu-1: launch with its playerID');
    });
    expect(await playersIn(second(), playerID)).toBe(0);
    expect((await first().authenticate(sessionID)).status).toBe(200);
  });
});

it('each response of a cell names the version of its fleet, also one to a request that is not signed', async () => {
  const { status, headers } = await send(first().url, { method: 'GET', path: '/operator/games' });
  expect([status, headers.get(FLEET_HEADER)]).toEqual([401, '7']);
});

describe('a signed launch without playerID', () => {
  let settled: Awaited<ReturnType<typeof seamlessInCells>>;
  let homeless: Awaited<ReturnType<typeof seamlessInCells>>;
  beforeAll(async () => {
    settled = await seamlessInCells(cells);
    homeless = await seamlessInCells(cells);
    const both = ['eu-1', 'eu-2'];
    const more = [
      { operators: [settled.code], cells: both, home: 'eu-2' },
      { operators: [homeless.code], cells: both },
    ];
    fleet = fleetOfVersion(8, 2, [...placements, ...more]);
    for (const [at, { db }] of cells.entries()) await joinFleet(db, at + 1, fleet);
  });
  afterAll(() => Promise.all([settled, homeless].map(({ wallet }) => wallet.close())));

  it('is accepted by the home cell of its operator alone, and there once', async () => {
    const launch = { method: 'POST', path: '/operator/sessions', body: launchBody() };
    const signed = { ...launch, headers: { ...signedHeaders(settled, launch), ...routed(fleet.version, []) } };
    await expectNothingChanged(first(), async () => {
      const refused = await send(first().url, signed);
      expect([...refusalOf(refused), refused.headers.get(CELL_HEADER)]).toEqual([...MISDIRECTED, '2']);
      expect(refused.body.message).toMatch(/^a launch without playerID is of the home cell of operator /);
    });
    expect((await send(second().url, signed)).status).toBe(200);
    expect((await send(second().url, signed)).status).toBe(401);
    expect((await send(first().url, signed)).status).toBe(421);
  });

  it('is refused by each cell when its operator has no home', async () => {
    for (const cell of [first(), second()]) {
      const refused = await clientAt(cell, homeless).launch(launchBody());
      expect(refusalOf(refused)).toEqual([400, 'ERR_VAL']);
      expect(refused.body.message).toMatch(/^playerID: is needed, because .* several cells, and no home cell$/);
    }
  });
});

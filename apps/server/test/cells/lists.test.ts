import { CURSORS_HEADER } from '@roundhouse/fleet';
import { beforeAll, describe, expect, it } from 'vitest';
import { INVALID, launchBody, operatorClient, refusalOf } from '../operators/api/operatorClient.ts';
import type { TestResponse, TestServer } from '../support/testServer.ts';
import { fleetOfVersion, houseInCells, joinFleet, leaveFleet, routed, useCells } from './fleet.ts';

const cells = useCells(1);
const cell = () => cells[0] as TestServer;
const VERSION = 3;
const CELL = 2;
const ROUNDS = 5;

let house: Awaited<ReturnType<typeof houseInCells>>;
let client: ReturnType<typeof operatorClient>;

beforeAll(async () => {
  house = await houseInCells(cells);
  client = operatorClient(cell().url, house, routed(VERSION));
  const placements = [{ operators: [house.code], cells: ['eu-2'] }];
  await joinFleet(cell().db, CELL, fleetOfVersion(VERSION, 2, placements));
  const { body } = await client.launch(launchBody({ playerID: 'anna' }));
  for (let at = 0; at < ROUNDS; at += 1) await giveGrant(at);
  // A free round each, which the operator pays.
  expect((await cell().authenticate(body.sessionID)).status).toBe(200);
  for (let at = 0; at < ROUNDS; at += 1) {
    const { status, body: played } = await cell().play(body.sessionID, { mode: 'AUTO' });
    expect(status, JSON.stringify(played)).toBe(200);
    if (played.round.active) await cell().endRound(body.sessionID);
  }
});

async function giveGrant(at: number): Promise<void> {
  const campaignID = `campaign-${at}`;
  const terms = {
    gameIDs: ['fixture'],
    mode: 'AUTO',
    bets: { USD: 1_000_000 },
    rounds: 1,
    automatic: true,
    paidAtEnd: false,
  };
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const created = await client.createCampaign({ campaignID, ...terms, endsAt });
  expect(created.status, created.text).toBe(200);
  const given = await client.giveGrants({
    campaignID,
    grants: [{ grantID: `grant-${at}`, playerID: 'anna', currency: 'USD' }],
  });
  expect(given.status, given.text).toBe(200);
}

const composite = (parts: object) => Buffer.from(JSON.stringify({ f: 1, ...parts })).toString('base64url');
const cursorsOf = ({ headers }: TestResponse) => headers.get(CURSORS_HEADER)?.split(',');

describe.each([
  ['rounds', 'betID', (query: object) => client.rounds(query as Record<string, string>)],
  ['rounds', 'betID', (query: object) => client.playerRounds('anna', query as Record<string, string>)],
  ['campaigns', 'campaignID', (query: object) => client.campaigns(query as Record<string, string>)],
  ['grants', 'grantID', (query: object) => client.grants(query as Record<string, string>)],
  ['grants', 'grantID', (query: object) => client.changes(query as Record<string, string>)],
] as const)('a list of %s, by %s', (rows, id, list) => {
  const idsOf = ({ body }: TestResponse) => body[rows].map((row: Record<string, unknown>) => row[id]);

  it('names the cursor after each row for the launch router, and each of them goes on behind its row', async () => {
    const all = await list({ limit: ROUNDS });
    const ids = idsOf(all);
    expect(ids).toHaveLength(ROUNDS);
    const cursors = cursorsOf(all) ?? [];
    expect(cursors).toHaveLength(ROUNDS);
    for (const [at, cursor] of cursors.entries()) {
      expect(idsOf(await list({ limit: ROUNDS, cursor }))).toEqual(ids.slice(at + 1));
      expect(idsOf(await list({ limit: ROUNDS, cursor: composite({ 1: '', [CELL]: cursor }) }))).toEqual(
        ids.slice(at + 1),
      );
    }
  });

  it('begins without a part of its own, and is empty with an empty one', async () => {
    const all = idsOf(await list({ limit: ROUNDS }));
    expect(idsOf(await list({ limit: ROUNDS, cursor: composite({ 1: 'MTA' }) }))).toEqual(all);
    const over = await list({ limit: ROUNDS, cursor: composite({ [CELL]: '' }) });
    expect([idsOf(over), over.body.cursor]).toEqual([[], null]);
  });

  it('writes the cursor of the next page for this cell alone', async () => {
    const first = await list({ limit: 2, cursor: composite({ 1: '' }) });
    expect(first.body.cursor).toBe(cursorsOf(first)?.[1]);
  });

  it.each([
    ['no number of a cell', { x: 'MTA' }],
    ['a part that is no text', { 2: 10 }],
    ['a part that is no cursor', { 2: 'zzz' }],
    ['a bad part of another cell', { 1: 'zzz' }],
    ['another form', { f: 2, 2: 'MTA' }],
  ])('refuses a cursor with %s', async (_, parts) => {
    expect(refusalOf(await list({ cursor: composite(parts) }))).toEqual(INVALID);
  });
});

it('changes without a new one keep the cursor of this cell', async () => {
  const all = await client.changes({ limit: ROUNDS });
  const last = all.body.cursor;
  const none = await client.changes({ cursor: composite({ 1: 'MTA', [CELL]: last }) });
  expect(none.body).toEqual({ grants: [], cursor: last });
});

it('a plain cursor from the router is of the first cell of the operator: another cell begins', async () => {
  const placements = [{ operators: [house.code], cells: ['eu-1', 'eu-2'] }];
  await joinFleet(cell().db, CELL, fleetOfVersion(VERSION + 1, 2, placements));
  const later = operatorClient(cell().url, house, routed(VERSION + 1));
  const all = await later.rounds();
  const [cursor = ''] = cursorsOf(all) ?? [];
  expect((await later.rounds({ cursor })).body).toEqual(all.body);
  expect((await later.rounds({ cursor: composite({ [CELL]: cursor }) })).body.rounds).toEqual(all.body.rounds.slice(1));
  // Lists of a player, and requests without a router, are of one cell.
  const rest = { rounds: all.body.rounds.slice(1), cursor: null };
  expect((await later.playerRounds('anna', { cursor })).body).toEqual(rest);
  expect((await operatorClient(cell().url, house).rounds({ cursor })).body).toEqual(rest);
  expect(refusalOf(await later.rounds({ cursor: 'zzz' }))).toEqual(INVALID);
  for (const list of [later.campaigns, later.grants, later.changes]) {
    const whole = await list();
    const [after = ''] = cursorsOf(whole) ?? [];
    expect((await list({ cursor: after })).body).toEqual(whole.body);
  }
});

it('requests that are not routed get no cursors of rows, and a server of no fleet knows no cursor of a fleet', async () => {
  const direct = operatorClient(cell().url, house);
  expect(cursorsOf(await direct.rounds())).toBeUndefined();
  await leaveFleet(cell().db);
  const node = await cell().startNode({ db: cell().db });
  try {
    await cell().db.fleet.reread();
    const alone = operatorClient(node.url, house, routed(VERSION));
    const listed = await alone.rounds();
    expect([listed.status, cursorsOf(listed), listed.headers.get('roundhouse-fleet')]).toEqual([200, undefined, null]);
    expect(refusalOf(await alone.rounds({ cursor: composite({ 2: 'MTA' }) }))).toEqual(INVALID);
  } finally {
    await node.close();
  }
});

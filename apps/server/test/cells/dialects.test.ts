import { createSign } from 'node:crypto';
import { aggregatorOf } from '@roundhouse/aggregators';
import type { Fleet } from '@roundhouse/fleet';
import { CELL_HEADER, candidatesOf, FLEET_HEADER } from '@roundhouse/fleet';
import { beforeAll, expect, it } from 'vitest';
import { useDialectServer } from '../support/dialectServer.ts';
import { fleetOfVersion, joinFleet, routed } from './fleet.ts';

const kit = aggregatorOf('hub88');
if (kit === undefined) throw new Error('there is no simulator of Hub88');
const server = useDialectServer({ kit, settings: { operatorIDs: [1], product: 'Studio' } });
const VERSION = 4;
let fleet: Fleet;

/** The server is eu-1; eu-2 has players as well. */
beforeAll(async () => {
  fleet = fleetOfVersion(VERSION, 2, [{ operators: ['acme'], cells: ['eu-1', 'eu-2'] }]);
  await joinFleet(server.db, 1, fleet);
  await server.db.fleet.reread();
});

async function ask(path: string, content: object, asked: number[] = []) {
  const body = Buffer.from(JSON.stringify(content));
  const { keys, supplierUrl } = server.simulator.world;
  const signature = createSign('sha256').update(body).sign(keys.aggregator.privateKey, 'base64');
  const headers = { 'x-hub88-signature': signature, ...routed(VERSION, asked) };
  const response = await fetch(`${supplierUrl}${path}`, { method: 'POST', headers, body });
  const named = { cell: response.headers.get(CELL_HEADER), fleet: response.headers.get(FLEET_HEADER) };
  return { status: response.status, body: JSON.parse(await response.text()), ...named };
}

/** Returns a user of Hub88 whose cell has this number; the server knows the player as 1/user. */
function userIn(number: number): string {
  for (let at = 0; ; at += 1) {
    const [cell] = candidatesOf(fleet, { operator: 'acme', playerID: `1/user-${at}` });
    if (cell?.numbers[0] === number) return `user-${at}`;
  }
}

const launchOf = (user: string) => ({
  ...{ user, token: 'a-token', currency: 'EUR', country: 'EE', platform: 'GPL_MOBILE', operator_id: 1 },
  ...{ game_code: 'fixture', lang: 'de', lobby_url: 'https://casino.example', deposit_url: '', ip: '10.0.0.39' },
});

it('a launch of a player of this cell is served, and its session has the mark of the cell', async () => {
  const { status, body, cell, fleet: version } = await ask('/game/url', launchOf(userIn(1)));
  expect([status, cell, version]).toEqual([200, null, String(VERSION)]);
  expect(new URL(body.url).searchParams.get('sessionID')).toMatch(/^acme:c1\.[\w-]{32}$/);
});

it('a launch of a player of another cell is refused in the words of the dialect, with the cell in a header', async () => {
  const user = userIn(2);
  const { status, body, cell, fleet: version } = await ask('/game/url', launchOf(user));
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body).toEqual({ error: expect.any(String) });
  expect([cell, version]).toEqual(['2', String(VERSION)]);
  expect(await server.db.player.count({ where: { externalId: `1/${user}` } })).toBe(0);
});

it('what this cell does not have is passed on once to each other cell', async () => {
  const cancel = { operator_id: 1, reward_uuid: '6a1f1a7e-7a6c-4f6b-9d5a-6f8d1c0e2b11' };
  expect((await ask('/freebet/rewards/cancel', cancel)).cell).toBe('2');
  expect((await ask('/freebet/rewards/cancel', cancel, [2])).cell).toBeNull();
});

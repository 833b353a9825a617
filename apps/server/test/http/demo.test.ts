import { demoConfigResponseSchema, demoPlayResponseSchema } from '@roundhouse/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reinstateVersion, withdrawVersion } from '../../src/ledger/queries/games.ts';
import { type SwitchKey, switchMaintenanceOff, switchMaintenanceOn } from '../../src/ledger/queries/maintenance.ts';
import type { RunningServer } from '../../src/server.ts';
import { expectNothingChanged } from '../support/snapshot.ts';
import { clientOf, UNIT, useTestServer } from '../support/testServer.ts';

const server = useTestServer();
let node: RunningServer;
beforeAll(async () => {
  node = await server.startNode({ demo: true });
});
afterAll(() => node.close());

const FIXTURE = { game: 'fixture', version: '1.0.0' };
const BET = { ...FIXTURE, currency: 'USD', amount: UNIT, mode: 'base' };

async function post(path: string, body: object, url = node.url) {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  const parsed: any = await response.json();
  return { status: response.status, body: parsed };
}

it('is off unless the server has it switched on', async () => {
  for (const [path, body] of [
    ['/demo/config', FIXTURE],
    ['/demo/play', BET],
  ] as const) {
    const refused = await post(path, body, server.url);
    expect(refused).toEqual({ status: 400, body: { error: 'ERR_VAL', message: 'fun mode is off on this server' } });
  }
});

it('has the config of the game for the currency', async () => {
  const sessionID = await server.newSession({ currency: 'JPY' });
  const { config } = (await server.post('/wallet/authenticate', { sessionID })).body;
  const { status, body } = await post('/demo/config', { ...FIXTURE, currency: 'JPY' });
  expect([status, demoConfigResponseSchema.parse(body)]).toEqual([200, { config, currency: 'JPY' }]);
  expect((await post('/demo/config', FIXTURE)).body.currency).toBe('USD');
});

it('draws books of the lookup table, and stores nothing', async () => {
  await expectNothingChanged(server, async () => {
    for (let time = 0; time < 20; time += 1) {
      const { status, body } = await post('/demo/play', BET);
      const { round } = demoPlayResponseSchema.parse(body);
      expect(status).toBe(200);
      expect(round).toMatchObject({ betID: 0, amount: UNIT, mode: 'BASE', active: true, event: null });
      expect(round.payout).toBe(Math.round(round.payoutMultiplier * UNIT));
      expect(round.state.length).toBeGreaterThan(0);
    }
  });
});

it.each<[object, string]>([
  [{ amount: 1 }, 'below the minimum'],
  [{ amount: UNIT + 1 }, 'not divisible'],
  [{ amount: 1_000_000 * UNIT }, 'above the maximum'],
  [{ mode: 'TURBO' }, 'no such mode'],
  [{ currency: 'DOGE' }, 'not offered in DOGE'],
  [{ version: '9' }, 'no such game'],
  [{ amount: -1 }, 'amount'],
])('refuses %j as play does', async (change, reason) => {
  const { status, body } = await post('/demo/play', { ...BET, ...change });
  expect([status, body.error]).toEqual([400, 'ERR_VAL']);
  expect(body.message).toContain(reason);
});

it('obeys maintenance and withdrawals as a session does', async () => {
  const { db } = server;
  /** Of the config, and of plays in two modes. */
  const codes = async () => {
    const requests = [
      post('/demo/config', FIXTURE),
      post('/demo/play', BET),
      post('/demo/play', { ...BET, mode: 'ante' }),
    ];
    return (await Promise.all(requests)).map(({ body }) => body.error ?? 'ok');
  };
  const mode: SwitchKey = { scope: 'game', target: 'fixture', mode: 'ANTE' };
  const everything: SwitchKey = { scope: 'server', target: '' };
  // It has no part in fun mode.
  const operator: SwitchKey = { scope: 'operator', target: 'house' };
  await switchMaintenanceOn(db, { ...operator, level: 'nothing_at_all' });
  await switchMaintenanceOn(db, { ...mode, level: 'no_new_rounds' });
  await expect.poll(codes).toEqual(['ok', 'ok', 'ERR_MAINTENANCE']);
  await switchMaintenanceOff(db, mode);
  await switchMaintenanceOff(db, operator);

  await withdrawVersion(db, { gameID: 'fixture', version: '1.0.0' });
  await expect.poll(codes).toEqual(['ok', 'ERR_MAINTENANCE', 'ERR_MAINTENANCE']);
  await reinstateVersion(db, { gameID: 'fixture', version: '1.0.0' });

  await switchMaintenanceOn(db, { ...everything, level: 'nothing_at_all' });
  await expect.poll(codes).toEqual(Array(3).fill('ERR_MAINTENANCE'));
  const message = 'the server is under planned maintenance';
  expect(await post('/demo/config', FIXTURE)).toEqual({ status: 500, body: { error: 'ERR_MAINTENANCE', message } });
  await switchMaintenanceOff(db, everything);
  await expect.poll(codes).toEqual(['ok', 'ok', 'ok']);
});

it('takes no larger body than play does', async () => {
  for (const path of ['/demo/config', '/demo/play']) {
    const { status, body } = await post(path, { ...BET, more: 'm'.repeat(16_384) });
    expect([status, body.message]).toEqual([400, 'the body is larger than 16 KiB']);
  }
});

it('house players are served beside a flood of plays for fun', async () => {
  const player = clientOf(node.url);
  const sessionID = await server.liveSession();
  let rounds = 0;
  // Each sends its next request at once, on a connection of its own.
  const flood = Array.from({ length: 100 }, async (_, index) => {
    const statuses = new Set<number>();
    while (rounds < 10) statuses.add((await post('/demo/play', { ...BET, ...(index % 2 && { mode: 'none' }) })).status);
    return [...statuses];
  });
  while (rounds < 10) {
    expect((await player.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' })).status).toBe(200);
    expect((await player.post('/wallet/end-round', { sessionID })).status).toBe(200);
    rounds += 1;
  }
  expect(new Set((await Promise.all(flood)).flat())).toEqual(new Set([200, 400]));
});

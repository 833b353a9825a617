import { demoConfigResponseSchema, demoPlayResponseSchema } from '@roundhouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { reinstateVersion, withdrawVersion } from '../../../src/store/rounds/games.ts';
import { type SwitchKey, switchMaintenanceOff, switchMaintenanceOn } from '../../../src/store/rounds/maintenance.ts';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { type GameClient, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
let node: GameClient;
beforeAll(async () => {
  node = await server.startNode({ demo: true });
});

const FIXTURE = { game: 'fixture', version: '1.0.0' };
const BET = { ...FIXTURE, currency: 'USD', amount: UNIT, mode: 'base' };

const config = (more: object = {}) => node.post('/demo/config', { ...FIXTURE, ...more });
const play = (more: object = {}) => node.post('/demo/play', { ...BET, ...more });

it('is off unless the server has it switched on', async () => {
  for (const path of ['/demo/config', '/demo/play'])
    expectRefusal(await server.post(path, BET), 'ERR_VAL', 'fun mode is off on this server');
});

it('has the config of the game for the currency', async () => {
  const shown = (await server.authenticate(await server.newSession({ currency: 'JPY' }))).body.config;
  const { status, body } = await config({ currency: 'JPY' });
  expect([status, demoConfigResponseSchema.parse(body)]).toEqual([200, { config: shown, currency: 'JPY' }]);
  expect((await config()).body.currency).toBe('USD');
});

it('draws books of the lookup table, and stores nothing', async () => {
  await expectNothingChanged(server, async () => {
    for (let time = 0; time < 20; time += 1) {
      const { status, body } = await play();
      const { round } = demoPlayResponseSchema.parse(body);
      expect(status).toBe(200);
      expect(round).toMatchObject({ betID: 0, amount: UNIT, mode: 'base', active: true, event: null });
      expect(round.payout).toBe(Math.round(round.payoutMultiplier * UNIT));
      expect(round.state.length).toBeGreaterThan(0);
    }
  });
});

it.each<[object, string]>([
  [{ amount: 1 }, 'below the minimum'],
  [{ mode: 'TURBO' }, 'no such mode'],
  [{ currency: 'DOGE' }, 'currency: DOGE is not a currency of ISO 4217'],
  [{ version: '9' }, 'no such game'],
  [{ amount: -1 }, 'amount'],
])('refuses %j as play does', async (change, reason) => expectRefusal(await play(change), 'ERR_VAL', reason));

it('obeys maintenance and withdrawals as a session does', async () => {
  const { db } = server;
  /** Returns the codes of the config, and of plays in two modes. */
  const codes = async () =>
    (await Promise.all([config(), play(), play({ mode: 'ante' })])).map(({ body }) => body.error ?? 'ok');
  const mode: SwitchKey = { scope: 'game', target: 'fixture', mode: 'ANTE' };
  const everything: SwitchKey = { scope: 'server', target: '' };
  // The operator has no part in fun mode.
  const operator: SwitchKey = { scope: 'operator', target: 'house' };
  await switchMaintenanceOn(db, { ...operator, level: 'nothing_at_all' });
  await switchMaintenanceOn(db, { ...mode, level: 'no_new_rounds' });
  await expect.poll(codes).toEqual(['ok', 'ok', 'ERR_MAINTENANCE']);
  expectRefusal(await play({ mode: 'ante' }), 'ERR_MAINTENANCE', 'this game is under planned maintenance');
  await switchMaintenanceOff(db, mode);
  await switchMaintenanceOff(db, operator);

  await withdrawVersion(db, { gameID: 'fixture', version: '1.0.0' });
  await expect.poll(codes).toEqual(['ok', 'ERR_MAINTENANCE', 'ERR_MAINTENANCE']);
  await reinstateVersion(db, { gameID: 'fixture', version: '1.0.0' });

  await switchMaintenanceOn(db, { ...everything, level: 'nothing_at_all' });
  await expect.poll(codes).toEqual(Array(3).fill('ERR_MAINTENANCE'));
  expectRefusal(await config(), 'ERR_MAINTENANCE', 'the server is under planned maintenance');
  await switchMaintenanceOff(db, everything);
  await expect.poll(codes).toEqual(['ok', 'ok', 'ok']);
});

it('takes no larger body than play does', async () => {
  const more = { more: 'm'.repeat(16_384) };
  for (const refused of [await config(more), await play(more)])
    expectRefusal(refused, 'ERR_VAL', 'the body is larger than 16 KiB');
});

it('house players are served beside a flood of plays for fun', async () => {
  const sessionID = await server.liveSession();
  let rounds = 0;
  // Each sends its next request at once, on a separate connection.
  const flood = Array.from({ length: 100 }, async (_, index) => {
    const statuses = new Set<number>();
    while (rounds < 10) statuses.add((await play(index % 2 ? { mode: 'none' } : {})).status);
    return [...statuses];
  });
  for (; rounds < 10; rounds += 1) {
    expect((await node.play(sessionID)).status).toBe(200);
    expect((await node.endRound(sessionID)).status).toBe(200);
  }
  expect(new Set((await Promise.all(flood)).flat())).toEqual(new Set([200, 400]));
});

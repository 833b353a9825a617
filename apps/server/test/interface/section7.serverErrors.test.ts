import { ERROR_CODES, ERRORS, MAX_MICROS } from '@roundhouse/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { switchMaintenanceOff, switchMaintenanceOn } from '../../src/ledger/queries/maintenance.ts';
import { checkedClient, ENDPOINTS, OPENING, sessionInRound, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';
import { OPERATOR } from '../support/testServer.ts';
import { withRenamed } from '../support/withRenamed.ts';

const server = useCheckedServer();

const SWITCHES = [
  { scope: 'server', target: '' },
  { scope: 'operator', target: OPERATOR },
  { scope: 'game', target: 'fixture' },
] as const;
const OTHERS = [
  { scope: 'operator', target: 'another' },
  { scope: 'game', target: 'another' },
] as const;
const [, , , endRound] = ENDPOINTS;

afterEach(async () => {
  for (const key of [...SWITCHES, ...OTHERS]) await switchMaintenanceOff(server.db, key);
});

describe('7. the table', () => {
  test('has eight rows, each with its HTTP class and meaning', () => {
    expect(ERROR_CODES.map((code) => `${ERRORS[code].status} ${code}: ${ERRORS[code].meaning}`)).toEqual([
      '400 ERR_VAL: Invalid request',
      '400 ERR_IPB: Insufficient player balance',
      '400 ERR_IS: Invalid session token or session timeout',
      '400 ERR_ATE: Failed user authentication or token expired',
      '400 ERR_GLE: Gambling limits exceeded',
      '400 ERR_LOC: Invalid player location',
      '500 ERR_GEN: General server error',
      '500 ERR_MAINTENANCE: RGS under planned maintenance',
    ]);
  });
});

describe('7. row 500 ERR_GEN: general server error', () => {
  test.each([
    { path: '/wallet/authenticate', function: 'authenticate_sessions', more: {} },
    { path: '/wallet/balance', function: 'read_balances', more: {} },
    { path: '/wallet/play', function: 'open_rounds', more: { amount: UNIT, mode: 'BASE' } },
    { path: '/wallet/end-round', function: 'close_rounds', more: {} },
    { path: '/bet/event', function: 'record_events', more: { event: 'picked:1' } },
  ])('$path when the database cannot do its part; afterwards it works again', async (broken) => {
    const isPlay = broken.path === '/wallet/play';
    const sessionID = isPlay ? await server.liveSession() : await sessionInRound(server);
    const call = { path: broken.path, body: { sessionID, ...broken.more } };
    await withRenamed(server, { kind: 'FUNCTION', name: broken.function }, async () => {
      const { body } = await expectRefused(server, call, 'ERR_GEN');
      expect(body.message).not.toMatch(new RegExp(`${broken.function}|prisma|sql|postgres| at `, 'i'));
    });
    expect((await server.post(call.path, call.body)).status).toBe(200);
  });

  test('end-round whose payout the balance cannot hold: the round stays active, and is paid when there is room', async () => {
    const balance = MAX_MICROS - 5 * UNIT;
    const sessionID = await server.liveSession({ token: 'richest', balance });
    await server.playBook(sessionID, BOOK.pays100000);
    await expectRefused(server, { path: endRound.path, body: { sessionID } }, 'ERR_GEN');
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round.active).toBe(true);

    await server.newSession({ token: 'richest', setBalance: OPENING });
    const ended = await server.post(endRound.path, { sessionID });
    expect(ended.body.balance.amount).toBe(OPENING + 1000 * UNIT);
  });
});

describe('7. row 500 ERR_MAINTENANCE: RGS under planned maintenance', () => {
  test.each(SWITCHES)('$scope, nothing at all: all five endpoints, and then as before', async (key) => {
    const sessionID = await sessionInRound(server);
    const before = await snapshot(server, sessionID);
    await switchMaintenanceOn(server.db, { ...key, level: 'nothing_at_all' });
    for (const { path, more } of ENDPOINTS) {
      await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_MAINTENANCE');
    }
    expect(await switchMaintenanceOff(server.db, key)).toBe(true);
    expect(await snapshot(server, sessionID)).toEqual(before);
    expect((await server.post(endRound.path, { sessionID })).body.balance.amount).toBe(OPENING + 500_000);
  });

  test.each(SWITCHES)('$scope, no new rounds: play is refused, a round that is active can be finished', async (key) => {
    const sessionID = await sessionInRound(server);
    const idle = await server.liveSession();
    await switchMaintenanceOn(server.db, { ...key, level: 'no_new_rounds' });
    const bet = { amount: UNIT, mode: 'BASE' };
    await expectRefused(server, { path: '/wallet/play', body: { sessionID, ...bet } }, 'ERR_MAINTENANCE');
    await expectRefused(server, { path: '/wallet/play', body: { sessionID: idle, ...bet } }, 'ERR_MAINTENANCE');
    for (const { path, more } of ENDPOINTS.filter((endpoint) => endpoint.path !== '/wallet/play').toReversed()) {
      expect((await server.post(path, { sessionID, ...more })).status, path).toBe(200);
    }
    await switchMaintenanceOff(server.db, key);
    expect((await server.post('/wallet/play', { sessionID, ...bet })).status).toBe(200);
  });

  test.each(OTHERS)('of another $scope is not in the way', async (key) => {
    await switchMaintenanceOn(server.db, { ...key, level: 'nothing_at_all' });
    expect((await server.post(endRound.path, { sessionID: await sessionInRound(server) })).status).toBe(200);
  });

  test('the strongest of several switches applies', async () => {
    const sessionID = await sessionInRound(server);
    await switchMaintenanceOn(server.db, { scope: 'server', target: '', level: 'no_new_rounds' });
    await switchMaintenanceOn(server.db, { scope: 'game', target: 'fixture', level: 'nothing_at_all' });
    await expectRefused(server, { path: '/wallet/balance', body: { sessionID } }, 'ERR_MAINTENANCE');
    await switchMaintenanceOff(server.db, { scope: 'game', target: 'fixture' });
    expect((await server.post('/wallet/balance', { sessionID })).status).toBe(200);
  });

  test('takes effect on every node at once, without a restart', async () => {
    const node = await server.startNode();
    const other = { ...checkedClient(node.url), db: server.db };
    const sessionID = await sessionInRound(server);
    expect((await other.post('/wallet/balance', { sessionID })).status).toBe(200);
    await switchMaintenanceOn(server.db, { scope: 'server', target: '', level: 'nothing_at_all' });
    for (const each of [server, other]) {
      await expectRefused(each, { path: '/wallet/balance', body: { sessionID } }, 'ERR_MAINTENANCE');
    }
    await switchMaintenanceOff(server.db, { scope: 'server', target: '' });
    expect((await other.post('/wallet/balance', { sessionID })).status).toBe(200);
    await node.close();
  });
});

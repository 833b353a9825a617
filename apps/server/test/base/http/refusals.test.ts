import { type ErrorCode, REFUSAL_ORDER, type RefusalStage, toMicros } from '@roundhouse/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { setBalance } from '../../../src/ledger/setBalance.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { switchMaintenanceOff, switchMaintenanceOn } from '../../../src/store/rounds/maintenance.ts';
import { type DailyLimits, setDailyLimits, setLoginExpiry } from '../../../src/store/rounds/players.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { HOUR_MS, idleFor, leaveFor } from '../../support/moveTime.ts';
import { expectAllRefused, expectPlayRefused, expectRefused, snapshot, withRenamed } from '../../support/snapshot.ts';
import { BET, ENDPOINTS, OPENING, OPERATOR, sessionInRound, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();

const ON_SERVER = { scope: 'server', target: '' } as const;
const ON_GAME = { scope: 'game', target: 'fixture' } as const;
const SWITCHES = [
  { name: 'server', key: ON_SERVER, about: 'the server is' },
  { name: 'operator', key: { scope: 'operator', target: OPERATOR }, about: 'the operator is' },
  { name: 'game', key: ON_GAME, about: 'this game is' },
  { name: 'version of a game', key: { ...ON_GAME, version: '1.0.0' }, about: 'this game is' },
] as const;
const OTHERS = [
  { scope: 'operator', target: 'another' },
  { scope: 'game', target: 'another' },
  { ...ON_GAME, version: '1.0.1' },
  { scope: 'game', target: 'another', version: '1.0.0' },
] as const;

afterEach(async () => {
  await server.db.maintenance.deleteMany();
  await setOperator(server.db, OPERATOR, { blockedCountries: [] });
});

const PATH = '/wallet/play';
const expectBodyRefused = (body: unknown, code: ErrorCode) => expectRefused(server, { path: PATH, body }, code);
const expectMaintenance = (sessionID: string, about: string, more: object = {}) =>
  expectPlayRefused(server, sessionID, more, 'ERR_MAINTENANCE', `${about} under planned maintenance`);

/** Each of them succeeds for a session with a round, in this order. */
async function expectAllButPlay(sessionID: string) {
  for (const { path, more } of ENDPOINTS.filter((endpoint) => endpoint.path !== PATH).toReversed()) {
    expect((await server.post(path, { sessionID, ...more })).status, path).toBe(200);
  }
}

const limit = (externalID: string, limits: DailyLimits) =>
  setDailyLimits(server.db, { operatorCode: OPERATOR, externalID, currency: 'USD' }, limits);

describe('of several refusals the first in the order is sent', () => {
  /** A play that would be good, of a player of whom nothing is wrong yet. */
  type Attempt = { externalID: string; sessionID: string; body: object };
  let attempts = 0;

  async function goodAttempt(): Promise<Attempt> {
    attempts += 1;
    const externalID = `attempt-${attempts}`;
    const sessionID = await server.liveSession({ token: externalID, country: 'SE' });
    return { externalID, sessionID, body: { sessionID, ...BET } };
  }

  const accountOf = async (sessionID: string) => BigInt((await snapshot(server, sessionID)).accounts[0]?.id ?? 0);

  /** How to make the attempt wrong in each way that the order names. */
  const SPOIL: Readonly<Record<RefusalStage, (attempt: Attempt) => unknown>> = {
    maintenance: () => switchMaintenanceOn(server.db, { ...ON_SERVER, level: 'nothing_at_all' }),
    shape: ({ body }) => Object.assign(body, { amount: 1.5 }),
    session: ({ sessionID }) => idleFor(server, sessionID, HOUR_MS),
    login: ({ externalID }) => setLoginExpiry(server.db, { operatorCode: OPERATOR, externalID }, new Date(0)),
    location: () => setOperator(server.db, OPERATOR, { blockedCountries: ['SE'] }),
    rules: ({ body }) => Object.assign(body, { mode: 'NO-SUCH-MODE' }),
    limits: ({ externalID }) => limit(externalID, { wagerMicros: toMicros(UNIT - 1) }),
    balance: async ({ sessionID }) => setBalance(server.db, await accountOf(sessionID), toMicros(UNIT - 1)),
    // The account has no house account, so the bet has nowhere to go.
    general: async ({ sessionID }) =>
      server.db.account.update({ where: { id: await accountOf(sessionID) }, data: { houseAccountId: null } }),
  };

  it.each(
    REFUSAL_ORDER.flatMap(({ stage, code }, index) =>
      REFUSAL_ORDER.slice(index).map(({ stage: later }) => ({ stage, later, code })),
    ),
  )('$stage, with $later: $code', async ({ stage, later, code }) => {
    const attempt = await goodAttempt();
    for (const each of new Set([stage, later])) await SPOIL[each](attempt);
    await expectBodyRefused(attempt.body, code);
  });

  it('an unknown session comes after the shape', async () => {
    await expectPlayRefused(server, 'never-issued', { amount: 1.5 }, 'ERR_VAL');
  });

  it('an active round comes before limits and balance', async () => {
    const attempt = await goodAttempt();
    await server.post(PATH, attempt.body);
    await SPOIL.limits(attempt);
    await SPOIL.balance(attempt);
    await expectBodyRefused(attempt.body, 'ERR_VAL');
  });
});

describe('a daily limit, ERR_GLE', () => {
  async function playerWithLimits(limits: DailyLimits): Promise<string> {
    const token = `limited-${JSON.stringify(limits)}`;
    const sessionID = await server.liveSession({ token });
    expect(await limit(token, limits)).toBe(true);
    return sessionID;
  }
  const expectOverLimit = (sessionID: string, more: object = {}) =>
    expectPlayRefused(server, sessionID, more, 'ERR_GLE');

  async function playAndEnd(sessionID: string, book: number, amount = UNIT): Promise<void> {
    expect((await server.playBook(sessionID, book, { amount })).status).toBe(200);
    expect((await server.endRound(sessionID)).status).toBe(200);
  }

  it('of the wager may be reached and not exceeded by a micro; winnings do not lower it', async () => {
    const sessionID = await playerWithLimits({ wagerMicros: toMicros(2 * UNIT) });
    await playAndEnd(sessionID, BOOK.pays150);
    await expectOverLimit(sessionID, { amount: 1_100_000 });
    await playAndEnd(sessionID, BOOK.pays150);
    await expectOverLimit(sessionID, { amount: 200_000 });
  });

  it('of the wager counts the debit, not the base bet', async () => {
    const sessionID = await playerWithLimits({ wagerMicros: toMicros(1_249_999) });
    await expectOverLimit(sessionID, { mode: 'ANTE' });
    expect((await server.play(sessionID)).status).toBe(200);
  });

  it('of the loss leaves room for what was won', async () => {
    const sessionID = await playerWithLimits({ lossMicros: toMicros(UNIT) });
    await expectOverLimit(sessionID, { amount: 1_100_000 });
    await playAndEnd(sessionID, BOOK.pays150);
    await playAndEnd(sessionID, BOOK.pays0, 1_500_000);
    await expectOverLimit(sessionID, { amount: 200_000 });
  });

  it('counts one day: yesterday does not count', async () => {
    const sessionID = await playerWithLimits({ wagerMicros: toMicros(UNIT), lossMicros: toMicros(UNIT) });
    await playAndEnd(sessionID, BOOK.pays0);
    await expectOverLimit(sessionID);
    await leaveFor(server, sessionID, 1);
    expect((await server.play(sessionID)).status).toBe(200);
  });

  it('stops plays and nothing else', async () => {
    const sessionID = await playerWithLimits({ wagerMicros: toMicros(UNIT), lossMicros: toMicros(2 * UNIT) });
    await server.playBook(sessionID, BOOK.pays150);
    await expectAllButPlay(sessionID);
    await expectOverLimit(sessionID);
  });
});

const FUNCTIONS =
  'authenticate_sessions read_balances open_rounds end_rounds record_events read_histories decide_grants'.split(' ');

it.each(ENDPOINTS.map((endpoint, index) => ({ ...endpoint, name: FUNCTIONS[index] ?? '' })))(
  'ERR_GEN of $path names nothing of the database, and the next request succeeds',
  async ({ path, more, name }) => {
    const sessionID = path === PATH ? await server.liveSession() : await sessionInRound(server);
    const call = { path, body: { sessionID, ...more } };
    await withRenamed(server, { kind: 'FUNCTION', name }, async () => {
      const { body } = await expectRefused(server, call, 'ERR_GEN');
      expect(body.message).not.toMatch(new RegExp(`${name}|prisma|sql|postgres| at `, 'i'));
    });
    expect((await server.post(call.path, call.body)).status).toBe(200);
  },
);

describe('ERR_MAINTENANCE', () => {
  it.each(SWITCHES)('of a $name, nothing at all: all endpoints, and then as before', async ({ key, about }) => {
    const sessionID = await sessionInRound(server);
    const before = await snapshot(server, sessionID);
    await switchMaintenanceOn(server.db, { ...key, level: 'nothing_at_all' });
    await expectAllRefused(server, sessionID, 'ERR_MAINTENANCE');
    await expectMaintenance(sessionID, about);
    await expectMaintenance(sessionID, about, { amount: 'no number' });
    expect(await switchMaintenanceOff(server.db, key)).toBe(true);
    expect(await snapshot(server, sessionID)).toEqual(before);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 500_000);
  });

  it.each(SWITCHES)(
    'of a $name, no new rounds: play only; a round that is active can be finished',
    async ({ key, about }) => {
      const sessionID = await sessionInRound(server);
      const idle = await server.liveSession();
      await switchMaintenanceOn(server.db, { ...key, level: 'no_new_rounds' });
      for (const each of [sessionID, idle]) await expectMaintenance(each, about);
      await expectAllButPlay(sessionID);
      await switchMaintenanceOff(server.db, key);
      expect((await server.play(sessionID)).status).toBe(200);
    },
  );

  it.each([
    { level: 'no_new_rounds', others: ['ERR_VAL', 'ERR_IS'] },
    { level: 'nothing_at_all', others: ['ERR_MAINTENANCE', 'ERR_MAINTENANCE'] },
  ] as const)('of the server, $level: any play, whatever else is wrong; others are $others', async (row) => {
    await switchMaintenanceOn(server.db, { ...ON_SERVER, level: row.level });
    for (const [index, body] of ['not JSON', { sessionID: 'never-issued', ...BET }].entries()) {
      await expectBodyRefused(body, 'ERR_MAINTENANCE');
      await expectRefused(server, { path: '/wallet/balance', body }, row.others[index] as ErrorCode);
    }
  });

  it('does not apply when the switches cannot be read, and the request is refused as wrong', async () => {
    const name = 'maintenance_before_sessions';
    await withRenamed(server, { kind: 'FUNCTION', name }, () => expectBodyRefused('not JSON', 'ERR_VAL'));
    const logged = server.logLines.find((line) => line.includes('could not read the maintenance switches'));
    expect(logged).toContain(name);
  });

  it.each([
    { name: 'of all versions', version: '' },
    { name: 'of a version', version: '1.0.0' },
  ])('of a mode $name: plays of this mode only, also when the bet breaks the rules', async ({ version }) => {
    const sessionID = await sessionInRound(server);
    const idle = await server.liveSession();
    const other = { ...ON_GAME, version: '1.0.1', mode: 'ANTE' };
    for (const key of [{ ...ON_GAME, version, mode: 'BASE' }, other])
      await switchMaintenanceOn(server.db, { ...key, level: 'no_new_rounds' });
    for (const each of [sessionID, idle]) await expectMaintenance(each, 'this game is');
    await expectMaintenance(idle, 'this game is', { mode: 'base', amount: 1 });
    await expectPlayRefused(server, idle, { amount: 1.5 }, 'ERR_VAL');
    expect((await server.play(idle, { mode: 'ANTE' })).status).toBe(200);
    await expectAllButPlay(sessionID);
    await switchMaintenanceOff(server.db, { ...ON_GAME, version, mode: 'BASE' });
    expect((await server.play(sessionID)).status).toBe(200);
  });

  it('of a mode: a play with a used key returns its round', async () => {
    const sessionID = await server.liveSession();
    const { body } = await server.play(sessionID, {}, 'k');
    await switchMaintenanceOn(server.db, { ...ON_GAME, mode: 'BASE', level: 'no_new_rounds' });
    expect((await server.play(sessionID, {}, 'k')).body).toEqual(body);
  });

  it('of another operator, game or version does not apply', async () => {
    for (const key of OTHERS) await switchMaintenanceOn(server.db, { ...key, level: 'nothing_at_all' });
    expect((await server.endRound(await sessionInRound(server))).status).toBe(200);
  });

  it('is that of the strongest of several switches', async () => {
    const sessionID = await sessionInRound(server);
    await switchMaintenanceOn(server.db, { ...ON_SERVER, level: 'no_new_rounds' });
    await switchMaintenanceOn(server.db, { ...ON_GAME, level: 'nothing_at_all' });
    const call = { path: '/wallet/balance', body: { sessionID } };
    await expectRefused(server, call, 'ERR_MAINTENANCE', 'this game is');
    await switchMaintenanceOff(server.db, ON_GAME);
    expect((await server.balance(sessionID)).status).toBe(200);
    await expectMaintenance(sessionID, 'the server is');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { foldGameTotals, readModeTotals } from '../../../src/store/watch/gameTotals.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { returnOf, tableTheory } from '../../../src/watch/rtp/returns.ts';
import { useTestAdmin } from '../../support/adminServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { OPERATOR, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server);
const as = (role: Parameters<typeof admin.as>[0]['role'], operator?: string) =>
  admin.as({ role, ...(operator !== undefined && { operator }) });
const GAME = { gameID: 'fixture' };
const VERSION = { ...GAME, version: '1.0.0' };
const today = () => new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  await setOperator(server.db, 'other', {});
  await server.db.operatorLimit.create({
    data: { operatorId: await operatorID(OPERATOR), currency: 'USD', largeWinMicros: 1_500_000n },
  });
  const sessionID = await server.liveSession();
  for (const book of [BOOK.pays0, BOOK.pays150, BOOK.pays20, BOOK.pays100000]) {
    await server.playBook(sessionID, book);
    await server.endRound(sessionID);
  }
  await foldGameTotals(server.db);
  // One more is in the totals that are not folded yet.
  await server.playBook(sessionID, BOOK.pays0);
  await server.endRound(sessionID);
  // This one stays open.
  await server.playBook(sessionID, BOOK.pays150);
});

async function operatorID(code: string): Promise<number> {
  return (await server.db.operator.findUniqueOrThrow({ where: { code } })).id;
}

describe('the list of games', () => {
  it('has each game with its state and what it returned today', async () => {
    const { status, body } = await as('viewer').call('listGames');
    expect([status, body.cursor]).toEqual([200, null]);
    expect(body.items).toEqual([
      expect.objectContaining({
        ...{
          gameID: 'fixture',
          title: 'Fixture',
          version: '1.0.0',
          versions: 1,
          state: 'available',
          maintenance: null,
        },
        today: [{ currency: 'USD', rounds: 5, bets: `${5 * UNIT}`, payouts: '1001700000', rtp: 1001.7 / 5 }],
      }),
    ]);
  });

  it('counts for a user of an operator only what was played there', async () => {
    const { body } = await as('viewer', 'other').call('listGames');
    expect(body.items[0].today).toEqual([]);
    expect((await as('viewer', OPERATOR).call('listGames')).body.items[0].today[0].rounds).toBe(5);
  });

  it('goes on page by page, the newest first', async () => {
    const { id } = await server.db.game.create({ data: { code: '<b>newer</b>' } });
    const facts = { title: '<img src=x onerror=alert(1)>', mathSha256: '', currencies: [], jurisdiction: {} };
    await server.db.gameVersion.create({ data: { gameId: id, version: '1', ...facts } });
    const first = await as('viewer').call('listGames', { query: { limit: 1 } });
    expect(first.body.items[0].gameID).toBe('<b>newer</b>');
    const second = await as('viewer').call('listGames', { query: { limit: 1, cursor: first.body.cursor } });
    expect([second.body.items[0].gameID, second.body.cursor]).toEqual(['fixture', null]);
    const { status } = await as('viewer').call('listGames', { query: { cursor: 'nonsense' } });
    expect(status).toBe(400);
  });
});

describe('a game', () => {
  it('shows versions, modes by their lookup tables, bets and open rounds', async () => {
    const { body } = await as('viewer').call('getGame', { params: GAME });
    const [version] = body.versions;
    expect(version).toMatchObject({ version: '1.0.0', state: 'available', withdrawnAt: null, openRounds: 1 });
    expect(version.modes.find((each: { mode: string }) => each.mode === 'ANTE')).toMatchObject({
      ...{ cost: '1.25', hitRate: 0.75, maxPayout: 1_000, isFeature: false },
      rtp: expect.closeTo(1001.7 / 4 / 1.25, 10),
    });
    expect(version.bets.map((each: { currency: string }) => each.currency).sort()).toEqual(['JPY', 'default']);
  });

  it('shows the activity that `roundhouse rtp` prints', async () => {
    const { body } = await as('viewer').call('getGame', { params: GAME });
    const [totals] = await readModeTotals(server.db, { game: 'fixture' });
    const expected = totals && returnOf(totals, tableTheory(totals.table));
    expect(body.activity).toEqual([
      expect.objectContaining({ mode: 'BASE', currency: 'USD', rounds: 5, openRounds: 1, ...expected }),
    ]);
    const other = await as('viewer', 'other').call('getGame', { params: GAME });
    expect([other.body.activity, other.body.versions[0].openRounds]).toEqual([[], 0]);
  });

  it('shows the largest wins of its operator, the greatest first', async () => {
    const { body } = await as('viewer', OPERATOR).call('getGame', { params: GAME });
    expect(body.largestWins.map((win: { payout: number }) => win.payout)).toEqual([
      1000 * UNIT,
      1.5 * UNIT,
      1.5 * UNIT,
    ]);
    expect(body.largestWins[0]).toMatchObject({ operator: OPERATOR, mode: 'BASE', currency: 'USD', bet: UNIT });
    expect((await as('viewer', 'other').call('getGame', { params: GAME })).body.largestWins).toEqual([]);
  });

  it('is 404 when there is none', async () => {
    expect((await as('viewer').call('getGame', { params: { gameID: 'none' } })).status).toBe(404);
    expect((await as('viewer').call('getGame', { params: { gameID: 'a\u0000b' } })).status).toBe(400);
  });
});

describe('the returns of a mode', () => {
  // The books are right again: no round is behind the day that a test has added.
  afterAll(() => server.db.$executeRaw`DELETE FROM game_totals WHERE max_bet > 1000000000`);

  const query = { version: '1.0.0', mode: 'BASE', currency: 'USD' };

  it('come by day and from the first day on, with exact sums and the interval of 99.9 %', async () => {
    const { gameVersionID, operatorId } = await totalsKey();
    const yesterday = new Date(Date.now() - 86_400_000);
    // These sums are beyond what a JSON number holds exactly.
    const bets = 9_007_199_254_740_993n;
    await server.db.gameTotal.create({
      data: {
        ...{ gameVersionId: gameVersionID, mode: 'BASE', currency: 'USD', operatorId, day: yesterday },
        ...{ rounds: 3n, bets: `${bets}`, payouts: `${bets}`, freeRounds: 0n, freeBets: 0, freePayouts: 0 },
        ...{ betSquares: `${3n * 10n ** 24n}`, maxBet: 3_002_399_751_580_331n, voidRounds: 0n, voidBets: 0 },
      },
    });
    const { body } = await as('viewer').call('getGameReturns', { params: GAME, query });
    const [first, second] = body.days;
    expect(first).toMatchObject({ day: yesterday.toISOString().slice(0, 10), rounds: 3, bets: `${bets}`, rtp: 1 });
    expect(second).toMatchObject({ day: today(), rounds: 5, bets: `${5 * UNIT}`, payouts: '1001700000' });
    expect(second.cumulative).toMatchObject({ rounds: 8, bets: `${bets + 5_000_000n}` });
    expect(second.low).toBeLessThan(body.tableRtp);
    expect(second.high).toBeGreaterThan(body.tableRtp);
    expect(body.tableRtp).toBeCloseTo(1001.7 / 4, 10);
    const one = await as('viewer').call('getGameReturns', { params: GAME, query: { ...query, from: today() } });
    expect(one.body.days).toHaveLength(1);
    const [totals] = await readModeTotals(server.db, { game: 'fixture', from: today() });
    const expected = totals && returnOf(totals, tableTheory(totals.table));
    expect(one.body.days[0]).toMatchObject({ rtp: expected?.rtp, low: expected?.low, high: expected?.high });
  });

  async function totalsKey() {
    const { id } = await server.db.gameVersion.findFirstOrThrow({ where: { game: { code: 'fixture' } } });
    return { gameVersionID: id, operatorId: await operatorID(OPERATOR) };
  }

  it('are those of the own operator for its user, whatever the filter says', async () => {
    const own = await as('viewer', 'other').call('getGameReturns', { params: GAME, query });
    expect(own.body.days).toEqual([]);
    const forced = await as('viewer', 'other').call('getGameReturns', {
      params: GAME,
      query: { ...query, operator: OPERATOR },
    });
    expect(forced.body.days).toEqual([]);
    const filtered = await as('viewer').call('getGameReturns', {
      params: GAME,
      query: { ...query, operator: 'other' },
    });
    expect(filtered.body.days).toEqual([]);
    expect(
      (await as('viewer').call('getGameReturns', { params: GAME, query: { ...query, operator: 'no' } })).status,
    ).toBe(404);
  });

  it.each([
    ['from', { from: '2026-02-30' }],
    ['to', { from: '2026-02-02', to: '2026-02-01' }],
    ['from', { from: '2020-01-01', to: '2026-01-01' }],
    ['currency', { currency: 'us' }],
  ])('name the field that is not right: %s', async (field, wrong) => {
    const { status, body } = await as('viewer').call('getGameReturns', { params: GAME, query: { ...query, ...wrong } });
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
  });
});

describe('a withdrawal', () => {
  const BODY = { reason: 'wrong paytable' };

  it('stops new rounds at once, is taken back, and both are events of the user', async () => {
    const sessionID = await server.liveSession();
    const { status, body } = await as('gameManager').call('withdrawGame', { params: VERSION, body: BODY });
    expect([status, typeof body.withdrawnAt]).toEqual([200, 'string']);
    expect((await server.play(sessionID)).body.error).toBe('ERR_MAINTENANCE');
    expect((await as('viewer').call('listGames')).body.items.at(-1).state).toBe('withdrawn');
    expect((await as('gameManager').call('reinstateGame', { params: VERSION })).body).toEqual({ withdrawnAt: null });
    expect((await server.play(sessionID)).status).toBe(200);
    const events = await listEvents(server.db, { kind: 'game_version_changed', subject: 'fixture' }, 2);
    expect(events.map(({ actor }) => actor)).toEqual(Array(2).fill('user:gameManager@server.example'));
    expect(events.map(({ after }) => JSON.parse(after ?? '').reason)).toEqual([BODY.reason, undefined]);
  });

  it('may lie ahead', async () => {
    const at = '2040-01-31T12:00:00.000Z';
    expect(
      (await as('gameManager').call('withdrawGame', { params: VERSION, body: { ...BODY, at } })).body.withdrawnAt,
    ).toBe(at);
    expect((await as('viewer').call('getGame', { params: GAME })).body.versions[0]).toMatchObject({
      state: 'available',
      withdrawnAt: at,
    });
    await as('gameManager').call('reinstateGame', { params: VERSION });
  });

  it('is of a version that exists', async () => {
    const params = { ...GAME, version: '9' };
    expect((await as('gameManager').call('withdrawGame', { params, body: BODY })).status).toBe(404);
    expect((await as('gameManager').call('reinstateGame', { params })).status).toBe(404);
    const { status, body } = await as('gameManager').call('withdrawGame', { params: VERSION, body: { at: 'soon' } });
    expect([status, Object.keys(body.fields)]).toEqual([400, ['at', 'reason']]);
  });
});

describe('maintenance', () => {
  const reason = 'An update of the wallet';
  const set = (body: object, operator?: string) =>
    as('gameManager', operator).call('setMaintenance', { body: { reason, ...body } });

  it('stops a mode, a game, an operator or the server, and an event names the user and the reason', async () => {
    const sessionID = await server.liveSession();
    for (const key of [
      { scope: 'game', target: 'fixture', version: '1.0.0', mode: 'base' },
      { scope: 'game', target: 'fixture' },
      { scope: 'operator', target: OPERATOR },
      { scope: 'server' },
    ]) {
      expect((await set({ ...key, level: 'no_new_rounds' })).body).toEqual({ level: 'no_new_rounds', wasOn: false });
      expect((await server.play(sessionID)).body.error).toBe('ERR_MAINTENANCE');
      const { items } = (await as('viewer').call('listMaintenance')).body;
      expect(items).toMatchObject([{ scope: key.scope, actor: 'user:gameManager@server.example', reason }]);
      expect((await set({ ...key, level: null, reason: 'It is over' })).body).toEqual({ level: null, wasOn: true });
    }
    const [started] = await listEvents(server.db, { kind: 'maintenance_started' }, 1);
    expect(JSON.parse(started?.after ?? '')).toMatchObject({ scope: 'server', reason });
    const [ended] = await listEvents(server.db, { kind: 'maintenance_ended' }, 1);
    expect(ended?.actor).toBe('user:gameManager@server.example');
    expect(JSON.parse(ended?.after ?? '')).toEqual({ reason: 'It is over' });
  });

  it('of a game and of an operator says who and why on their pages; another operator sees neither', async () => {
    const [params, target] = [{ gameID: 'fixture' }, OPERATOR];
    await set({ scope: 'game', target: 'fixture', level: 'no_new_rounds' });
    await set({ scope: 'operator', target, level: 'no_new_rounds' }, OPERATOR);
    const why = { actor: 'user:gameManager@server.example', reason };
    expect((await as('viewer').call('getGame', { params })).body.maintenance).toMatchObject([why]);
    expect((await as('viewer', OPERATOR).call('getGame', { params })).body.maintenance).toMatchObject([
      { level: 'no_new_rounds', actor: null, reason: null },
    ]);
    const { body } = await as('viewer', OPERATOR).call('getOperator', { params: { operator: OPERATOR } });
    expect(body.maintenance).toMatchObject({ ...why, actor: `user:gameManager@${OPERATOR}.example` });
    await set({ scope: 'game', target: 'fixture', level: null });
    await set({ scope: 'operator', target, level: null });
  });

  it('changes its level', async () => {
    await set({ scope: 'server', level: 'no_new_rounds' });
    expect((await set({ scope: 'server', level: 'nothing_at_all' })).body).toEqual({
      level: 'nothing_at_all',
      wasOn: true,
    });
    await set({ scope: 'server', level: null });
  });

  it.each([
    ['target', { scope: 'server', target: 'x' }],
    ['target', { scope: 'game' }],
    ['mode', { scope: 'operator', target: OPERATOR, mode: 'BASE' }],
    ['version', { scope: 'game', target: 'fixture', version: '7' }],
    ['mode', { scope: 'game', target: 'fixture', mode: 'NONE' }],
    ['level', { scope: 'game', target: 'fixture', mode: 'BASE', level: 'nothing_at_all' }],
    ['scope', { scope: 'all' }],
    ['reason', { scope: 'server', reason: undefined }],
  ])('names the field that is not right, and changes nothing: %s', async (field, wrong) => {
    const { status, body } = await set({ level: 'no_new_rounds', ...wrong });
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
    expect(await server.db.maintenance.count()).toBe(0);
  });

  it('of a name that does not exist is 404', async () => {
    expect((await set({ scope: 'game', target: 'none', level: 'no_new_rounds' })).status).toBe(404);
    expect((await set({ scope: 'operator', target: 'none', level: 'no_new_rounds' })).status).toBe(404);
  });

  it('is of the own operator for its user, who does not see that of others', async () => {
    await set({ scope: 'operator', target: OPERATOR, level: 'no_new_rounds' });
    expect((await set({ scope: 'server', level: 'no_new_rounds' }, 'other')).status).toBe(403);
    expect((await set({ scope: 'game', target: 'fixture', level: 'no_new_rounds' }, 'other')).status).toBe(403);
    const foreign = await set({ scope: 'operator', target: OPERATOR, level: null }, 'other');
    const unknown = await set({ scope: 'operator', target: 'none', level: null }, 'other');
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await as('viewer', 'other').call('listMaintenance')).body.items).toEqual([]);
    expect((await set({ scope: 'operator', target: 'other', level: 'no_new_rounds' }, 'other')).status).toBe(200);
    await set({ scope: 'operator', target: 'other', level: null }, 'other');
    await set({ scope: 'operator', target: OPERATOR, level: null });
  });
});

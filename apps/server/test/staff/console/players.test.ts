import { describe, expect, it } from 'vitest';
import { setDailyLimits } from '../../../src/store/rounds/players.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { useTestAdmin } from '../../support/adminServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { DAY_MS, leaveFor } from '../../support/moveTime.ts';
import { useSeamlessServer } from '../../support/seamlessServer.ts';
import { expectNothingChanged } from '../../support/snapshot.ts';
import { OPENING, OPERATOR, UNIT } from '../../support/testServer.ts';

const server = useSeamlessServer();
const admin = useTestAdmin(server);
const viewer = () => admin.as({ role: 'viewer' });
const support = () => admin.as({ role: 'support' });
const HOSTILE = '"><script>alert(1)</script>/../%2e';

const play = async (sessionID: string, bookID: number) => {
  await server.playBook(sessionID, bookID);
  await server.endRound(sessionID);
};
const player = (playerID: string, operator: string = OPERATOR) => ({ params: { operator, playerID } });
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

describe('a player', () => {
  it('has an account for each currency, with limits and sums of today', async () => {
    for (const currency of ['USD', 'EUR'])
      await play(await server.liveSession({ token: 'both', currency }), BOOK.pays150);
    await setDailyLimits(
      server.db,
      { operatorCode: OPERATOR, externalID: 'both', currency: 'EUR' },
      { lossMicros: (7 * UNIT) as never },
    );
    const { body } = await viewer().call('getPlayer', player('both'));
    expect(body.player).toMatchObject({ operator: OPERATOR, playerID: 'both', currencies: ['EUR', 'USD'] });
    const shared = { balance: OPENING + 0.5 * UNIT, wageredToday: UNIT, wonToday: 1.5 * UNIT, dailyWager: null };
    expect(body.accounts).toMatchObject([
      { currency: 'EUR', ...shared, dailyLoss: 7 * UNIT },
      { currency: 'USD', ...shared, dailyLoss: null },
    ]);
    expect(body.openSessions).toBe(2);
  });

  it('of a seamless wallet has no balance here', async () => {
    await server.seamlessSession('theirs');
    const { body } = await viewer().call('getPlayer', player('theirs', 'acme'));
    expect(body.accounts).toMatchObject([{ balance: null }]);
  });

  it('of another operator is as unknown as one that does not exist', async () => {
    await server.liveSession({ token: 'foreign' });
    const foreign = admin.as({ role: 'administrator', operator: 'acme' });
    const bodies = { setPlayerLimits: { currency: 'USD', dailyWager: 0 }, setLoginExpiry: { loginExpiresAt: null } };
    const query = { from: '2026-01-01', to: '2026-01-02' };
    await expectNothingChanged(server, async () => {
      for (const name of ['getPlayer', 'listPlayerSessions', 'getNetPosition', 'endPlayerSessions'] as const) {
        const own = await foreign.call(name, { ...player('foreign'), query, body: {} });
        const none = await foreign.call(name, { ...player('nobody', 'nobody'), query, body: {} });
        expect([name, own.status, own.text]).toEqual([name, 404, none.text]);
      }
      for (const [name, body] of Object.entries(bodies)) {
        const { status } = await foreign.call(name as keyof typeof bodies, { ...player('foreign'), body });
        expect([name, status]).toEqual([name, 404]);
      }
    });
  });

  it('may have any name', async () => {
    const sessionID = `acme:fixed-1:${HOSTILE}`;
    expect((await server.authenticate(sessionID)).status).toBe(200);
    const { status, body } = await viewer().call('getPlayer', player(HOSTILE, 'acme'));
    expect([status, body.player.playerID]).toEqual([200, HOSTILE]);
    const listed = await viewer().call('listPlayers', { query: { prefix: HOSTILE.slice(0, 8) } });
    expect(listed.body.items).toMatchObject([{ playerID: HOSTILE }]);
    expect((await viewer().call('getPlayer', player('a\u0000b'))).status).toBe(400);
  });
});

describe('the list of players', () => {
  const names = async (query: object, user: Parameters<typeof admin.as>[0] = { role: 'viewer' }) => {
    const { body } = await admin.as(user).call('listPlayers', { query: query as Record<string, string> });
    return { names: body.items.map((each: { playerID: string }) => each.playerID), cursor: body.cursor };
  };

  it('finds those that begin with a text, page by page, in the order of their names', async () => {
    for (const name of ['list-b', 'list-a', 'LIST-C', 'lis']) await server.liveSession({ token: name });
    await server.seamlessSession('list-b2');
    expect((await names({ prefix: 'list-' })).names).toEqual(['list-a', 'list-b', 'list-b2']);
    expect((await names({ prefix: 'list-', operator: 'acme' })).names).toEqual(['list-b2']);
    expect((await names({ prefix: 'list-', operator: 'nobody' })).names).toEqual([]);
    expect((await names({ prefix: 'list-', operator: OPERATOR }, { role: 'viewer', operator: 'acme' })).names).toEqual([
      'list-b2',
    ]);
    const first = await names({ prefix: 'list-', limit: 2 });
    expect(first.names).toEqual(['list-a', 'list-b']);
    const rest = await names({ prefix: 'list-', limit: 2, cursor: first.cursor });
    expect(rest).toEqual({ names: ['list-b2'], cursor: null });
  });

  it.each(['%', '_', '\\', "'"])('takes %s as it is', async (prefix) => {
    expect((await names({ prefix })).names).toEqual([]);
  });
});

describe('sessions', () => {
  it('are listed without what opens them, the newest first, and end at once', async () => {
    const sessionIDs = [await server.liveSession({ token: 'ender' }), await server.liveSession({ token: 'ender' })];
    const list = (query = {}) => viewer().call('listPlayerSessions', { ...player('ender'), query });
    const { body, text } = await list();
    expect(body.items.map(({ state }: { state: string }) => state)).toEqual(['authenticated', 'authenticated']);
    expect(body.items[0].sessionNumber).toBeGreaterThan(body.items[1].sessionNumber);
    for (const sessionID of sessionIDs) expect(text).not.toContain(sessionID);
    expect(text).not.toMatch(/token|sha256/i);
    const first = await list({ limit: 1 });
    expect((await list({ limit: 1, cursor: first.body.cursor })).body).toMatchObject({
      items: [body.items[1]],
      cursor: null,
    });

    expect((await support().call('endPlayerSessions', player('ender'))).body).toEqual({ ended: 2 });
    expect((await support().call('endPlayerSessions', player('ender'))).body).toEqual({ ended: 0 });
    for (const sessionID of sessionIDs) expect((await server.balance(sessionID)).body.error).toBe('ERR_IS');
    expect((await list()).body.items).toMatchObject([{ state: 'revoked' }, { state: 'revoked' }]);
    const events = await listEvents(server.db, { kind: 'session_revoked', actor: 'user:support@server.example' });
    expect(events).toHaveLength(2);
  });

  it('begin no more after the login has expired', async () => {
    const sessionID = await server.liveSession({ token: 'expiring' });
    const set = (loginExpiresAt: string | null) =>
      support().call('setLoginExpiry', { ...player('expiring'), body: { loginExpiresAt } });
    const at = new Date(Date.now() - 1000).toISOString();
    expect((await set(at)).body.player.loginExpiresAt).toBe(at);
    expect((await server.balance(sessionID)).body.error).toBe('ERR_ATE');
    expect(Date.parse((await set('now')).body.player.loginExpiresAt)).toBeGreaterThan(Date.parse(at));
    expect((await set(null)).body.player.loginExpiresAt).toBeNull();
    expect((await server.balance(sessionID)).status).toBe(200);
    const [event] = await listEvents(server.db, { kind: 'player_login_changed', subject: 'player expiring' }, 1);
    expect(event).toMatchObject({ actor: 'user:support@server.example' });
    expect(JSON.parse(event?.after ?? '')).toEqual({ login_expires_at: null });
    for (const bad of ['soon', '2026-13-01T00:00:00Z', 1]) expect((await set(bad as string)).status).toBe(400);
  });
});

describe('limits', () => {
  const set = (body: object) =>
    admin.as({ role: 'compliance' }).call('setPlayerLimits', { ...player('limited'), body });

  it('hold at once, and their change is an event with the values before and after', async () => {
    const sessionID = await server.liveSession({ token: 'limited' });
    const { status, body } = await set({ currency: 'USD', dailyWager: UNIT, dailyLoss: 5 * UNIT });
    expect([status, body.accounts]).toMatchObject([200, [{ dailyWager: UNIT, dailyLoss: 5 * UNIT }]]);
    await play(sessionID, BOOK.pays0);
    expect((await server.play(sessionID)).body.error).toBe('ERR_GLE');
    expect((await set({ currency: 'USD', dailyWager: null })).body.accounts).toMatchObject([
      { dailyWager: null, dailyLoss: 5 * UNIT },
    ]);
    const [event] = await listEvents(server.db, { kind: 'player_limits_changed' }, 1);
    expect(event).toMatchObject({
      actor: 'user:compliance@server.example',
      subject: expect.stringContaining('limited'),
    });
    expect([JSON.parse(event?.before ?? ''), JSON.parse(event?.after ?? '')]).toEqual([
      { daily_wager_limit_micros: UNIT },
      { daily_wager_limit_micros: null },
    ]);
  });

  it.each([
    [{ currency: 'USD' }, 400],
    [{ dailyWager: 1 }, 400],
    [{ currency: 'USD', dailyWager: -1 }, 400],
    [{ currency: 'USD', dailyWager: 1.5 }, 400],
    [{ currency: 'USD', dailyWager: 2 ** 53 }, 400],
    [{ currency: 'US', dailyWager: 1 }, 400],
    [{ currency: 'EUR', dailyWager: 1 }, 404],
  ])('are refused: %j', async (body, status) => {
    await expectNothingChanged(server, async () => expect((await set(body)).status).toBe(status));
  });
});

describe('the net position', () => {
  const position = (playerID: string, fromDays: number, toDays = 0) => {
    const query = { from: dayOf(Date.now() - fromDays * DAY_MS), to: dayOf(Date.now() - toDays * DAY_MS) };
    return viewer().call('getNetPosition', { ...player(playerID), query });
  };

  it('adds up the rounds of each day and currency, without void ones', async () => {
    const sessionID = await server.liveSession({ token: 'net' });
    for (const bookID of [BOOK.pays0, BOOK.pays20]) await play(sessionID, bookID);
    await leaveFor(server, sessionID, 2);
    await play(sessionID, BOOK.pays150);
    const { betID } = (await server.playBook(sessionID, BOOK.pays150)).body.round;
    await support().call('voidRound', { params: { betID }, body: { reason: 'test' } });
    await server.playBook(sessionID, BOOK.pays150);
    await play(await server.liveSession({ token: 'net', currency: 'EUR' }), BOOK.pays0);
    const { body } = await position('net', 5);
    const [before, today] = [dayOf(Date.now() - 2 * DAY_MS), dayOf(Date.now())];
    expect(body.days).toEqual([
      { day: before, currency: 'USD', rounds: 2, bets: String(2 * UNIT), payouts: '200000', net: '-1800000' },
      { day: today, currency: 'EUR', rounds: 1, bets: String(UNIT), payouts: '0', net: String(-UNIT) },
      { day: today, currency: 'USD', rounds: 2, bets: String(2 * UNIT), payouts: '1500000', net: '-500000' },
    ]);
    expect((await position('net', 1)).body.days).toHaveLength(2);
    expect((await position('net', 5, 1)).body.days).toHaveLength(1);
    await server.endRound(sessionID);
  });

  it.each([
    [{ from: '2026-01-02', to: '2026-01-01' }],
    [{ from: '2026-01-01', to: '2026-04-03' }],
    [{ from: '2026-02-30', to: '2026-03-01' }],
    [{ from: '0001-01-01', to: '9999-12-31' }],
    [{ from: 'x', to: 'y' }],
    [{}],
  ])('refuses %j', async (query) => {
    const { status } = await viewer().call('getNetPosition', { ...player('net'), query: query as { from: string } });
    expect(status).toBe(400);
  });

  it('may have 92 days', async () => {
    const query = { from: '2026-01-01', to: '2026-04-02' };
    expect((await viewer().call('getNetPosition', { ...player('net'), query })).body.days).toEqual([]);
  });
});

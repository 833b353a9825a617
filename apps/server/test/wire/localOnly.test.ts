import { describe, expect, test } from 'vitest';
import { issueTestSession, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK, PAYOUTS } from '../support/fixtureGame.ts';
import { balanceOf, snapshot } from '../support/snapshot.ts';

const PATHS = ['/session/start', '/game/search', '/game/force', '/game/faults'];

describe('in production', () => {
  const server = useCheckedServer({ local: false });

  test.each(PATHS)('%s does not exist', async (path) => {
    const before = await snapshot(server, '');
    for (const body of [{}, { mode: 'BASE', search: { bookID: 1 } }, 'broken']) {
      const answer = await server.post(path, body);
      expect([answer.status, answer.body.error]).toEqual([404, 'ERR_VAL']);
    }
    for (const method of ['GET', 'PUT', 'DELETE']) expect((await server.send(path, { method })).status).toBe(404);
    expect(await snapshot(server, '')).toEqual(before);
  });

  test('there is no page for a game that brings none', async () => {
    expect((await server.send('/fixture/1.0.0/index.html')).status).toBe(404);
  });

  test('a session that was issued otherwise plays', async () => {
    const { sessionID } = await issueTestSession(server);
    expect((await server.post('/wallet/authenticate', { sessionID })).body.balance.amount).toBe(OPENING);
    const { body } = await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    expect(body.balance.amount).toBe(OPENING - UNIT);
    expect((await server.post('/wallet/end-round', { sessionID })).status).toBe(200);
  });
});

describe('for local work', () => {
  const server = useCheckedServer();

  test('POST /session/start needs nothing, and answers a launch URL of a new test player', async () => {
    const { status, body } = await server.post('/session/start', {});
    expect(status).toBe(200);
    expect(new URL(body.url).searchParams.get('sessionID')).toBe(body.sessionID);
    expect((await server.post('/wallet/authenticate', { sessionID: body.sessionID })).body.balance.amount).toBe(
      OPENING,
    );
  });

  test('token: the same token is the same player again, another or none is a new one', async () => {
    const first = await server.liveSession({ token: 'tester', balance: 5 * UNIT });
    await server.playBook(first, BOOK.pays0);
    await server.post('/wallet/end-round', { sessionID: first });
    expect(await balanceOf(server, await server.newSession({ token: 'tester' }))).toBe(4 * UNIT);
    expect(await balanceOf(server, await server.newSession({ token: 'other tester' }))).toBe(OPENING);
    expect(await balanceOf(server, await server.newSession())).toBe(OPENING);
  });

  test('balance is for a player who is new, setBalance for any', async () => {
    const token = 'rich';
    expect(await balanceOf(server, await server.newSession({ token, balance: 7 * UNIT }))).toBe(7 * UNIT);
    expect(await balanceOf(server, await server.newSession({ token, balance: 9 * UNIT }))).toBe(7 * UNIT);
    expect(await balanceOf(server, await server.newSession({ token, setBalance: 3 * UNIT }))).toBe(3 * UNIT);
    expect(await balanceOf(server, await server.newSession({ token, setBalance: 0, balance: UNIT }))).toBe(0);
  });

  test('gameID, currency, language, device, social, country: all are used, an unknown game is 404', async () => {
    const options = {
      gameID: 'fixture',
      currency: 'EUR',
      language: 'fi',
      device: 'mobile',
      social: true,
      country: 'fi',
    };
    const { body } = await server.post('/session/start', options);
    const url = new URL(body.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      currency: 'EUR',
      lang: 'fi',
      device: 'mobile',
      social: 'true',
    });
    expect((await snapshot(server, body.sessionID)).session).toMatchObject({ country: 'FI' });
    const unknown = await server.post('/session/start', { gameID: 'unknown' });
    expect([unknown.status, unknown.body.error]).toEqual([404, 'ERR_VAL']);
  });

  test('jurisdiction: any of its fields, for this session alone; a wrong one is ERR_VAL', async () => {
    const jurisdiction = { disabledBuyFeature: true, displayRTP: true, minimumRoundDuration: 2500 };
    const told = await server.newSession({ jurisdiction });
    const { body } = await server.post('/wallet/authenticate', { sessionID: told });
    expect(body.config.jurisdiction).toMatchObject({ ...jurisdiction, disabledTurbo: false });
    const untold = await server.post('/wallet/authenticate', { sessionID: await server.newSession() });
    expect(untold.body.config.jurisdiction).toMatchObject({ disabledBuyFeature: false, minimumRoundDuration: 0 });
    for (const wrong of [{ minimumRoundDuration: -1 }, { disabledTurbo: 'yes' }, 'none']) {
      const refused = await server.post('/session/start', { jurisdiction: wrong });
      expect([refused.status, refused.body.error]).toEqual([400, 'ERR_VAL']);
    }
  });

  test('POST /game/search shows a book as a preview, and no money moves', async () => {
    const sessionID = await server.liveSession({ balance: 7 * UNIT });
    const before = await snapshot(server, sessionID);
    const search = { bookID: BOOK.pays150 };
    const { status, body } = await server.post('/game/search', { sessionID, mode: 'ante', search });
    expect(status).toBe(200);
    expect(body.balance).toEqual({ amount: 7 * UNIT, currency: 'USD' });
    expect(body.round).toMatchObject({ betID: 0, active: false, mode: 'ANTE', payoutMultiplier: 1.5, event: null });
    expect((await server.post('/game/search', { mode: 'BASE', search })).status).toBe(200);
    expect(await snapshot(server, sessionID)).toEqual(before);
    expect((await server.post('/game/search', { mode: 'BASE', search: { bookID: 99 } })).status).toBe(404);
  });

  test('POST /game/force says what the next play of this session in this mode is, once', async () => {
    const sessionID = await server.liveSession();
    const bystander = await server.liveSession();
    await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays100000 });
    await server.playBook(bystander, BOOK.pays0);
    const other = await server.playBook(sessionID, BOOK.pays20, { mode: 'ANTE' });
    expect(other.body.round.payoutMultiplier).toBe(0.2);
    await server.post('/wallet/end-round', { sessionID });
    // A play that is refused does not use it up.
    await server.post('/wallet/play', { sessionID, amount: 250_000, mode: 'BASE' });
    const { body } = await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    expect(body.round.payoutMultiplier).toBe(1000);
    expect((await server.post('/game/force', { sessionID, mode: 'BASE', bookID: 99 })).status).toBe(404);
  });

  test('POST /game/force by kind: a book that is one, and which', async () => {
    const sessionID = await server.liveSession();
    const forced = async (kind: string, mode: string) => {
      const { body } = await server.post('/game/force', { sessionID, mode, kind });
      const played = await server.post('/wallet/play', { sessionID, amount: UNIT, mode });
      expect(played.body.round.payoutMultiplier).toBe((PAYOUTS[body.bookID] ?? Number.NaN) / 100);
      await server.post('/wallet/end-round', { sessionID });
      return [body.bookID, body.mode];
    };
    expect(await forced('loss', 'base')).toEqual([BOOK.pays0, 'BASE']);
    expect(await forced('small', 'BASE')).toEqual([BOOK.pays20, 'BASE']);
    expect(await forced('big', 'BASE')).toEqual([BOOK.pays100000, 'BASE']);
    expect(await forced('max', 'BASE')).toEqual([BOOK.pays100000, 'BASE']);
    expect(await forced('feature', 'ANTE')).toEqual([BOOK.pays100000, 'ANTE']);
    // A bet that costs a hundred is not won back by 1.5.
    expect([BOOK.pays20, BOOK.pays150]).toContain((await forced('small', 'BONUS'))[0]);
  });

  test('POST /game/force is for a session that another way than /session/start has issued, too', async () => {
    const { sessionID } = await issueTestSession(server, 'operators-player');
    await server.post('/wallet/authenticate', { sessionID });
    expect((await server.post('/game/force', { sessionID, kind: 'max' })).body).toEqual({
      bookID: BOOK.pays100000,
      mode: 'BASE',
    });
    const { body } = await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    expect(body.round.payoutMultiplier).toBe(1000);
  });
});

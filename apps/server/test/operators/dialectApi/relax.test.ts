import { aggregatorOf } from '@roundhouse/aggregators';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSignatureRefused, itMovesMoneyOnce, itSurvives } from '../../support/dialectLaws.ts';
import { itPlaysWithQuirks, useDialectServer } from '../../support/dialectServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { age } from '../../support/moveTime.ts';
import { expectRefusal, wholeState } from '../../support/snapshot.ts';
import { OPENING, UNIT } from '../../support/testServer.ts';

const kit = aggregatorOf('relax');
if (kit === undefined) throw new Error('there is no simulator of Relax');
const server = useDialectServer({
  kit,
  settings: {
    currencies: { JPY: { decimals: 0 } },
    jurisdictions: { MT: { disabledTurbo: true }, SE: { disabledAutoplay: true } },
    studioName: 'Studio',
    homeURLs: ['https://casino.example', 'https://other.example/casino/'],
  },
});

itPlaysWithQuirks(server);
itMovesMoneyOnce(server, {
  bet: '/10/withdraw',
  win: '/10/deposit',
  winsOf() {
    const deposits = server.bodiesTo('/10/deposit');
    return deposits.filter(({ txid }) => txid === deposits.at(-1).txid);
  },
  tokenOf: () => server.bodiesTo('/10/verifytoken').at(-1).token,
  withoutToken: { bet: 'ERR_ATE' },
  ripen: () => age(server, 1),
});

const CENTS = 100;
const balanceOf = (player: string) => server.simulator.balance(player, 'EUR');
const movesOf = (player: string) =>
  server.simulator
    .transactions()
    .filter(({ playerID }) => playerID === kit.aggregator.playerIDOf?.(player))
    .map(({ kind, amount }) => [kind, amount]);
const fault = (kind: string, method: string, next = 1) =>
  expect(server.simulator.faults.setPlan({ faults: [{ kind, path: `/10/${method}`, next }] })).toMatchObject({
    ok: true,
  });

describe('a round', () => {
  it('has the player and the session of the ticket; its bet is withdrawn, and its win deposited', async () => {
    const { player, url, sessionID } = await server.launch();
    const [verified] = server.bodiesTo('/10/verifytoken').slice(-1);
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      returnURL: 'https://casino.example/lobby',
      currency: 'EUR',
    });
    const gameref = 'rlx.roundhouse.studio.fixture';
    expect(verified).toMatchObject({
      gameref,
      partnerid: 10,
      channel: 'web',
      clientid: 'html5',
      ip: expect.any(String),
    });
    const { body: entered } = await server.authenticate(sessionID);
    expect(entered).toMatchObject({ balance: { amount: OPENING }, config: { jurisdiction: { disabledTurbo: true } } });
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    expect(balanceOf(player)).toBe(OPENING - UNIT);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + UNIT / 2);
    const [bet] = server.bodiesTo('/10/withdraw').slice(-1);
    const [win] = server.bodiesTo('/10/deposit').slice(-1);
    const place = { gameref, currency: 'EUR', channel: 'web', clientid: 'html5', roundid: String(body.round.betID) };
    const [account] = await server.db.player.findMany({ orderBy: { id: 'desc' }, take: 1 });
    const who = { playerid: Number(account?.externalId), sessionid: expect.any(Number) };
    expect(bet).toMatchObject({
      ...place,
      ...who,
      amount: CENTS,
      txtype: 'withdraw',
      ended: false,
      requestid: bet.txid,
    });
    expect(win).toMatchObject({ ...place, ...who, amount: 150, txtype: 'deposit', ended: true, requestid: win.txid });
    expect(win.sessionid).toBe(bet.sessionid);
  });

  it.each([['BASE'], ['AUTO']])('that is lost in mode %s ends with a deposit of 0', async (mode) => {
    const { player, sessionID } = await server.enter();
    await server.playBook(sessionID, BOOK.pays0, { mode });
    if (mode === 'BASE') expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING - UNIT);
    await server.settled();
    expect(movesOf(player)).toEqual([
      ['debit', UNIT],
      ['credit', 0],
    ]);
    expect(await server.roundOf(sessionID)).toMatchObject({ active: false });
  });

  it('that costs more than maximumbet is refused without a request', async () => {
    const { player, sessionID } = await server.enter();
    expectRefusal(
      await server.playBook(sessionID, BOOK.pays0, { amount: 20 * UNIT, mode: 'BONUS' }),
      'ERR_VAL',
      'the maximum stake',
    );
    expect(movesOf(player)).toEqual([]);
  });

  it('is rolled back a minute after a fault of its bet, and not before', async () => {
    const { player, sessionID } = await server.enter();
    fault('lost_response', 'withdraw');
    expectRefusal(await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' }), 'ERR_GEN');
    const rollback = await server.db.walletTransaction.findFirstOrThrow({
      where: { kind: 'rollback', state: 'pending' },
    });
    await server.db.$executeRaw`UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending'`;
    // Recovery has leased it again without a request.
    const leased = async () =>
      server.db.walletTransaction.findFirst({
        where: { transactionId: rollback.transactionId, dueAt: { gt: new Date(Date.now() + 1000) } },
      });
    await expect.poll(leased).not.toBeNull();
    expect(server.bodiesTo('/10/rollback').filter(({ txid }) => txid === rollback.transactionId)).toEqual([]);
    await age(server, 1);
    await server.settled();
    const [body] = server.bodiesTo('/10/rollback').filter(({ txid }) => txid === rollback.transactionId);
    expect(body).toMatchObject({ txtype: 'withdraw', amount: CENTS, requestid: body.txid });
    expect(body.originaltxid).not.toBe(body.txid);
    expect(body.originaltimestamp).toBeLessThanOrEqual(body.timestamp);
    expect(balanceOf(player)).toBe(OPENING);
  });
});

const PARTNER = { credentials: { partnerid: 10, src: 'backoffice', bouser: 'a@example.com' } };
const authorization = () => {
  const { user, password } = server.simulator.settings as { user: string; password: string };
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
};

async function send(path: string, body: string, headers: Record<string, string> = { authorization: authorization() }) {
  const response = await fetch(`${server.url}/dialects/acme${path}`, { method: 'POST', headers, body });
  return { status: response.status, body: await response.json() };
}
const ask = (path: string, content: object) => send(path, JSON.stringify({ ...PARTNER, ...content }));

const LAUNCH = { gameid: 'fixture', partnerid: '10', moneymode: 'real', ticket: 'none', channel: 'web', lang: 'en_GB' };
async function open(query: Record<string, string>) {
  const url = `${server.url}/dialects/acme/launcher?${new URLSearchParams(query)}`;
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, text: await response.text(), location: response.headers.get('location') };
}
const ticketFor = (currency: string) => {
  server.simulator.world.books.open('guest', currency, 1_000n);
  return server.simulator.world.tokens.issue('guest', currency, 'fixture');
};

describe('a launch', () => {
  it('for fun opens the game without a session and without the wallet', async () => {
    const requests = server.simulator.exchanges()[0];
    const query = { moneymode: 'fun', currency: 'SEK', channel: 'mobile', rcinterval: '60' };
    const { status, location } = await open({ ...LAUNCH, ...query });
    expect(status).toBe(302);
    const { searchParams } = new URL(String(location));
    const shown = { demo: 'true', currency: 'SEK', device: 'mobile', lang: 'en' };
    expect(Object.fromEntries(searchParams)).toMatchObject(shown);
    expect(searchParams.has('sessionID')).toBe(false);
    expect(server.simulator.exchanges()[0]).toBe(requests);
  });

  /** Returns the jurisdiction of a session that the browser has launched so. */
  const jurisdictionOf = async (query: Record<string, string>) => {
    const ticket = ticketFor('EUR');
    const { location } = await open({ ...LAUNCH, ticket, ...query });
    const sessionID = String(new URL(String(location)).searchParams.get('sessionID'));
    expect(JSON.stringify(server.logged())).not.toContain(ticket);
    return (await server.authenticate(sessionID)).body.config.jurisdiction;
  };

  it.each([
    ['nothing', {}, { rcinterval: '3600' }, 3_600_000],
    ['an hour', { realityCheckInterval: 3_600_000 }, { rcinterval: '60' }, 60_000],
    ['an hour', { realityCheckInterval: 3_600_000 }, { rcinterval: '86400' }, 3_600_000],
    ['an hour', { realityCheckInterval: 3_600_000 }, { rcinterval: '0' }, 3_600_000],
    ['an hour', { realityCheckInterval: 3_600_000 }, {}, 3_600_000],
  ])('shortens the reality check of an operator that demands %s, %j, and never lengthens it: %j', async (...given) => {
    const [, jurisdiction, query, interval] = given;
    await server.db.operator.update({ where: { code: 'acme' }, data: { jurisdiction } });
    expect(await jurisdictionOf(query)).toMatchObject({ disabledTurbo: true, realityCheckInterval: interval });
    await server.db.operator.update({ where: { code: 'acme' }, data: { jurisdiction: {} } });
  });

  it.each([
    ['https://casino.example/lobby?from=game', true],
    ['https://casino.example', true],
    ['https://other.example/casino/slots', true],
    ['https://other.example/casino', true],
    ['https://other.example/casinos', false],
    ['https://other.example/', false],
    ['http://casino.example/lobby', false],
    ['https://casino.example:8443/', false],
    ['https://casino.example.evil.example/', false],
    ['https://casino.example@evil.example/', false],
    ['https://me@casino.example/', false],
    ['https://evil.example/?https://casino.example/', false],
  ])('leads back to %s: %j, for money and for fun', async (homeurl, isHome) => {
    for (const query of [{ ticket: ticketFor('EUR') }, { moneymode: 'fun' }]) {
      const { status, location } = await open({ ...LAUNCH, ...query, homeurl });
      expect(status).toBe(302);
      expect(new URL(String(location)).searchParams.get('returnURL')).toBe(isHome ? homeurl : null);
    }
  });

  it.each<[string, () => Record<string, string>, number, string]>([
    ['an unknown ticket', () => ({}), 403, 'does not confirm the player'],
    ['no ticket', () => ({ ticket: '' }), 400, 'ticket'],
    ['an unknown game', () => ({ gameid: 'none', ticket: ticketFor('EUR') }), 400, 'there is no game none'],
    ['a currency that nobody has', () => ({ ticket: ticketFor('QQQ') }), 400, 'QQQ is not a currency of ISO 4217'],
    ['bet levels that cents do not write', () => ({ ticket: ticketFor('JPY') }), 400, 'these bets do not fit'],
    ['a page that is no address', () => ({ homeurl: 'javascript:1', ticket: ticketFor('EUR') }), 400, 'homeurl'],
    ['another channel', () => ({ channel: 'tv' }), 400, 'channel'],
    ['an unknown game for fun', () => ({ gameid: 'none', moneymode: 'fun' }), 400, 'there is no game none'],
  ])('is refused for %s, and changes nothing', async (_, change, status, about) => {
    const query = { ...LAUNCH, ...change() };
    const state = await wholeState(server);
    const response = await open(query);
    expect(response).toMatchObject({ status, location: null });
    expect(response.text.replace('returnURL', 'homeurl')).toContain(about);
    expect(await wholeState(server)).toEqual(state);
  });
});

describe('a request of Relax', () => {
  it('for the games has their gamerefs and bets', async () => {
    const games = await ask('/games/getgames', { currency: 'EUR' });
    const game = { gameref: 'rlx.roundhouse.studio.fixture', name: 'Fixture', studio: 'Studio', category: 'slot' };
    expect(games).toEqual({
      status: 200,
      body: { games: [{ ...game, channels: ['web', 'mobile'], legalbetsizes: [20, 100, 10_000] }] },
    });
    for (const currency of ['QQQ', '__proto__'])
      expect((await ask('/games/getgames', { currency })).body).toEqual({ games: [] });
    const shown = await kit.aggregator.games?.(server.simulator.world);
    expect(shown).toEqual([{ gameID: 'fixture', title: 'Fixture' }]);
  });

  it('for a round has its state, and its page when it is over', async () => {
    const { sessionID } = await server.enter();
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    const roundid = String(body.round.betID);
    const gameref = 'rlx.roundhouse.studio.fixture';
    expect((await ask('/round/getstate', { roundid })).body).toEqual({ closedtime: null, gameref, totalwinamount: 0 });
    expect((await ask('/replay/get', { roundid })).status).toBe(404);
    await server.endRound(sessionID);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const state = { closedtime: time, gameref, totalwinamount: 150 };
    expect(await ask('/round/getstate', { roundid })).toEqual({ status: 200, body: state });
    const replayurl = expect.stringContaining(`${server.url}/`);
    const facts = { betamount: CENTS, winamount: 150, currency: 'EUR', roundstart: time, roundend: time };
    expect(await ask('/replay/get', { roundid, locale: 'sv_SE' })).toEqual({
      status: 200,
      body: { ...facts, replayurl },
    });
  });

  it.each(['0', '999999999999999999', '9'.repeat(40), 'x'])('for a round that is none (%s)', async (roundid) => {
    const none = { closedtime: null, gameref: null, totalwinamount: null };
    expect(await ask('/round/getstate', { roundid })).toEqual({ status: 200, body: none });
    expect(await ask('/replay/get', { roundid })).toMatchObject({
      status: 404,
      body: { errorcode: 'INVALID_PARAMETERS' },
    });
  });

  it.each<[string, () => Promise<{ status: number }>, number]>([
    ['no password', () => send('/games/getgames', JSON.stringify(PARTNER), {}), 401],
    ['another password', () => send('/games/getgames', JSON.stringify(PARTNER), { authorization: 'Basic eDp5' }), 401],
    ['an unknown partner', () => ask('/games/getgames', { credentials: { partnerid: 11 } }), 403],
    ['an unknown partner at a launch', () => open({ ...LAUNCH, partnerid: '11' }), 403],
  ])('with %s is refused and becomes a significant event', async (_, request, status) => {
    await expectSignatureRefused(server, request, { status });
  });
});

describe('whatever comes', () => {
  const anything = fc.oneof(
    fc.constantFrom('', '\0', '__proto__', '-1', '1e9', '9007199254740993', "' OR 1=1", '\ud800'),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  const names = [...Object.keys(LAUNCH), 'clientid', 'currency', 'jurisdiction', 'homeurl', 'rcinterval'];
  itSurvives(server, 'a launch', {
    sent: fc.tuple(fc.constantFrom(...names), anything, fc.constantFrom('real', 'fun')),
    send: ([name, value, moneymode]) => open({ ...LAUNCH, moneymode, [name]: value }),
    changesNothing: true,
    runs: 100,
  });

  const member = fc
    .tuple(fc.constantFrom('credentials', 'currency', 'roundid', 'locale'), fc.oneof(fc.jsonValue(), anything))
    .map(([name, value]) => JSON.stringify({ ...PARTNER, roundid: '1', [name]: value }));
  for (const path of ['/games/getgames', '/round/getstate', '/replay/get', '/finalize', '/x?y'])
    itSurvives(server, path, {
      sent: fc.oneof(member, fc.json(), anything),
      send: (text) => send(path, text),
      changesNothing: true,
      runs: 100,
    });
});

import { createHash, randomUUID } from 'node:crypto';
import { type AnyDialectKit, aggregatorOf, type Simulator } from '@roundhouse/aggregators';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeOperator } from '../../../src/operators/settings/changeOperator.ts';
import { itMovesMoneyOnce, itSurvives } from '../../support/dialectLaws.ts';
import { type DialectServer, itPlaysWithQuirks, useDialectServer } from '../../support/dialectServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { expectRefusal, wholeState } from '../../support/snapshot.ts';
import { OPENING, UNIT } from '../../support/testServer.ts';

/**
 * A refund has no id in the wallet, so both sides are compared by round: what moved, and how much.
 */
async function agreement({ db, simulator }: Pick<DialectServer, 'db' | 'simulator'>): Promise<void> {
  const rows = await db.walletTransaction.findMany({ where: { state: 'accepted' } });
  const theirs = simulator.transactions().flatMap((each) => ('roundID' in each ? [each] : []));
  const taken = new Set(theirs.map(({ roundID }) => roundID));
  const ours = rows
    .map(({ kind, roundId, amountMicros }) => ({ kind, roundID: String(roundId), amount: Number(amountMicros) }))
    // A refund of an unknown bet and the end of a round move nothing.
    .filter(({ kind, roundID, amount }) => (kind === 'rollback' ? taken.has(roundID) : kind === 'debit' || amount > 0));
  const abandoned = await db.walletTransaction.findMany({ where: { kind: 'debit', state: 'abandoned' } });
  const late = abandoned.filter(({ roundId }) => taken.has(String(roundId)));
  const textOf = ({ kind, roundID, amount }: { kind: string; roundID: string; amount: number }) =>
    `${kind} ${roundID} ${amount}`;
  const lateOf = late.map(({ roundId, amountMicros }) => `debit ${roundId} ${amountMicros}`);
  const moved = theirs.filter(({ kind, amount }) => kind !== 'credit' || amount > 0);
  expect(moved.map(textOf).sort()).toEqual([...ours.map(textOf), ...lateOf].sort());
}

const server = useDialectServer({ kit: aggregatorOf('pragmatic') as AnyDialectKit, agreement });
let operator: Simulator;

/** These operators differ from "acme" by their settings, and share its simulator. */
const OTHERS = {
  full: { sendsToken: true, refundDetails: true },
  short: { endRound: false },
  coarse: { currencies: { USD: { decimals: 0 } } },
} as const;
type Code = 'acme' | keyof typeof OTHERS;

beforeAll(async () => {
  operator = server.simulator;
  const own = { name: 'pragmatic', freeRounds: true, completesRounds: true } as const;
  for (const [code, more] of Object.entries(OTHERS)) {
    const settings = JSON.stringify({ ...operator.settings, ...more });
    const change = { walletUrl: operator.url, walletTimeoutMs: 2500, dialect: { ...own, settings } };
    await changeOperator(server.db, { code, kind: 'add', change, makeSecret: () => 'x'.repeat(64) });
  }
});

itPlaysWithQuirks(server);
beforeEach(() => use('acme'));
itMovesMoneyOnce(server, {
  bet: '/bet.html',
  win: '/result.html',
  winsOf: (player) => requestsOf(player).filter(({ path }) => path === '/result.html'),
  tokenOf: () => tokenOf(operator.exchanges()).token ?? '',
  withoutToken: { authenticate: 'ERR_ATE' },
});

function use(code: Code): void {
  operator.setSupplier(`${server.url}/dialects/${code}`);
}

type Player = { player?: string; currency?: string };

/** A player with 1,000 units, whose game has authenticated. */
async function launched({ player = `p${randomUUID()}`, currency = 'USD' }: Player = {}) {
  const url = await operator.launch({ player, currency, gameID: 'fixture' });
  const sessionID = new URL(url).searchParams.get('sessionID') ?? '';
  expect((await server.authenticate(sessionID)).body).toMatchObject({ balance: { amount: OPENING, currency } });
  return { player, sessionID, url, currency, balance: () => operator.balance(player, currency) };
}

const kindsOf = (player: string) =>
  operator.world.books
    .entries()
    .filter((entry) => entry.player === player)
    .map(({ kind }) => kind);
/** The wallet requests of a player, the oldest first, each with its parameters. */
const requestsOf = (player: string) =>
  [...operator.exchanges()]
    .reverse()
    .map(
      ({ request: { path, body } }) =>
        ({ path, ...Object.fromEntries(new URLSearchParams(String(body))) }) as Record<string, string>,
    )
    .filter(({ userId }) => userId === player);
const pathsOf = (player: string) => requestsOf(player).map(({ path }) => path);

describe('a launch by the request of an operator', () => {
  it('opens the game, and the wallet names the player', async () => {
    const { url } = await launched();
    const { searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ currency: 'USD', lang: 'en', device: 'desktop', returnURL: 'https://casino.example/lobby' },
      sessionID: expect.stringMatching(/^acme:/),
    });
    expect(searchParams.has('cashierURL')).toBe(false);
  });

  it('for fun needs neither a player nor a token', async () => {
    const { gameURL } = await ask(URL_PATH, { symbol: 'fixture', currency: 'USD', playMode: 'DEMO' });
    expect(new URL(gameURL).searchParams.get('demo')).toBe('true');
  });

  it('lists the games, and the bets that free rounds may have', async () => {
    expect(await operator.aggregator.games?.(operator.world)).toEqual([
      { gameID: 'fixture', title: expect.any(String) },
    ]);
    const { gameList } = await ask('CasinoGameAPI/getBetScales', { gameIDs: 'fixture,other', currencies: 'USD' });
    expect(gameList).toMatchObject([{ gameID: 'fixture', betScaleList: [{ currency: 'USD' }] }]);
    const [level] = gameList[0].betScaleList[0].totalBetScales;
    expect(level).toMatch(/^\d+\.\d\d$/);
  });
});

describe('a round', () => {
  it('that wins is a bet, a result and its end', async () => {
    const { player, sessionID, balance } = await launched();
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    expect(body.balance.amount).toBe(OPENING - UNIT);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 0.5 * UNIT);
    expect(balance()).toBe(OPENING + 0.5 * UNIT);
    const round = { roundId: String(body.round.betID), gameId: 'fixture', providerId: 'roundhouse' };
    expect(requestsOf(player).filter(({ path }) => path !== '/balance.html')).toMatchObject([
      { path: '/bet.html', ...round, amount: '1.00', roundDetails: 'spin' },
      { path: '/result.html', ...round, amount: '1.50' },
      { path: '/endRound.html', ...round },
    ]);
  });

  it('that loses has no result', async () => {
    const { player, sessionID, balance } = await launched();
    expect((await server.post('/game/force', { sessionID, mode: 'AUTO', bookID: BOOK.pays0 })).status).toBe(200);
    await server.play(sessionID, { mode: 'AUTO' });
    await server.settled();
    expect(pathsOf(player)).toEqual(['/bet.html', '/endRound.html']);
    expect(balance()).toBe(OPENING - UNIT);
  });

  it('is closed by its result where the operator has no end of a round', async () => {
    use('short');
    const { player, sessionID, balance } = await launched();
    await server.playBook(sessionID, BOOK.pays0);
    await server.endRound(sessionID);
    expect(requestsOf(player).at(-1)).toMatchObject({ path: '/result.html', amount: '0.00' });
    expect(balance()).toBe(OPENING - UNIT);
  });

  it.each(['acme', 'full'] as const)('whose bet has no response is refunded: %s', async (code) => {
    use(code);
    const { player, sessionID, balance } = await launched();
    operator.faults.setPlan({ faults: [{ kind: 'lost_response', path: '/bet.html', next: 1 }] });
    expect((await server.play(sessionID)).body.error).toBe('ERR_GEN');
    await server.settled();
    expect(kindsOf(player)).toEqual(['bet', 'rollback']);
    expect(balance()).toBe(OPENING);
    const refund = requestsOf(player).find(({ path }) => path === '/refund.html') ?? {};
    expect([refund.amount, 'token' in refund]).toEqual(code === 'full' ? ['1.00', true] : [undefined, false]);
  });

  it('whose bet has a final error is refunded', async () => {
    const { player, sessionID, balance } = await launched();
    operator.faults.setPlan({
      faults: [{ kind: 'error', error: 'ERR_FINAL', afterWork: true, path: '/bet.html', next: 1 }],
    });
    expect((await server.play(sessionID)).body.error).toBe('ERR_GEN');
    await server.settled();
    expect([kindsOf(player), balance()]).toEqual([['bet', 'rollback'], OPENING]);
  });

  it.each([
    ['the end', '/endRound.html', { kind: 'lost_response' }],
    ['the end, by its own error', '/endRound.html', { kind: 'error', error: 'ERR_ENDROUND' }],
    ['a result with error 100', '/result.html', { kind: 'error', afterWork: true }],
  ])('is paid once when both are repeated because of %s', async (_what, path, fault) => {
    const { player, sessionID, balance } = await launched();
    await server.playBook(sessionID, BOOK.pays150);
    operator.faults.setPlan({ faults: [{ ...fault, path, next: 1 }] });
    expect((await server.endRound(sessionID)).body.error).toBe('ERR_GEN');
    await server.settled();
    expect([kindsOf(player), balance()]).toEqual([['bet', 'win'], OPENING + 0.5 * UNIT]);
    const results = requestsOf(player).filter((request) => request.path === '/result.html');
    expect(new Set(results.map(({ reference, timestamp }) => `${reference} ${timestamp}`)).size).toBe(1);
  });

  it('is parked at once by a final error', async () => {
    const { player, sessionID, balance } = await launched();
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    operator.faults.setPlan({ faults: [{ kind: 'error', error: 'ERR_FINAL', path: '/result.html', next: 1 }] });
    await server.endRound(sessionID);
    const where = { roundId: BigInt(body.round.betID), kind: 'credit' } as const;
    const credit = await server.db.walletTransaction.findFirstOrThrow({ where });
    expect(credit).toMatchObject({ state: 'parked', resultDetail: 'result: error 120' });
    expect([kindsOf(player), balance()]).toEqual([['bet'], OPENING - UNIT]);
  });
});

/** The newest authenticate has the token. */
function tokenOf(exchanges: ReturnType<Simulator['exchanges']>): Record<string, string> {
  const found = exchanges.find(({ request }) => request.path === '/authenticate.html');
  return Object.fromEntries(new URLSearchParams(String(found?.request.body)));
}

describe('free rounds', () => {
  const terms = { gameID: 'fixture', currency: 'USD', bet: UNIT, rounds: 3 } as const;
  async function given(player: string) {
    const grant = { ...terms, id: `bonus-${randomUUID()}`, player, endsAt: new Date(Date.now() + 3_600_000) };
    await operator.giveFreeRounds(grant as Parameters<Simulator['giveFreeRounds']>[0]);
    return grant.id;
  }

  it('are created, played, won and cancelled', async () => {
    const { player, sessionID, balance } = await launched();
    const bonusCode = await given(player);
    await server.playBook(sessionID, BOOK.pays150);
    expect(balance()).toBe(OPENING);
    await server.endRound(sessionID);
    expect(balance()).toBe(OPENING + 1.5 * UNIT);
    expect(requestsOf(player).filter(({ path }) => path !== '/balance.html')).toMatchObject([
      { path: '/bet.html', amount: '0.00', bonusCode },
      { path: '/result.html', amount: '1.50', bonusCode },
      { path: '/endRound.html' },
    ]);
    expect((await ask('FreeRoundsBonusAPI/getPlayersFRB', { playerId: player })).bonuses).toMatchObject([
      { bonusCode, rounds: 3, roundsPlayed: 1, gameIDList: 'fixture', currency: 'USD' },
    ]);
    await operator.aggregator.cancelFreeRounds?.(operator.world, bonusCode);
    expect((await ask('FreeRoundsBonusAPI/getPlayersFRB', { playerId: player })).bonuses).toEqual([]);
    await server.playBook(sessionID, BOOK.pays0);
    expect(balance()).toBe(OPENING + 0.5 * UNIT);
    await server.endRound(sessionID);
  });

  it('can be created and cancelled again with the same content, and not with another', async () => {
    const player = `p${randomUUID()}`;
    const bonusCode = await given(player);
    const grant = operator.world.grants.get(bonusCode);
    if (grant === undefined) throw new Error('it was given');
    const { giveFreeRounds, cancelFreeRounds } = operator.aggregator;
    await giveFreeRounds?.(operator.world, grant);
    expect(await server.db.grant.count({ where: { externalId: bonusCode } })).toBe(1);
    await expect(giveFreeRounds?.(operator.world, { ...grant, rounds: 4 })).rejects.toThrow('another grant');
    await cancelFreeRounds?.(operator.world, bonusCode);
    await cancelFreeRounds?.(operator.world, bonusCode);
  });
});

const SECURE_LOGIN = 'rh_casino';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Signs by the words of the document, without the code of the server or the simulator. */
function signed(params: Record<string, string>, secret = operator.world.keys.secret): string {
  const text = Object.keys(params)
    .filter((name) => params[name] !== '')
    .sort()
    .map((name) => `${name}=${params[name]}`);
  const hash = createHash('md5')
    .update(text.join('&') + secret)
    .digest('hex');
  return String(new URLSearchParams({ ...params, hash }));
}

async function send(path: string, body: string, code: string = 'acme') {
  const response = await fetch(`${server.url}/dialects/${code}/IntegrationService/v3/http/${path}`, {
    method: 'POST',
    headers: FORM,
    body,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, any>;
}

async function ask(path: string, params: Record<string, string>) {
  const answer = await send(path, signed({ secureLogin: SECURE_LOGIN, ...params }));
  expect(answer).toMatchObject({ error: '0', description: 'OK' });
  return answer;
}

const LAUNCH = {
  ...{ secureLogin: SECURE_LOGIN, symbol: 'fixture', language: 'en', token: 'a token', externalPlayerId: 'ann' },
  ...{ currency: 'USD', country: 'SE', platform: 'WEB' },
};
const URL_PATH = 'CasinoGameAPI/game/url/';
const BONUS = {
  secureLogin: SECURE_LOGIN,
  bonusCode: 'b',
  playerId: 'ann',
  currency: 'USD',
  rounds: '3',
  expirationDate: '4000000000',
};
const CREATE = 'FreeRoundsBonusAPI/v2/bonus/player/create';
const betsOf = (totalBet: unknown) =>
  JSON.stringify({ gameList: [{ gameId: 'fixture', betValues: [{ totalBet, currency: 'USD' }] }] });

describe('a bad request', () => {
  it.each<[string, string, () => [path: string, body: string, code?: Code]]>([
    ['an unknown game', '8', () => [URL_PATH, signed({ ...LAUNCH, symbol: 'other' })]],
    ['a currency that is not offered', '7', () => [URL_PATH, signed({ ...LAUNCH, currency: 'XXX' })]],
    ['a lobby that is no page', '7', () => [URL_PATH, signed({ ...LAUNCH, lobbyUrl: 'javascript:1' })]],
    ['bet levels that do not fit', '7', () => [URL_PATH, signed(LAUNCH), 'coarse']],
    ['free rounds without bets', '7', () => [`${CREATE}?${signed(BONUS)}`, '{}']],
    ['free rounds with a bet per line', '7', () => [`${CREATE}?${signed(BONUS)}`, betsOf(undefined)]],
    ['free rounds with a bet that is no level', '7', () => [`${CREATE}?${signed(BONUS)}`, betsOf(0.123)]],
    ['free rounds that have ended', '7', () => [`${CREATE}?${signed({ ...BONUS, expirationDate: '1' })}`, betsOf(1)]],
    ['no free rounds', '7', () => [`${CREATE}?${signed({ ...BONUS, rounds: '0' })}`, betsOf('1.00')]],
    [
      'cancelled free rounds that are not there',
      '7',
      () => ['FreeRoundsBonusAPI/cancelFRB', signed({ secureLogin: SECURE_LOGIN, bonusCode: 'none' })],
    ],
  ])('has the error of the dialect, and changes nothing: %s', async (_what, error, request) => {
    const before = await wholeState(server);
    const [path, body, code] = request();
    const answer = await send(path, body, code);
    expect(answer).toMatchObject({ error, description: expect.any(String) });
    expect(await wholeState(server)).toEqual(before);
  });

  it('names the bet levels that do not fit', async () => {
    const { description } = await send(URL_PATH, signed(LAUNCH), 'coarse');
    expect(description).toContain('these bets do not fit');
  });

  it.each([
    ['a wrong hash', () => signed(LAUNCH, 'another secret')],
    ['an unknown login', () => signed({ ...LAUNCH, secureLogin: 'other' })],
  ])('is a significant event: %s', async (_what, body) => {
    const before = (await server.refusedSignatures()).length;
    await send(URL_PATH, body());
    await expect.poll(async () => (await server.refusedSignatures()).slice(before)).toContain('operator acme');
  });

  it('that is a replay opens no second way to the money: the wallet decides about its token', async () => {
    const { sessionID, player } = await launched();
    const { token = '' } = tokenOf(operator.exchanges());
    const { gameURL } = await ask(URL_PATH, { ...LAUNCH, externalPlayerId: player, token });
    expect(operator.world.tokens.expire(token)).toBe(true);
    expectRefusal(await server.authenticate(new URL(gameURL).searchParams.get('sessionID') ?? ''), 'ERR_ATE');
    expect((await server.balance(sessionID)).status).toBe(200);
  });
});

describe('any request at all', () => {
  const paths = fc.constantFrom(
    ...[URL_PATH, 'CasinoGameAPI/getCasinoGames', 'CasinoGameAPI/getBetScales', 'FreeRoundsBonusAPI/cancelFRB', CREATE],
    ...['FreeRoundsBonusAPI/getPlayersFRB', 'FreeRoundsBonusAPI/v2/bonus/cancel', '__proto__', 'constructor'],
  );
  const names = fc.constantFrom(
    ...Object.keys({ ...LAUNCH, ...BONUS }),
    'playMode',
    'startDate',
    'lobbyUrl',
    '__proto__',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\0', '\u{d800}', 'fixture', 'USD', 'DEMO', '-1', '9'.repeat(30), '1e9', 'NaN'),
  );
  const forms = fc.dictionary(names, texts, { noNullPrototype: true });

  const send = (path: string, init: RequestInit) =>
    fetch(`${server.url}/dialects/acme/${path}`, { method: 'POST', ...init });

  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary' }),
    forms.map((form) => String(new URLSearchParams(form))),
  );
  const headers = fc.dictionary(
    fc.constantFrom('content-type', 'x-hash', 'accept'),
    fc.stringMatching(/^[\w/;=-]{0,30}$/),
  );
  itSurvives(server, 'without a hash', {
    sent: fc.tuple(paths, bodies, headers),
    send: ([path, body, given]) => send(path, { body: body as Uint8Array<ArrayBuffer>, headers: { ...given } }),
    changesNothing: true,
    runs: 300,
  });

  const jsons = fc.oneof(
    fc.json(),
    fc.anything().map((value) => JSON.stringify({ gameList: [{ gameId: value, betValues: [value] }] }) ?? ''),
  );
  itSurvives(server, 'with a hash', {
    sent: fc.tuple(paths, forms, jsons),
    send([path, form, json]) {
      const body = signed({ ...form, secureLogin: SECURE_LOGIN, token: '' });
      return path === CREATE ? send(`${path}?${body}`, { body: json }) : send(path, { body, headers: FORM });
    },
    changesNothing: true,
    runs: 300,
  });
});

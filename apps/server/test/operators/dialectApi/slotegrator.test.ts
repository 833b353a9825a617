import { randomUUID } from 'node:crypto';
import { aggregatorOf } from '@roundhouse/aggregators';
import type { FaultPlan } from '@roundhouse/contract';
import { formOf, type Params, signatureOf } from '@roundhouse/dialects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itMovesMoneyOnce, itSurvives } from '../../support/dialectLaws.ts';
import { itPlaysWithQuirks, useDialectServer } from '../../support/dialectServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { sessionOf } from '../../support/rgsCalls.ts';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { OPENING, UNIT } from '../../support/testServer.ts';

const kit = aggregatorOf('slotegrator');
if (kit === undefined) throw new Error('there is no simulator of slotegrator');

const server = useDialectServer({
  kit,
  settings: { provider: 'Studio', demoCurrency: 'USD', currencies: { USD: { decimals: 0 }, UBTC: { code: 'BTC' } } },
});

itPlaysWithQuirks(server);
const CALLBACK = '/callback';
itMovesMoneyOnce(server, {
  bet: CALLBACK,
  win: CALLBACK,
  winsOf: (player) => callbacksOf(player, 'win'),
  tokenOf: (player) => callbacksOf(player, 'bet')[0]?.session_id ?? '',
  withoutToken: { bet: 'ERR_GEN' },
});
const MERCHANT = 'roundhouse-merchant';
const nowSeconds = () => Math.floor(Date.now() / 1000);

type Asked = { method?: string; merchant?: string; key?: string; timestamp?: string; nonce?: string } & {
  /** Returns the time this number of seconds from now. */
  away?: number;
};

/** Sends a request of the operator, signed as its settings say. */
async function ask(path: string, params: Params, asked: Asked = {}) {
  const { keys, supplierUrl } = server.simulator.world;
  const { method = path === '/games' || path === '/limits' ? 'GET' : 'POST', merchant = MERCHANT } = asked;
  const { timestamp = String(nowSeconds() + (asked.away ?? 0)), nonce = randomUUID() } = asked;
  const sign = signatureOf(params, { merchant, timestamp, nonce }, asked.key ?? keys.secret);
  const form = formOf(params);
  const response = await fetch(`${supplierUrl}${path}${method === 'GET' ? `?${form}` : ''}`, {
    method,
    headers: {
      ...{ 'content-type': 'application/x-www-form-urlencoded', 'x-merchant-id': merchant },
      ...{ 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-sign': sign },
    },
    ...(method !== 'GET' && { body: form }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const LAUNCH = {
  game_uuid: 'fixture',
  player_id: 'john~12345 *',
  player_name: 'John',
  currency: 'EUR',
  session_id: 'session of john',
  device: 'mobile',
  return_url: 'https://casino.example/lobby?from=game&x=1',
  language: 'de',
};
const launchWith = (change: Readonly<Record<string, string | undefined>> = {}): Params =>
  Object.entries({ ...LAUNCH, ...change }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );

/** Returns the callbacks of the player, the oldest first. */
const callbacksOf = (player: string, action?: string) =>
  server.simulator
    .exchanges()
    .map(({ request }) => Object.fromEntries(new URLSearchParams(String(request.body))))
    .filter((fields) => fields.player_id === player && (action ?? fields.action) === fields.action)
    .reverse();
const movesOf = (player: string) =>
  server.simulator
    .transactions()
    .filter(({ playerID }) => playerID === player)
    .map(({ kind, amount }) => [kind, amount]);
const balanceOf = async (sessionID: string) => (await server.balance(sessionID)).body.balance.amount;
const inject = (fault: FaultPlan['faults'][number]) =>
  expect(server.simulator.faults.setPlan({ faults: [{ ...fault, path: CALLBACK }] }).ok).toBe(true);

describe('play', () => {
  it('launches, authenticates with the balance of the operator, and pays a win', async () => {
    const { url, sessionID, player } = await server.launch();
    expect(new URL(url).searchParams.get('returnURL')).toBe('https://casino.example/lobby?from=game');
    expect(callbacksOf(player)).toEqual([]);
    expect((await server.authenticate(sessionID)).body.balance).toEqual({ amount: OPENING, currency: 'EUR' });
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    expect(body.balance.amount).toBe(OPENING - UNIT);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 0.5 * UNIT);
    const [bet] = callbacksOf(player, 'bet');
    const round = { round_id: String(body.round.betID), game_uuid: 'fixture', currency: 'EUR' };
    expect(bet).toMatchObject({ ...round, amount: '1.00', finished: '0', type: 'bet' });
    const [win] = callbacksOf(player, 'win');
    expect(win).toMatchObject({ ...round, amount: '1.50', finished: '1', type: 'win', session_id: bet?.session_id });
    expect(movesOf(player)).toEqual([
      ['debit', UNIT],
      ['credit', 1.5 * UNIT],
    ]);
  });

  it.each(['BASE', 'AUTO'])('closes a lost round of mode %s with a win of 0', async (mode) => {
    const { sessionID, player } = await server.enter();
    await server.playBook(sessionID, BOOK.pays0, { mode });
    if (mode === 'BASE') await server.endRound(sessionID);
    // A round that closes at once is closed in the background.
    await expect.poll(() => callbacksOf(player, 'win')).toMatchObject([{ amount: '0.00', finished: '1' }]);
  });

  it('a refund has the amount of its bet, and one id in each attempt', async () => {
    const { sessionID, player } = await server.enter();
    inject({ kind: 'lost_response', next: 2 });
    expectRefusal(await server.playBook(sessionID, BOOK.pays150), 'ERR_GEN');
    await expect
      .poll(async () => {
        await server.settled();
        return callbacksOf(player, 'refund').length;
      })
      .toBe(2);
    const [first, second] = callbacksOf(player, 'refund');
    expect(first).toMatchObject({ amount: '1.00', finished: '1' });
    expect(second).toEqual(first);
    expect(movesOf(player)).toEqual([
      ['debit', UNIT],
      ['rollback', UNIT],
    ]);
  });

  it('a bet that arrives after its refund takes nothing', async () => {
    const { sessionID, player } = await server.enter();
    inject({ kind: 'delay', delayMs: 4000, next: 1 });
    expectRefusal(await server.playBook(sessionID, BOOK.pays150), 'ERR_GEN');
    await server.settled();
    expect(callbacksOf(player, 'bet')).toEqual([]);
    await expect.poll(() => callbacksOf(player, 'bet')).toHaveLength(1);
    expect(movesOf(player)).toEqual([['rollback', 0]]);
    expect(await balanceOf(sessionID)).toBe(OPENING);
  });
});

describe('requests of the operator', () => {
  it('/games/init launches with what it names', async () => {
    const { status, body } = await ask('/games/init', launchWith());
    expect(status).toBe(200);
    const { searchParams } = new URL(body.url);
    expect(searchParams.get('returnURL')).toBe(LAUNCH.return_url);
    expect([searchParams.get('lang'), searchParams.get('device')]).toEqual(['de', 'mobile']);
    expectRefusal(await server.authenticate(sessionOf(body.url)), 'ERR_GEN');
    expect(callbacksOf(LAUNCH.player_id)).toMatchObject([{ action: 'balance', session_id: LAUNCH.session_id }]);
  });

  it('/games/init-demo opens fun mode, without a session', async () => {
    const params: Params = [
      ['game_uuid', 'fixture'],
      ['language', 'de'],
    ];
    const { body } = await expectNothingChanged(server, () => ask('/games/init-demo', params));
    const { searchParams } = new URL(body.url);
    expect(['demo', 'currency', 'lang', 'sessionID'].map((name) => searchParams.get(name))).toEqual([
      ...['true', 'USD', 'de', null],
    ]);
  });

  it.each<[string, Params, number, number]>([
    ['the first page', [], 1, 1],
    ['a page behind the last is the last', [['page', '7']], 1, 1],
    ['an own filter', [['filter[provider]', 'Studio']], 1, 1],
    ['a filter of another provider', [['filter[provider]', 'Other Games']], 0, 0],
    ['a filter of free spins', [['filter[has_freespins]', '1']], 0, 0],
  ])('/games: %s', async (_what, params, totalCount, pageCount) => {
    const { status, body, headers } = await ask('/games', [...params, ['per-page', '0'], ['expand', 'tags,images']]);
    expect(status).toBe(200);
    expect(body._meta).toEqual({ totalCount, pageCount, currentPage: 1, perPage: 1 });
    expect(headers.get('x-pagination-total-count')).toBe(String(totalCount));
    const item = { uuid: 'fixture', name: 'Fixture', provider: 'Studio', has_lobby: 0, tags: [], images: [] };
    expect(body.items).toEqual(totalCount === 0 ? [] : [expect.objectContaining(item)]);
  });

  it('/limits has none', async () => {
    expect(await ask('/limits', [])).toMatchObject({ status: 200, body: [] });
  });

  it('the simulator sees the games', async () => {
    expect(await server.simulator.aggregator.games?.(server.simulator.world)).toEqual([
      { gameID: 'fixture', title: 'Fixture' },
    ]);
  });

  it.each<[string, Readonly<Record<string, string | undefined>>, number, string]>([
    ['an unknown game', { game_uuid: 'other' }, 404, 'there is no game other'],
    ['an unknown currency', { currency: 'DOGE' }, 422, 'currency'],
    ['a currency that the game does not have', { currency: 'BTC' }, 422, 'currency'],
    ['bet levels that the wallet cannot move', { currency: 'USD' }, 422, 'these bets do not fit: 200000'],
  ])('/games/init refuses %s', async (_what, change, code, about) => {
    const { status, body } = await expectNothingChanged(server, () => ask('/games/init', launchWith(change)));
    expect({ status, body }).toEqual({
      status: code,
      body: { name: expect.any(String), message: expect.stringContaining(about), code: 0, status: code },
    });
  });

  it.each<[string, Asked & { path?: string; status?: number }]>([
    ['an unknown path', { path: '/other', status: 404 }],
    ['a name of every object', { path: '/toString', status: 404 }],
    ['the self-validation, which would move money that no round has', { path: '/self-validate', status: 404 }],
    ['another method', { method: 'GET', status: 404 }],
  ])('%s is refused, and changes nothing', async (_what, { path = '/games/init', status = 401, ...asked }) => {
    const response = await expectNothingChanged(server, () => ask(path, launchWith(), asked));
    expect(response).toMatchObject({ status, body: { message: expect.any(String), code: 0, status } });
  });

  it('a nonce passes once, and twice where nothing changes', async () => {
    const asked = { nonce: randomUUID() };
    expect((await ask('/games/init', launchWith(), asked)).status).toBe(200);
    const again = await expectNothingChanged(server, () => ask('/games/init', launchWith(), asked));
    expect([again.status, again.body.message]).toEqual([401, 'X-Nonce: was used before']);
    for (const _each of [1, 2]) expect((await ask('/games', [], asked)).status).toBe(200);
  });

  it('more parameters than any request has are refused before they are sorted', async () => {
    const many: Params = Array.from({ length: 201 }, (_, at) => [`p${at}`, ''] as const);
    const { status, body } = await expectNothingChanged(server, () => ask('/games/init', many));
    expect([status, body.message]).toEqual([401, 'more than 200 parameters']);
    const few: Params = Array.from({ length: 200 - launchWith().length }, (_, at) => [`p${at}`, ''] as const);
    expect((await ask('/games/init', [...launchWith(), ...few])).status).toBe(200);
  });

  it('a changed parameter has another signature', async () => {
    const { keys, supplierUrl } = server.simulator.world;
    const signed = { merchant: MERCHANT, timestamp: String(nowSeconds()), nonce: randomUUID() };
    const response = await expectNothingChanged(server, () =>
      fetch(`${supplierUrl}/games/init`, {
        method: 'POST',
        headers: {
          ...{ 'x-merchant-id': signed.merchant, 'x-timestamp': signed.timestamp, 'x-nonce': signed.nonce },
          'x-sign': signatureOf(launchWith(), signed, keys.secret),
        },
        body: formOf(launchWith({ player_id: 'mary' })),
      }),
    );
    expect(response.status).toBe(401);
  });

  it('refused signatures and unknown merchants are a significant event of the operator', async () => {
    await ask('/games', [], { merchant: 'another' });
    await expect.poll(server.refusedSignatures).toContain('operator acme');
  });
});

const value = fc.oneof(
  fc.constantFrom(...Object.values(LAUNCH), 'DOGE', '0', '-1', '1e9', '50', 'tags,images', ''),
  fc.string({ unit: 'binary' }),
);
const names = [...Object.keys(LAUNCH), 'page', 'per-page', 'expand', 'filter[provider]', 'filter[', '__proto__'];
const fields = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), value), { maxLength: 5 });
const asked = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'PUT'),
    timestamp: fc.constantFrom('', 'x', '0', '99999999999999'),
    merchant: fc.constantFrom('', 'another'),
    key: fc.constantFrom('', 'another key of an operator'),
  },
  { requiredKeys: [] },
);

for (const path of ['/games', '/limits', '/games/init', '/games/init-demo', '/balance/notify'])
  itSurvives(server, `anything that is sent to ${path}`, {
    sent: fc.tuple(fc.boolean(), fields, asked),
    send: ([isLaunch, changed, how]) =>
      ask(path, [...new Map([...(isLaunch ? launchWith() : []), ...changed])].map(wellFormed), how),
  });

/** What a form can say: no half of a surrogate pair. */
function wellFormed([name, value]: readonly [string, string]): [string, string] {
  return [Buffer.from(name).toString(), Buffer.from(value).toString()];
}

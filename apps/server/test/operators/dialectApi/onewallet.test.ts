import { aggregatorOf } from '@roundhouse/aggregators';
import type { FaultPlan } from '@roundhouse/contract';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { expectSignatureRefused, itMovesMoneyOnce, itSurvives } from '../../support/dialectLaws.ts';
import { itPlaysWithQuirks, useDialectServer } from '../../support/dialectServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { age } from '../../support/moveTime.ts';
import { sessionOf } from '../../support/rgsCalls.ts';
import { expectRefusal, wholeState } from '../../support/snapshot.ts';
import { OPENING, UNIT } from '../../support/testServer.ts';

const kit = aggregatorOf('onewallet');
if (kit === undefined) throw new Error('there is no simulator of onewallet');
const server = useDialectServer({ kit });

type Method = 'check' | 'balance' | 'debit' | 'credit' | 'cancel';
const METHODS: readonly Method[] = ['check', 'balance', 'debit', 'credit', 'cancel'];

afterEach(() => {
  for (const method of METHODS) server.simulator.world.memory.delete(`status of ${method}`);
});

itPlaysWithQuirks(server);
itMovesMoneyOnce(server, {
  bet: '/debit',
  win: '/credit',
  winsOf: (player) => sentBy(player, 'credit'),
  tokenOf: (player) => sentBy(player, 'check')[0].sid,
  withoutToken: { bet: 'ERR_IS' },
  ripen: () => age(server, 1),
});

const balanceOf = (player: string) => server.simulator.balance(player, 'EUR');
/** Returns the bodies of the player's requests to the wallet, the oldest first. */
function sentBy(player: string, method: Method): any[] {
  const ofMethod = server.simulator.exchanges().filter(({ request }) => request.path.startsWith(`/${method}?`));
  const bodies = ofMethod.map(({ request }) => JSON.parse(String(request.body)));
  return bodies.filter(({ userId }) => userId === player).reverse();
}
const movesOf = (player: string) =>
  server.simulator
    .transactions()
    .filter(({ playerID }) => playerID === player)
    .map(({ kind, amount }) => [kind, amount]);
const fault = (fault: FaultPlan['faults'][number]) =>
  expect(server.simulator.faults.setPlan({ faults: [{ next: 1, ...fault }] })).toMatchObject({ ok: true });
/** Until then the wallet fails with the status. */
const say = (method: Method, status: string) => server.simulator.world.memory.set(`status of ${method}`, status);
const unsay = (method: Method) => server.simulator.world.memory.delete(`status of ${method}`);
const makeDue = () => server.db.$executeRaw`UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending'`;
async function transactionsOf(player: string) {
  const rows = await server.db.$queryRaw<{ kind: string; state: string; resultCode: string }[]>`
    SELECT t.kind::text, t.state::text, t.result_code AS "resultCode" FROM wallet_transactions t
    JOIN rounds r ON r.id = t.round_id JOIN players p ON p.id = r.player_id
    WHERE p.external_id = ${player} ORDER BY t.created_at`;
  return rows.map(({ kind, state, resultCode }) => [kind, state, resultCode]);
}

describe('a player', () => {
  it('is launched, checked, and sees the balance of the wallet', async () => {
    const { url, sessionID, player } = await server.launch();
    const page = Object.fromEntries(new URL(url).searchParams);
    expect(page).toMatchObject({
      returnURL: 'https://casino.example/lobby',
      cashierURL: 'https://casino.example/cashier',
    });
    expect(sentBy(player, 'check')).toEqual([]);
    expect((await server.authenticate(sessionID)).body.balance).toEqual({ amount: OPENING, currency: 'EUR' });
    const [check] = sentBy(player, 'check');
    expect(server.simulator.world.tokens.find(check.sid)).toMatchObject({ player, gameID: 'fixture' });
    expect(sentBy(player, 'balance')).toMatchObject([{ sid: check.sid, currency: 'EUR' }]);
  });

  it.each([
    ['INVALID_SID', 'ERR_IS'],
    ['ACCOUNT_LOCKED', 'ERR_GLE'],
    ['TEMPORARY_ERROR', 'ERR_GEN'],
  ] as const)('does not enter when check says %s', async (status, code) => {
    const { sessionID } = await server.launch();
    say('check', status);
    expectRefusal(await server.authenticate(sessionID), code);
    unsay('check');
    expect((await server.authenticate(sessionID)).status).toBe(200);
  });
});

describe('a round', () => {
  it('takes its bet, and pays its win when it is closed', async () => {
    const { player, sessionID } = await server.enter();
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    expect(body.balance.amount).toBe(OPENING - UNIT);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + UNIT / 2);
    const [debit] = sentBy(player, 'debit');
    const [credit] = sentBy(player, 'credit');
    const game = { id: String(body.round.betID), type: 'slots', details: { table: { id: 'fixture', vid: null } } };
    const { refId } = debit.transaction;
    expect(debit).toMatchObject({ game, uuid: refId, transaction: { id: `D${refId}`, amount: 1 } });
    expect(credit).toMatchObject({ game, transaction: { id: `C${credit.uuid}`, refId, amount: 1.5 } });
    expect(movesOf(player)).toEqual([
      ['debit', UNIT],
      ['credit', 1.5 * UNIT],
    ]);
  });

  it('that is lost is closed by a credit of 0', async () => {
    const { player, sessionID } = await server.enter();
    await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    await server.settled();
    expect(sentBy(player, 'credit')).toMatchObject([{ transaction: { amount: 0 } }]);
    expect(balanceOf(player)).toBe(OPENING - UNIT);
  });

  it('whose bet never came is cancelled until it comes no more', async () => {
    const { player, sessionID } = await server.enter();
    fault({ path: '/debit', kind: 'lost_request' });
    expectRefusal(await server.playBook(sessionID, BOOK.pays150), 'ERR_GEN');
    await makeDue();
    await expect.poll(() => sentBy(player, 'cancel').length).toBeGreaterThan(0);
    const pending = ['rollback', 'pending', 'ERR_BNF'];
    await expect.poll(async () => (await transactionsOf(player))[1]).toEqual(pending);
    // The wallet remembers it, as most do: the bet would be refused.
    const [cancel] = sentBy(player, 'cancel');
    expect(server.simulator.world.memory.has(`cancelled ${cancel.transaction.refId}`)).toBe(true);
    const { id } = await server.db.player.findFirstOrThrow({ where: { externalId: player } });
    await age(server, 1, id);
    await server.settled();
    expect((await transactionsOf(player))[1]).toEqual(['rollback', 'accepted', 'ERR_BNF']);
    for (const each of sentBy(player, 'cancel')) expect(each).toEqual(cancel);
    expect(balanceOf(player)).toBe(OPENING);
  });
});

describe('a credit', () => {
  it('is a success when it is settled already, without a balance in the response', async () => {
    const { player, sessionID } = await server.enter();
    await server.playBook(sessionID, BOOK.pays0);
    say('credit', 'BET_ALREADY_SETTLED');
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING - UNIT);
    expect((await transactionsOf(player))[1]).toEqual(['credit', 'accepted', 'accepted']);
  });

  it.each(['TEMPORARY_ERROR', 'UNKNOWN_ERROR', 'INVALID_TOKEN_ID', 'INVALID_SID', 'ACCOUNT_LOCKED'])(
    'is repeated after %s',
    async (status) => {
      const { player, sessionID } = await server.enter();
      await server.playBook(sessionID, BOOK.pays150);
      say('credit', status);
      expect((await server.endRound(sessionID)).status).not.toBe(200);
      expect((await transactionsOf(player))[1]?.[1]).toBe('pending');
      unsay('credit');
      await server.settled();
      expect(balanceOf(player)).toBe(OPENING + UNIT / 2);
    },
  );

  it.each([
    ['FINAL_ERROR_ACTION_FAILED', 'ERR_GE'],
    ['INVALID_PARAMETER', 'ERR_VAL'],
    ['BET_DOES_NOT_EXIST', 'ERR_BNF'],
  ])('is parked at once after %s', async (status, code) => {
    const { player, sessionID } = await server.enter();
    await server.playBook(sessionID, BOOK.pays150);
    say('credit', status);
    expect((await server.endRound(sessionID)).status).not.toBe(200);
    expect((await transactionsOf(player))[1]).toEqual(['credit', 'parked', code]);
    expect(sentBy(player, 'credit')).toHaveLength(1);
  });
});

/** The operator sends these requests. */
const session = { id: 'sid-1', ip: '192.0.2.1' };
const player = {
  id: 'ann',
  update: true,
  firstName: 'A',
  lastName: 'B',
  country: 'FI',
  language: 'fi',
  currency: 'EUR',
  session,
};
const config = { game: { category: 'slots', table: { id: 'fixture' } }, channel: { wrapped: false, mobile: false } };
const LAUNCH = { uuid: 'u', player, config };
const withPlayer = (more: object) => ({ ...LAUNCH, player: { ...player, ...more } });
const withTable = (id: string) => ({ ...LAUNCH, config: { ...config, game: { table: { id } } } });

const goodPath = () => {
  const { casinoKey, apiToken } = server.simulator.settings as { casinoKey: string; apiToken: string };
  return { casinoKey, apiToken, path: `/ua/v1/${casinoKey}/${apiToken}` };
};

async function ask(content: unknown, path = goodPath().path, method = 'POST') {
  const body = typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
  const url = `${server.simulator.world.supplierUrl}${path}`;
  const response = await fetch(url, { method, redirect: 'manual', ...(method === 'POST' && { body: body as string }) });
  return { status: response.status, text: await response.text(), location: response.headers.get('location') };
}

describe('a launch', () => {
  it('has a path for the name of this server, which leads to the game', async () => {
    const { status, text } = await ask(LAUNCH);
    const { entry, entryEmbedded } = JSON.parse(text) as Record<string, string>;
    expect([status, entry, entryEmbedded]).toEqual([
      200,
      expect.stringMatching(/^\/entry\?params=/),
      `${entry}&embedded`,
    ]);
    const opened = await ask('', entryEmbedded, 'GET');
    expect(opened.status).toBe(302);
    const { searchParams } = new URL(opened.location ?? '');
    expect(searchParams.get('lang')).toBe('fi');
    say('check', 'INVALID_SID');
    expectRefusal(await server.authenticate(sessionOf(opened.location ?? '')), 'ERR_GEN');
  });

  it.each<[string, object, string, string]>([
    ['an unknown game', withTable('none'), 'V.34', 'there is no game none'],
    ['an unknown currency', withPlayer({ currency: 'QQQ' }), 'V.32', 'QQQ'],
    ['a currency whose bets do not fit', withPlayer({ currency: 'JPY' }), 'G.11', 'these bets do not fit'],
  ])('is refused for %s, and changes nothing', async (_, content, code, message) => {
    const before = await wholeState(server);
    const { status, text } = await ask(content);
    const { errors } = JSON.parse(text);
    expect([status, errors]).toEqual([400, [{ code, message: expect.stringContaining(message) }]]);
    expect(await wholeState(server)).toEqual(before);
  });

  it.each<[string, (good: ReturnType<typeof goodPath>) => string, string]>([
    ['a wrong token', ({ casinoKey }) => `/ua/v1/${casinoKey}/another-token-of-a-launch`, 'G.2'],
    ['an unknown casino', ({ apiToken }) => `/ua/v1/another/${apiToken}`, 'G.1'],
  ])('with %s is denied, becomes a significant event, and the log has no token', async (_, pathOf, code) => {
    const denied = { status: 403, text: expect.stringContaining(code) };
    await expectSignatureRefused(server, () => ask(LAUNCH, pathOf(goodPath())), denied);
    expect(JSON.stringify(server.logged())).not.toContain(goodPath().apiToken);
  });
});

describe('whatever comes', () => {
  const members = ['uuid', 'player', 'config', 'player.id', 'player.currency', 'player.session', 'config.game'];
  /** Replaces one member of a good launch by any value. */
  const mutated = fc.tuple(fc.constantFrom(...members, 'config.urls'), fc.jsonValue()).map(([name, value]) => {
    const [first = '', second] = name.split('.');
    const good = LAUNCH as Record<string, any>;
    return JSON.stringify({ ...good, [first]: second === undefined ? value : { ...good[first], [second]: value } });
  });
  itSurvives(server, 'a launch', {
    sent: fc.oneof(mutated, fc.json(), fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 200 })),
    async send(body) {
      const response = await ask(body);
      const error = { code: expect.any(String), message: expect.any(String) };
      if (response.status !== 200) expect(JSON.parse(response.text)).toEqual({ errors: [error] });
      return response;
    },
  });

  const paths = fc.oneof(
    fc.webPath(),
    fc.webQueryParameters().map((query) => `/entry?${query}`),
    fc.webSegment().map((segment) => `/entry?params=${segment}`),
    fc.webSegment().map((segment) => `/ua/v1/${goodPath().casinoKey}/${segment}`),
  );
  itSurvives(server, 'any other path, and an entry', {
    sent: fc.tuple(paths, fc.constantFrom('GET', 'POST', 'PUT')),
    async send([path, method]) {
      const response = await ask(LAUNCH, path.startsWith('/') ? path : `/${path}`, method);
      expect([400, 403, 404]).toContain(response.status);
      return response;
    },
    changesNothing: true,
  });
});

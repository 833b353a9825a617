import { randomUUID, sign } from 'node:crypto';
import { aggregatorOf } from '@roundhouse/aggregators';
import type { FaultPlan } from '@roundhouse/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itPlaysWithQuirks, useDialectServer } from '../../support/dialectServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { sessionOf } from '../../support/rgsCalls.ts';
import { expectNothingChanged, expectRefusal, wholeState } from '../../support/snapshot.ts';
import { OPENING, UNIT } from '../../support/testServer.ts';

const kit = aggregatorOf('engine');
if (kit === undefined) throw new Error('there is no simulator of Engine');

const server = useDialectServer({ kit, settings: { currencies: { UBTC: { code: 'BTC' } } } });

itPlaysWithQuirks(server);

type Asked = { method?: string; key?: 'aggregator' | 'supplier'; headers?: Record<string, string> };

/** Sends a request of the operator, signed with its key. A GET signs no bytes. */
async function ask(path: string, content: unknown, { method = 'POST', key = 'aggregator', headers }: Asked = {}) {
  const { keys, supplierUrl } = server.simulator.world;
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content) ?? '');
  const body = method === 'GET' ? Buffer.alloc(0) : bytes;
  const signature = sign(null, body, keys.ed25519[key].privateKey).toString('base64');
  const response = await fetch(`${supplierUrl}${path}`, {
    method,
    headers: { 'X-Operator': 'acme', 'X-Signature': signature, ...headers },
    ...(method !== 'GET' && { body }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const LAUNCH = {
  game: '7_fixture',
  user: 'john12345',
  token: '01927b8e-0000-7000-8000-000000000001',
  currency: 'EUR',
  language: 'pt-br',
  device: 'tablet',
  tag: 'real',
};

const transactionsOf = (player: string) =>
  server.simulator
    .transactions()
    .filter(({ playerID }) => playerID === player)
    .map(({ kind, amount }) => [kind, amount]);
const balanceOf = async (sessionID: string) => (await server.balance(sessionID)).body.balance.amount;
const setFault = (fault: FaultPlan['faults'][number]) =>
  expect(server.simulator.faults.setPlan({ faults: [fault] }).ok).toBe(true);
const ERROR = { code: expect.any(String), message: expect.any(String) };

describe('play', () => {
  it('launches, authenticates with the balance of the wallet, and pays a win', async () => {
    const { sessionID, player } = await server.launch();
    expect((await server.authenticate(sessionID)).body.balance).toEqual({ amount: OPENING, currency: 'EUR' });
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    expect(body.balance.amount).toBe(OPENING - UNIT);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 0.5 * UNIT);
    const [debit] = server.bodiesTo('/v1/debit').slice(-1);
    const [credit] = server.bodiesTo('/v1/credit').slice(-1);
    const round = { token: debit.token, round: Number(body.round.betID) };
    expect(debit).toMatchObject({ ...round, active: true, mode: 'BASE', debit: { amount: UNIT, currency: 'EUR' } });
    const win = { amount: 1.5 * UNIT, ref: debit.debit.id };
    expect(credit).toMatchObject({ ...round, active: false, credit: win });
    expect(transactionsOf(player)).toEqual([
      ['debit', UNIT],
      ['credit', 1.5 * UNIT],
    ]);
  });

  it('closes a lost round that closes at once with its debit alone', async () => {
    const { sessionID, player } = await server.enter();
    await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    await server.settled();
    expect(transactionsOf(player)).toEqual([['debit', UNIT]]);
    const [debit] = server.bodiesTo('/v1/debit').slice(-1);
    expect(debit.active).toBe(false);
    expect(server.bodiesTo('/v1/credit').filter(({ token }) => token === debit.token)).toEqual([]);
  });

  it('closes any other lost round with a credit of nothing', async () => {
    const { sessionID, player } = await server.enter();
    await server.playBook(sessionID, BOOK.pays0);
    await server.endRound(sessionID);
    expect(transactionsOf(player)).toEqual([['debit', UNIT]]);
    const [credit] = server.bodiesTo('/v1/credit').slice(-1);
    expect(credit).toEqual({ token: credit.token, round: credit.round, active: false, ip: '' });
  });

  it.each<[string, FaultPlan['faults'][number]]>([
    ['request is lost', { kind: 'lost_request', next: 1 }],
    ['response is lost', { kind: 'lost_response', next: 1 }],
    ['response is not JSON', { kind: 'malformed_response', next: 1 }],
    ['response is ERR_GE after the work', { kind: 'error', afterWork: true, next: 1 }],
  ])('a debit of an open round whose %s is rolled back', async (_what, fault) => {
    const { sessionID } = await server.enter();
    setFault({ ...fault, path: '/v1/debit' });
    expectRefusal(await server.playBook(sessionID, BOOK.pays150), 'ERR_GEN');
    await server.settled();
    expect(await balanceOf(sessionID)).toBe(OPENING);
    const debit = { kind: 'debit', orderBy: { createdAt: 'desc' } } as const;
    const { transactionId: ref } = await server.db.walletTransaction.findFirstOrThrow({
      where: { kind: debit.kind },
      orderBy: debit.orderBy,
    });
    expect(server.bodiesTo('/v1/rollback').at(-1).rollbacks).toEqual([{ id: expect.any(String), ref }]);
    expect((await server.playBook(sessionID, BOOK.pays150)).status).toBe(200);
    await server.endRound(sessionID);
  });

  it('a credit is sent again with the same content, and paid once, with the token of its round', async () => {
    const { sessionID, player } = await server.enter();
    await server.playBook(sessionID, BOOK.pays150);
    const [{ token }] = server.bodiesTo('/v1/debit').slice(-1);
    const second = await server.enter({ player });
    setFault({ kind: 'lost_response', next: 1, path: '/v1/credit' });
    await server.endRound(second.sessionID);
    await server.settled();
    const credits = server.bodiesTo('/v1/credit').filter((credit) => credit.token === token);
    expect(credits).toEqual([credits[0], credits[0]]);
    expect(await balanceOf(second.sessionID)).toBe(OPENING + 0.5 * UNIT);
  });
});

describe('a debit that closes its round, which the wallet cannot roll back', () => {
  const lose = (sessionID: string) => server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
  const statesOf = async (player: string) => {
    const rows = await server.db.$queryRaw<{ text: string }[]>`
      SELECT w.kind || ' ' || w.state AS text
      FROM wallet_transaction_details w
      WHERE w.external_id = ${player} ORDER BY w.kind`;
    return rows.map(({ text }) => text);
  };

  it('is a lost round when its response is lost, at both sides', async () => {
    const { sessionID, player } = await server.enter();
    setFault({ kind: 'lost_response', next: 1, path: '/v1/debit' });
    expectRefusal(await lose(sessionID), 'ERR_GEN');
    await server.settled();
    expect(await statesOf(player)).toEqual(['debit accepted', 'credit accepted']);
    expect(transactionsOf(player)).toEqual([['debit', UNIT]]);
    expect((await server.authenticate(sessionID)).body).toMatchObject({ balance: { amount: OPENING - UNIT } });
  });

  it('is a void round when its request is lost, and a late debit is refused', async () => {
    const { sessionID, player } = await server.enter();
    setFault({ kind: 'lost_request', next: 1, path: '/v1/debit' });
    expectRefusal(await lose(sessionID), 'ERR_GEN');
    await server.settled();
    expect(await statesOf(player)).toEqual(['debit abandoned', 'rollback accepted']);
    const rollbacks = server.bodiesTo('/v1/rollback').slice(-2);
    expect(rollbacks).toEqual([rollbacks[0], rollbacks[0]]);
    expect(transactionsOf(player)).toEqual([]);
    expect((await lose(sessionID)).body.balance.amount).toBe(OPENING - UNIT);
  });

  it('leaves its round open until the wallet says what became of it', async () => {
    const { sessionID, player } = await server.enter();
    const faults = ['/v1/debit', '/v1/rollback'].map((path) => ({ kind: 'lost_response', next: 1, path }) as const);
    server.simulator.faults.setPlan({ faults });
    expectRefusal(await lose(sessionID), 'ERR_GEN');
    await expect.poll(() => server.bodiesTo('/v1/rollback').at(-1)?.rollbacks[0].ref).toBeDefined();
    expect(await statesOf(player)).toEqual(['debit pending']);
    expectRefusal(await lose(sessionID), 'ERR_GEN');
    await server.db.$executeRaw`UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending'`;
    await server.settled();
    expect(await statesOf(player)).toEqual(['debit accepted', 'credit accepted']);
    expect(await balanceOf(sessionID)).toBe(OPENING - UNIT);
  });
});

describe('/game/url', () => {
  it('opens a session, and says whether its draws can be checked', async () => {
    const { status, body } = await ask('/game/url', { ...LAUNCH, token: randomUUID() });
    const { searchParams } = new URL(body.url);
    expect([status, body.fair]).toEqual([200, false]);
    expect([searchParams.get('lang'), searchParams.get('device')]).toEqual(['pt', 'mobile']);
    const setDraws = (draws: 'provably_fair' | null) =>
      server.db.operator.update({ where: { code: 'acme' }, data: { draws } });
    await setDraws('provably_fair');
    expect((await ask('/game/url', { ...LAUNCH, token: randomUUID() })).body.fair).toBe(true);
    await setDraws(null);
  });

  it('the same request gets the same response', async () => {
    const body = { ...LAUNCH, token: randomUUID() };
    const [first, second] = await Promise.all([ask('/game/url', body), ask('/game/url', body)]);
    expect([first.status, second]).toEqual([200, first]);
    await server.authenticate(sessionOf(first.body.url));
    expect(await expectNothingChanged(server, () => ask('/game/url', body))).toEqual(first);
  });

  it.each<[string, object, number, string]>([
    ['an unknown game', { game: '7_other' }, 404, 'there is no game other'],
    ['a game of another team', { game: '8_fixture' }, 404, 'there is no game 8_fixture'],
    ['an unknown currency', { currency: 'DOGE' }, 400, 'currency'],
    ['another device', { device: 'watch' }, 400, 'device'],
    ['another tag', { tag: 'friend' }, 400, 'tag'],
    ['a user with an end of a line', { user: 'a\nb' }, 400, 'user'],
    ['no token', { token: undefined }, 400, 'token'],
  ])('refuses %s', async (_what, change, status, about) => {
    const response = await expectNothingChanged(server, () => ask('/game/url', { ...LAUNCH, ...change }));
    expect(response).toEqual({ status, body: { code: 'ERR_BAD', message: expect.stringContaining(about) } });
  });
});

describe('the other requests of the operator', () => {
  it('/game/url/demo opens fun mode without a session', async () => {
    const demo = { game: '7_fixture', deviceType: 'mobile', currency: 'EUR' };
    const { status, body } = await expectNothingChanged(server, () => ask('/game/url/demo', demo));
    const { searchParams } = new URL(body.url);
    expect([status, Object.keys(body)]).toEqual([200, ['url']]);
    expect([searchParams.get('demo'), searchParams.get('device'), searchParams.get('sessionID')]).toEqual([
      ...['true', 'mobile', null],
    ]);
    const { body: usual } = await ask('/game/url/demo', { game: '7_fixture' });
    expect(new URL(usual.url).searchParams.get('currency')).toBe('USD');
    expect(await ask('/game/url/demo', { ...demo, math: 3 })).toMatchObject({ status: 400, body: ERROR });
  });

  it('/game/list shows the games with their return', async () => {
    const { status, body } = await ask('/game/list', undefined, { method: 'GET' });
    const publisher = { id: 7, name: 'Studio' };
    expect([status, body]).toMatchObject([200, [{ id: '7_fixture', name: 'Fixture', publisher }]]);
    // The books pay 0, 1.5, 0.2 and 1,000 bets, each as often.
    expect(body[0].rtp).toBeCloseTo(1001.7 / 4);
  });

  it.each<[string, Asked]>([
    ['the key of another', { key: 'supplier' }],
    ['another operator', { headers: { 'X-Operator': 'other' } }],
    ['no signature', { headers: { 'X-Signature': '' } }],
  ])('a request with %s is refused, changes nothing, and is a significant event', async (_what, asked) => {
    const response = await expectNothingChanged(server, () => ask('/game/url', LAUNCH, asked));
    expect(response).toEqual({ status: 401, body: { code: 'ERR_ATE', message: expect.any(String) } });
    await expect.poll(server.refusedSignatures).toContain('operator acme');
  });
});

describe.each(['/game/url', '/game/url/demo', '/game/list'])('any body, header and method to %s', (path) => {
  const field = fc.oneof(
    fc.constantFrom(...Object.values(LAUNCH), 'fixture', 3),
    fc.string({ unit: 'binary' }),
    fc.jsonValue(),
  );
  const names = [...Object.keys(LAUNCH), 'deviceType', 'math', 'front'];
  const bodies = fc.oneof(
    fc
      .dictionary(fc.constantFrom(...names), field, { maxKeys: 4 })
      .map((changed) => JSON.stringify({ ...LAUNCH, ...changed })),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.uint8Array({ maxLength: 100 }),
  );

  it('is never an error of the server, and moves nothing; a refusal changes nothing', async () => {
    const moved = server.simulator.transactions().length;
    let before = await wholeState(server);
    await fc.assert(
      fc.asyncProperty(bodies, fc.constantFrom('POST', 'PUT', 'GET'), fc.base64String(), async (sent, method, text) => {
        const body = Buffer.from(sent);
        expect((await ask(path, body, { method, headers: { 'X-Signature': text } })).status).toBe(401);
        const { status } = await ask(path, body, { method });
        expect(status).toBeLessThan(500);
        const after = await wholeState(server);
        if (status !== 200) expect(after).toEqual(before);
        before = after;
      }),
      { numRuns: 30 },
    );
    expect(server.simulator.transactions()).toHaveLength(moved);
  });
});

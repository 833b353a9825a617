import { createSign, randomUUID } from 'node:crypto';
import { aggregatorOf } from '@roundhouse/aggregators';
import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { itMovesMoneyOnce, itSurvives } from '../../support/dialectLaws.ts';
import { itPlaysWithQuirks, useDialectServer } from '../../support/dialectServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { sessionOf } from '../../support/rgsCalls.ts';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { OPENING, UNIT } from '../../support/testServer.ts';

const kit = aggregatorOf('hub88');
if (kit === undefined) throw new Error('there is no simulator of Hub88');

const server = useDialectServer({
  kit,
  settings: {
    operatorIDs: [1, 'beta'],
    product: 'Studio',
    demoCurrency: 'USD',
    currencies: { USD: { decimals: 0 }, UBTC: { code: 'uBTC' } },
  },
});

itPlaysWithQuirks(server);
itMovesMoneyOnce(server, {
  bet: '/transaction/bet',
  win: '/transaction/win',
  winsOf: (player) =>
    server.bodiesTo('/transaction/win').flatMap(({ request_uuid, ...win }) => (win.user === player ? [win] : [])),
  tokenOf: () => server.bodiesTo('/transaction/bet').at(-1).token,
  withoutToken: { bet: 'ERR_GEN', authenticate: 'ERR_ATE' },
});
const DAY_MS = 86_400_000;
const HUB88_UNIT = 100_000;

type Asked = { key?: 'aggregator' | 'supplier' | 'none'; headers?: Record<string, string>; method?: string };

/** Sends a request of Hub88, signed with its key. */
async function ask(path: string, content: unknown, { key = 'aggregator', headers, method = 'POST' }: Asked = {}) {
  const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  const { keys, supplierUrl } = server.simulator.world;
  const signature = key === 'none' ? '' : createSign('sha256').update(body).sign(keys[key].privateKey, 'base64');
  const response = await fetch(`${supplierUrl}${path}`, {
    method,
    headers: { ...(signature !== '' && { 'x-hub88-signature': signature }), ...headers },
    ...(method !== 'GET' && { body }),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) };
}

const LAUNCH = {
  user: 'john12345',
  token: 'f562a685-a160-4d17-876d-ab3363db331c',
  currency: 'EUR',
  country: 'EE',
  platform: 'GPL_MOBILE',
  operator_id: 1,
  game_code: 'fixture',
  lang: 'de',
  lobby_url: 'https://examplecasino.io',
  deposit_url: '',
  ip: '::ffff:10.0.0.39',
};

const balanceOf = async (sessionID: string) => (await server.balance(sessionID)).body.balance.amount;
const transactionsOf = (player: string) =>
  server.simulator
    .transactions()
    .filter(({ playerID }) => playerID === `1/${player}`)
    .map(({ kind, amount }) => [kind, amount]);

describe('play', () => {
  it('launches, authenticates with the balance of Hub88, and pays a win', async () => {
    const { url, sessionID, player } = await server.launch();
    expect(new URL(url).searchParams.get('returnURL')).toBe('https://casino.example/lobby');
    expect(server.bodiesTo('/user/balance').filter(({ user }) => user === player)).toEqual([]);
    expect((await server.authenticate(sessionID)).body.balance).toEqual({ amount: OPENING, currency: 'EUR' });
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    expect(body.balance.amount).toBe(OPENING - UNIT);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 0.5 * UNIT);
    const [bet] = server.bodiesTo('/transaction/bet').slice(-1);
    expect(bet).toMatchObject({ user: player, supplier_user: `1/${player}`, round: String(body.round.betID) });
    expect(bet).toMatchObject({ amount: HUB88_UNIT, round_closed: false, is_free: false, game_code: 'fixture' });
    const [win] = server.bodiesTo('/transaction/win').slice(-1);
    expect(win).toMatchObject({ amount: 1.5 * HUB88_UNIT, round_closed: true, token: bet.token });
    expect(win.reference_transaction_uuid).toBe(bet.transaction_uuid);
  });

  it('closes a lost round that closes at once with its bet', async () => {
    const { sessionID, player } = await server.enter();
    await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    await server.settled();
    expect(transactionsOf(player)).toEqual([['debit', UNIT]]);
    expect(server.bodiesTo('/transaction/bet').at(-1)).toMatchObject({ round_closed: true });
  });

  it('closes any other lost round with a win of 0', async () => {
    const { sessionID, player } = await server.enter();
    await server.playBook(sessionID, BOOK.pays0);
    await server.endRound(sessionID);
    expect(transactionsOf(player)).toEqual([
      ['debit', UNIT],
      ['credit', 0],
    ]);
    expect(server.bodiesTo('/transaction/win').at(-1)).toMatchObject({ amount: 0, round_closed: true });
  });
});

describe('/game/url', () => {
  it('opens fun mode without user and token, or in currency XXX, without a session', async () => {
    const { user: _user, token: _token, ...rest } = LAUNCH;
    for (const body of [rest, { ...LAUNCH, currency: 'XXX' }]) {
      const response = await expectNothingChanged(server, () => ask('/game/url', body));
      const { searchParams } = new URL(response.body.url);
      expect([searchParams.get('demo'), searchParams.get('currency')]).toEqual(['true', 'USD']);
      expect([searchParams.get('sessionID'), searchParams.get('lang')]).toEqual([null, 'de']);
    }
  });

  it('tells players of two casinos apart', async () => {
    const players = await Promise.all(
      [1, 'beta'].map(async (operator_id) => {
        const { body } = await ask('/game/url', { ...LAUNCH, operator_id, user: 'same' });
        return sessionOf(body.url);
      }),
    );
    expect(new Set(players).size).toBe(2);
    const names = await server.db.launch.findMany({ where: { externalId: { endsWith: '/same' } } });
    expect(names.map(({ externalId }) => externalId).sort()).toEqual(['1/same', 'beta/same']);
  });

  it('the same request gets the same response for 15 minutes, also at once and after authenticate', async () => {
    const body = { ...LAUNCH, token: randomUUID() };
    const [first, second] = await Promise.all([ask('/game/url', body), ask('/game/url', body)]);
    expect([first.status, second]).toEqual([200, first]);
    await server.authenticate(sessionOf(first.body.url));
    expect(await expectNothingChanged(server, () => ask('/game/url', body))).toEqual(first);
    const other = await ask('/game/url', { ...body, lang: 'fi' });
    expect(sessionOf(other.body.url)).not.toBe(sessionOf(first.body.url));
    await server.db.$executeRaw`UPDATE operator_nonces SET expires_at = now()`;
    const later = await ask('/game/url', body);
    expect(later.status).toBe(200);
    expect(sessionOf(later.body.url)).not.toBe(sessionOf(first.body.url));
  });

  it('a request that was refused is judged again', async () => {
    const body = { ...LAUNCH, token: randomUUID() };
    const disabled = (to: boolean) => server.db.operator.update({ where: { code: 'acme' }, data: { disabled: to } });
    await disabled(true);
    expect((await ask('/game/url', body)).status).toBe(403);
    await disabled(false);
    expect((await ask('/game/url', body)).status).toBe(200);
  });

  it.each<[string, object, number, string]>([
    ['an unknown game', { game_code: 'other' }, 404, 'there is no game other'],
    ['a currency that nobody has', { currency: 'DOGE' }, 403, 'DOGE is not a currency of ISO 4217'],
    ['a currency that is none', { currency: 'eur' }, 404, 'currency'],
    ['bet levels that the wallet cannot move', { currency: 'USD' }, 403, 'these bets do not fit: 200000'],
  ])('refuses %s', async (_what, change, status, about) => {
    const response = await expectNothingChanged(server, () => ask('/game/url', { ...LAUNCH, ...change }));
    expect(response).toEqual({ status, body: { error: expect.stringContaining(about) } });
  });
});

describe('the other requests of the games API', () => {
  it('/game/list shows the games, once a minute for each casino', async () => {
    const { status, body } = await ask('/game/list', { operator_id: 1 });
    expect(status).toBe(200);
    expect(body).toEqual([expect.objectContaining({ game_code: 'fixture', name: 'Fixture', product: 'Studio' })]);
    expect((await ask('/game/list', { operator_id: 1 })).status).toBe(429);
    expect((await ask('/game/list', { operator_id: 'beta' })).status).toBe(200);
  });

  it('/game/round shows a round by its transaction, or by its id and the user', async () => {
    const { sessionID, player } = await server.enter();
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    await server.endRound(sessionID);
    const transaction_uuid = server.bodiesTo('/transaction/win').at(-1).transaction_uuid;
    const round = { round: String(body.round.betID), user: player };
    const shown = await ask('/game/round', { operator_id: 1, transaction_uuid });
    expect(shown.status).toBe(200);
    expect((await fetch(shown.body.url)).status).toBe(200);
    expect(await ask('/game/round', { operator_id: 1, ...round })).toEqual(shown);
    for (const wrong of [
      { operator_id: 'beta', transaction_uuid },
      { operator_id: 1, transaction_uuid, user: 'another' },
      { operator_id: 1, transaction_uuid: randomUUID() },
      { operator_id: 1, ...round, user: 'another' },
      { operator_id: 1, ...round, round: '999999999999999999' },
    ])
      expect((await ask('/game/round', wrong)).status).toBe(404);
    expect((await ask('/game/round', { operator_id: 1 })).status).toBe(400);
  });
});

describe('signatures', () => {
  it('a signature of other bytes is refused', async () => {
    const { keys } = server.simulator.world;
    const body = JSON.stringify(LAUNCH);
    const signed = createSign('sha256').update(body).sign(keys.aggregator.privateKey, 'base64');
    const headers = { 'x-hub88-signature': signed };
    const other = Buffer.from(body.replace(',', ', '));
    expect((await ask('/game/url', other, { key: 'none', headers })).status).toBe(401);
    expect((await ask('/game/url', Buffer.from(body), { key: 'none', headers })).status).toBe(200);
  });

  it('refused signatures are a significant event of the operator', async () => {
    await ask('/game/url', LAUNCH, { key: 'none' });
    await expect.poll(server.refusedSignatures).toContain('operator acme');
  });
});

describe('freebets', () => {
  type Prepaid = { prepaid_uuid: string; game_code: string; currency: string };
  let prepaids: Prepaid[];
  const reward = (player: string, more: object = {}) => ({
    operator_id: 1,
    user: player,
    prepaid_uuid: prepaids.find(({ currency }) => currency === 'EUR')?.prepaid_uuid,
    reward_uuid: randomUUID(),
    bet_value: HUB88_UNIT,
    bet_count: 2,
    start_time: new Date(Date.now() - DAY_MS).toISOString().slice(0, 19),
    end_time: new Date(Date.now() + DAY_MS).toISOString().slice(0, 19),
    ...more,
  });
  const give = (body: ReturnType<typeof reward>) => ask('/freebet/rewards/create', body);
  /** The simulator knows the reward, as Hub88 does. */
  function remember({ reward_uuid: id, user: player, bet_count: rounds }: ReturnType<typeof reward>): void {
    const bet = BigInt(HUB88_UNIT);
    const endsAt = new Date(Date.now() + DAY_MS);
    server.simulator.world.grants.set(id, { id, player, gameID: 'fixture', currency: 'EUR', bet, rounds, endsAt });
  }

  const giveBySimulator = (id: string, player: string) => {
    const terms = { gameID: 'fixture', currency: 'EUR', bet: toMicros(UNIT), rounds: 1 };
    return server.simulator.giveFreeRounds({ ...terms, id, player, endsAt: new Date(Date.now() + DAY_MS) });
  };

  beforeEach(async () => {
    if (prepaids !== undefined) return;
    await giveBySimulator(randomUUID(), 'nobody');
    prepaids = server.simulator.world.memory.get('/freebet/prepaids/list') as Prepaid[];
  });

  it('a reward of the simulator is played, and given back by a bet that is rolled back', async () => {
    const { sessionID, player } = await server.enter();
    const reward_uuid = randomUUID();
    await giveBySimulator(reward_uuid, player);
    const path = '/transaction/bet';
    server.simulator.faults.setPlan({ faults: [{ kind: 'lost_response', next: 1, path }] });
    expectRefusal(await server.playBook(sessionID, BOOK.pays150), 'ERR_GEN');
    await server.settled();
    await server.playBook(sessionID, BOOK.pays150);
    await server.endRound(sessionID);
    const free = { is_free: true, reward_uuid, amount: 0 };
    expect(server.bodiesTo(path).slice(-2)).toMatchObject([free, free]);
    expect(await balanceOf(sessionID)).toBe(OPENING + 1.5 * UNIT);
  });

  it('lists a prepaid for each currency of a game, once a minute', async () => {
    const open = { bet_value: null, bet_count: null, bonus_buy: false };
    expect(prepaids).toContainEqual({
      ...open,
      prepaid_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      game_code: 'fixture',
      currency: 'EUR',
    });
    expect((await ask('/freebet/prepaids/list', { operator_id: 1 })).status).toBe(429);
  });

  it('a reward is played by the next bets, won, and finished', async () => {
    const { sessionID, player } = await server.enter();
    const given = reward(player);
    remember(given);
    const { operator_id: _casino, ...ofReward } = given;
    const created = await give(given);
    expect(created).toMatchObject({ status: 200, body: { ...ofReward, status: 'FRS_ACTIVE' } });
    expect(await give(given)).toEqual(created);
    await server.playBook(sessionID, BOOK.pays150);
    const free = { is_free: true, reward_uuid: given.reward_uuid };
    expect(server.bodiesTo('/transaction/bet').at(-1)).toMatchObject({ ...free, amount: 0 });
    await server.endRound(sessionID);
    expect(server.bodiesTo('/transaction/win').at(-1)).toMatchObject({ ...free, amount: 1.5 * HUB88_UNIT });
    await server.playBook(sessionID, BOOK.pays0);
    await server.endRound(sessionID);
    expect(await balanceOf(sessionID)).toBe(OPENING + 1.5 * UNIT);
    const listed = await ask('/freebet/rewards/list', { operator_id: 1, user: player });
    expect(listed.body).toMatchObject([{ reward_uuid: given.reward_uuid, status: 'FRS_FINISHED' }]);
    await server.playBook(sessionID, BOOK.pays0);
    expect(server.bodiesTo('/transaction/bet').at(-1)).toMatchObject({ is_free: false, amount: HUB88_UNIT });
    await server.endRound(sessionID);
  });

  it('a cancelled reward is played no more; cancel can be repeated', async () => {
    const { sessionID, player } = await server.enter();
    const given = reward(player);
    await give(given);
    const body = { operator_id: 1, reward_uuid: given.reward_uuid };
    expect((await ask('/freebet/rewards/cancel', { ...body, operator_id: 'beta' })).status).toBe(404);
    const cancelled = await ask('/freebet/rewards/cancel', body);
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'FRS_CANCELLED' } });
    expect(await ask('/freebet/rewards/cancel', body)).toEqual(cancelled);
    await server.playBook(sessionID, BOOK.pays0);
    expect(server.bodiesTo('/transaction/bet').at(-1)).toMatchObject({ is_free: false });
    await server.endRound(sessionID);
  });

  it.each<[string, object, number]>([
    ['an unknown prepaid', { prepaid_uuid: randomUUID() }, 404],
    ['a bet that is no level', { bet_value: HUB88_UNIT + 1 }, 400],
    ['a bet of 0', { bet_value: 0 }, 400],
    ['half a bet', { bet_value: 0.5 }, 400],
    ['no rounds', { bet_count: 0 }, 400],
    ['an end in the past', { end_time: '2020-01-01T00:00:00' }, 400],
    ['no end', { end_time: undefined }, 400],
    ['a time that is none', { start_time: 'tomorrow' }, 400],
    ['an empty user', { user: '' }, 400],
  ])('refuses %s, and gives nothing', async (_what, change, status) => {
    const response = await expectNothingChanged(server, () => give(reward('nobody', change)));
    expect(response).toEqual({ status, body: { error: expect.any(String) } });
  });

  it('a reward_uuid of another content is refused', async () => {
    const given = reward('somebody');
    await give(given);
    const other = await expectNothingChanged(server, () => give({ ...given, bet_count: 3 }));
    expect(other).toEqual({ status: 400, body: { error: expect.stringContaining('was used for another grant') } });
    expect((await ask('/freebet/rewards/cancel', { operator_id: 1, reward_uuid: randomUUID() })).status).toBe(404);
  });
});

const PATHS = [
  ...['/game/url', '/game/list', '/game/round', '/freebet/prepaids/list'],
  ...['/freebet/rewards/create', '/freebet/rewards/list', '/freebet/rewards/cancel'],
];
const field = fc.oneof(
  fc.constantFrom(...Object.values(LAUNCH), 'XXX', 'fixture', randomUUID(), '2027-01-01T00:00:00', 100_000),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
);
const names = [...Object.keys(LAUNCH), 'transaction_uuid', 'round', 'reward_uuid', 'prepaid_uuid', 'bet_value'];
const fields = fc.dictionary(fc.constantFrom(...names), field, { maxKeys: 4 });
const bodies = fc.oneof(
  fields.map((changed) => JSON.stringify({ ...LAUNCH, ...changed })),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 100 }),
);

for (const path of PATHS)
  itSurvives(server, `any body, header and method to ${path}`, {
    sent: fc.tuple(bodies, fc.constantFrom('POST', 'PUT', 'GET'), fc.base64String()),
    async send([sent, method, signature]) {
      const body = method === 'GET' ? Buffer.alloc(0) : Buffer.from(sent);
      const headers = { 'x-hub88-signature': signature };
      expect((await ask(path, body, { method, key: 'none', headers })).status).toBe(401);
      return ask(path, body, { method });
    },
  });

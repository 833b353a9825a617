import { gzipSync } from 'node:zlib';
import { CURRENCY_CODES, MAX_MICROS } from '@roundhouse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { GAME, respondWell } from '../support/fakeRgs.ts';
import { OPENING_MICROS, useOperator } from '../support/testOperator.ts';

const operator = useOperator();
beforeEach(() => {
  operator.rgs.respond = respondWell;
  operator.rgs.requests.length = 0;
});

const INVALID = { status: 400, body: { error: 'ERR_VAL' } };
const enter = (body?: object) => operator.api('POST', '/players', body);

describe('the lobby', () => {
  it('has the games of the server, which a signed request reads', async () => {
    const body = {
      operator: { name: expect.any(String), code: 'lobby' },
      games: [GAME],
      currencies: CURRENCY_CODES.filter((code) => ['EUR', 'USD'].includes(code)),
      configuredCurrencies: [],
      languages: ['en', 'de'],
      bench: true,
      beingBuilt: [],
      rgsUrl: operator.rgs.url,
    };
    expect(await operator.api('GET', '/lobby')).toEqual({ status: 200, body });
    expect(operator.rgs.requests[0]).toMatchObject({ method: 'GET', operator: 'lobby', issue: undefined });
  });

  it.each([
    { status: 200, body: 'not JSON' },
    { status: 200, body: { games: 'none' } },
    { status: 401, body: { error: 'ERR_VAL', message: 'invalid signature' } },
    { status: 503, body: 'out of order' },
    { status: 200, body: { games: [{ ...GAME, thumbnail: 'javascript:alert(1)' }], currencies: [], languages: [] } },
  ])('is 502 when the server responds with %j', async (response) => {
    operator.rgs.respond = () => response;
    expect(await operator.api('GET', '/lobby')).toMatchObject({ status: 502, body: { error: 'ERR_GEN' } });
  });
});

describe('players', () => {
  it('a new one has 1,000 units of each currency that they use, once', async () => {
    const balances = [{ currency: 'USD', balance: OPENING_MICROS }];
    for (let time = 0; time < 2; time += 1) {
      expect(await enter({ playerID: 'bob' })).toEqual({ status: 200, body: { playerID: 'bob', balances } });
    }
    const { body } = await enter({ playerID: 'bob', currency: 'EUR' });
    expect(body.balances).toEqual([{ currency: 'EUR', balance: OPENING_MICROS }, ...balances]);
  });

  it('a request without a name gets a new one', async () => {
    const [first, second] = [await enter({}), await enter()];
    expect(first.body.playerID).toMatch(/^player-/);
    expect(second.body.playerID).not.toBe(first.body.playerID);
  });

  it('a currency of the server can be used, once the server says so', async () => {
    expect((await enter({ playerID: 'carol', currency: 'GBP' })).status).toBe(200);
    expect(await enter({ playerID: 'carol', currency: 'BTC' })).toMatchObject(INVALID);
    const btc = { code: 'BTC', kind: 'regular', symbol: '₿', decimals: 8, symbolSide: 'before', wireUnitsPerUnit: 100 };
    operator.rgs.respond = () => ({ status: 200, body: { games: [], currencies: [btc], languages: [] } });
    expect((await enter({ playerID: 'carol', currency: 'BTC' })).status).toBe(200);
  });

  it('an invalid player or currency is ERR_VAL', async () => {
    for (const body of [{ playerID: '' }, { playerID: 'x'.repeat(129) }, { currency: 'DOGE' }, { playerID: 7 }, []]) {
      expect(await enter(body)).toMatchObject(INVALID);
    }
  });

  it.each([
    ['that is not JSON', '{', {}, 'the request cannot be read'],
    // Unpacked, a few bytes could take megabytes.
    [
      'that is packed',
      gzipSync('{"playerID":"packed"}'),
      { 'Content-Encoding': 'gzip' },
      'the body has a Content-Encoding; only a plain body is taken',
    ],
  ])('a body %s is refused', async (_which, body, headers, message) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body };
    const response = await fetch(`${operator.url}/api/players`, init);
    expect([response.status, await response.json()]).toEqual([400, { error: 'ERR_VAL', message }]);
  });
});

it('a deposit of play money is added, up to what an account can hold', async () => {
  const { playerID } = await operator.newPlayer();
  const deposit = (amount: unknown) =>
    operator.api('POST', `/players/${playerID}/deposits`, { currency: 'USD', amount });
  expect(await deposit(5_000_000)).toEqual({ status: 200, body: { balance: OPENING_MICROS + 5_000_000 } });
  for (const amount of [0, -1, 1.5, 10_000_000_001, '1']) expect((await deposit(amount)).status).toBe(400);
  await operator.api('POST', `/players/${playerID}/balance`, { currency: 'USD', amount: MAX_MICROS });
  expect(await deposit(1)).toMatchObject({ status: 400, body: { message: 'amount: the account cannot hold so much' } });
  expect((await operator.api('POST', '/players/nobody/deposits', { currency: 'USD', amount: 1 })).status).toBe(404);
});

describe('a launch', () => {
  const LAUNCH = { playerID: 'ann', gameID: 'sample', currency: 'USD', lang: 'de', device: 'mobile' };
  const launch = (changes: object = {}) => operator.api('POST', '/launch', { ...LAUNCH, ...changes });
  const countSessions = async () => (await operator.database.query('SELECT 1 FROM sessions')).length;
  beforeEach(async () => {
    await enter({ playerID: 'ann' });
  });

  it('sends a session to the server, which can verify it before it responds', async () => {
    operator.rgs.respond = async (request) => {
      const { sessionID, token, gameID } = request.body;
      const verified = await operator.wallet.post('/authenticate', { sessionID, token, gameID });
      expect(verified).toMatchObject({ status: 200, body: { playerID: 'ann', country: 'FI' } });
      return respondWell(request);
    };
    const jurisdiction = { disabledTurbo: true, minimumRoundDuration: 3000 };
    const { status, body } = await launch({ social: true, draws: 'provablyFair', country: 'fi', jurisdiction });
    expect(status).toBe(200);
    const [request] = operator.rgs.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/operator/sessions', operator: 'lobby', issue: undefined });
    expect(request?.body).toEqual({
      ...LAUNCH,
      sessionID: expect.stringMatching(/^lobby:[\w-]{43}$/),
      token: expect.stringMatching(/^[\w-]{43}$/),
      social: true,
      draws: 'provablyFair',
      country: 'FI',
      jurisdiction,
      // The lobby's own views, at the address of its page, are added.
      returnURL: `${operator.url}/?view=lobby`,
      cashierURL: `${operator.url}/?view=cashier`,
      historyURL: `${operator.url}/?view=statement`,
      responsibleGamblingURL: `${operator.url}/?view=responsible`,
    });
    const { sessionID } = request?.body ?? {};
    expect(body).toEqual({ sessionID, url: expect.stringContaining(sessionID) });
    const again = await operator.wallet.post('/authenticate', { sessionID, gameID: 'sample' });
    expect(again.body.jurisdiction).toEqual(jurisdiction);
  });

  it('stores only the hashes of session and token', async () => {
    await launch();
    const { sessionID, token } = operator.rgs.requests[0]?.body ?? {};
    const rows = await operator.database.query<{ row: string }>('SELECT s::text AS row FROM sessions s');
    const dump = rows.map(({ row }) => row).join('\n');
    for (const secret of [sessionID, token]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('that the server refuses leaves no session, and returns the reason', async () => {
    const before = await countSessions();
    for (const status of [400, 404]) {
      const body = { error: 'ERR_VAL', message: 'there is no such game' };
      operator.rgs.respond = () => ({ status, body });
      expect(await launch()).toEqual({ status, body });
    }
    operator.rgs.respond = () => ({ status: 500, body: {} });
    expect(await launch()).toMatchObject({ status: 502, body: { error: 'ERR_GEN' } });
    expect(await countSessions()).toBe(before);
  });

  it('needs a player, a game and a currency, and takes nothing that is not valid', async () => {
    expect(await launch({ playerID: 'nobody' })).toMatchObject({ status: 404, body: { error: 'ERR_VAL' } });
    for (const changes of [
      ...[{ gameID: undefined }, { currency: 'doge' }, { country: 'Finland' }],
      ...[{ jurisdiction: 7 }, { draws: 'fair' }],
    ]) {
      expect(await launch(changes)).toMatchObject(INVALID);
    }
    expect(operator.rgs.requests).toEqual([]);
  });
});

it('an unknown path is 404', async () => {
  expect(await operator.api('GET', '/nothing')).toMatchObject({ status: 404, body: { error: 'ERR_VAL' } });
});

import { gzipSync } from 'node:zlib';
import { CURRENCY_CODES, LANGUAGES } from '@roundhouse/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { GAME, wellBehaved } from '../support/fakeRgs.ts';
import { OPENING_MICROS, useOperator } from '../support/testOperator.ts';

const operator = useOperator();
beforeEach(() => {
  operator.rgs.answer = wellBehaved;
  operator.rgs.calls.length = 0;
});

const LAUNCH = { playerID: 'ann', gameID: 'sample', currency: 'USD', lang: 'de', device: 'mobile' };

async function enter(playerID = 'ann'): Promise<void> {
  await operator.api('POST', '/players', { playerID });
}

describe('the lobby', () => {
  test('shows the games of the server, asked for with a signature', async () => {
    expect(await operator.api('GET', '/lobby')).toMatchObject({ status: 200 });
    const { body } = await operator.api('GET', '/lobby');
    expect(body).toEqual({
      operator: { name: expect.any(String), code: 'lobby' },
      games: [GAME],
      currencies: CURRENCY_CODES.filter((code) => ['EUR', 'USD'].includes(code)),
      languages: Object.keys(LANGUAGES),
      bench: true,
      rgsUrl: operator.rgs.url,
    });
    expect(operator.rgs.calls[0]).toMatchObject({ method: 'GET', operator: 'lobby', fault: undefined });
  });

  test('says so when the server does not answer as it should', async () => {
    for (const answer of [
      { status: 200, body: 'not JSON' },
      { status: 200, body: { games: 'none' } },
      { status: 401, body: { error: 'ERR_VAL', message: 'the signature does not hold' } },
      { status: 503, body: 'out of order' },
    ]) {
      operator.rgs.answer = () => answer;
      expect(await operator.api('GET', '/lobby')).toMatchObject({ status: 502, body: { error: 'ERR_GEN' } });
    }
  });
});

describe('players', () => {
  test('a new one has 1,000 units of each currency that they use, once', async () => {
    const balances = [{ currency: 'USD', balance: OPENING_MICROS }];
    for (let time = 0; time < 2; time += 1) {
      expect(await operator.api('POST', '/players', { playerID: 'bob' })).toMatchObject({
        status: 200,
        body: { playerID: 'bob', balances },
      });
    }
    const { body } = await operator.api('POST', '/players', { playerID: 'bob', currency: 'EUR' });
    expect(body.balances).toEqual([{ currency: 'EUR', balance: OPENING_MICROS }, ...balances]);
  });

  test('a packed body is refused: unpacked, a few bytes could take megabytes', async () => {
    const response = await fetch(`${operator.url}/api/players`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync('{"playerID":"packed"}'),
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'ERR_VAL', message: 'the body has a Content-Encoding; only a plain body is taken' },
    ]);
  });

  test('who has no name is given one', async () => {
    const [first, second] = [await operator.api('POST', '/players', {}), await operator.api('POST', '/players')];
    expect(first.body.playerID).toMatch(/^player-/);
    expect(second.body.playerID).not.toBe(first.body.playerID);
  });

  test('what cannot be a player or a currency is ERR_VAL', async () => {
    for (const body of [{ playerID: '' }, { playerID: 'x'.repeat(129) }, { currency: 'DOGE' }, { playerID: 7 }, []]) {
      expect(await operator.api('POST', '/players', body)).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
    }
    const broken = await fetch(`${operator.url}/api/players`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    });
    expect(broken.status).toBe(400);
  });
});

describe('a launch', () => {
  test('hands the server a session of ours, which is live before the server answers', async () => {
    await enter();
    operator.rgs.answer = async (call) => {
      const { sessionID, token, gameID } = call.body;
      const known = await operator.wallet.post('/authenticate', { sessionID, token, gameID });
      expect(known).toMatchObject({ status: 200, body: { playerID: 'ann', country: 'FI' } });
      return wellBehaved(call);
    };
    const jurisdiction = { disabledTurbo: true, minimumRoundDuration: 3000 };
    const { status, body } = await operator.api('POST', '/launch', {
      ...LAUNCH,
      social: true,
      country: 'fi',
      jurisdiction,
    });
    expect(status).toBe(200);
    const [call] = operator.rgs.calls;
    expect(call).toMatchObject({ method: 'POST', path: '/operator/sessions', operator: 'lobby', fault: undefined });
    expect(call?.body).toEqual({
      ...LAUNCH,
      sessionID: expect.stringMatching(/^lobby:[\w-]{43}$/),
      token: expect.stringMatching(/^[\w-]{43}$/),
      social: true,
      country: 'FI',
      jurisdiction,
    });
    expect(body).toEqual({ sessionID: call?.body.sessionID, url: expect.stringContaining(call?.body.sessionID) });
    const again = await operator.wallet.post('/authenticate', { sessionID: body.sessionID, gameID: 'sample' });
    expect(again.body.jurisdiction).toEqual(jurisdiction);
  });

  test('keeps of session and token only the hash', async () => {
    await enter();
    await operator.api('POST', '/launch', LAUNCH);
    const { sessionID, token } = operator.rgs.calls[0]?.body ?? {};
    const [{ dump }] = (await operator.database.query(
      'SELECT string_agg(s::text, chr(10)) AS dump FROM sessions s',
    )) as [{ dump: string }];
    for (const secret of [sessionID, token]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  test('that the server refuses leaves no session behind, and its reason is told', async () => {
    await enter();
    const before = await operator.database.query('SELECT 1 FROM sessions');
    for (const status of [400, 404]) {
      operator.rgs.answer = () => ({ status, body: { error: 'ERR_VAL', message: 'there is no such game' } });
      expect(await operator.api('POST', '/launch', LAUNCH)).toMatchObject({
        status,
        body: { error: 'ERR_VAL', message: 'there is no such game' },
      });
    }
    operator.rgs.answer = () => ({ status: 500, body: {} });
    expect(await operator.api('POST', '/launch', LAUNCH)).toMatchObject({ status: 502, body: { error: 'ERR_GEN' } });
    expect(await operator.database.query('SELECT 1 FROM sessions')).toHaveLength(before.length);
  });

  test('needs a player, a game and a currency', async () => {
    await enter();
    expect(await operator.api('POST', '/launch', { ...LAUNCH, playerID: 'nobody' })).toMatchObject({
      status: 404,
      body: { error: 'ERR_VAL' },
    });
    for (const changes of [{ gameID: undefined }, { currency: 'DOGE' }, { country: 'Finland' }, { jurisdiction: 7 }]) {
      expect(await operator.api('POST', '/launch', { ...LAUNCH, ...changes })).toMatchObject({ status: 400 });
    }
    expect(operator.rgs.calls).toEqual([]);
  });
});

test('an unknown path is 404', async () => {
  expect(await operator.api('GET', '/nothing')).toMatchObject({ status: 404, body: { error: 'ERR_VAL' } });
});

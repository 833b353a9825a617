import { toMicros } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { checkSimulator, describeLaws } from './support/laws.ts';
import { start } from './support/start.ts';
import { TINY } from './support/tiny.ts';

const PLAYED = { currency: 'EUR', gameID: 'slot', bet: 100n };

describeLaws(TINY, PLAYED);

it('a report shows the exchanges of a failed rule, without tokens and secrets', async () => {
  const { results } = await checkSimulator(TINY, { ...PLAYED, broken: 'takes any password' });
  expect(results).toMatchObject([
    {
      id: 'signature.wrong',
      outcome: 'fail',
      exchanges: [
        {
          call: { path: '/move', signed: 'with x-password', body: expect.stringContaining('<token>') },
          response: { came: true, status: 200, body: '{"cents":99900}' },
        },
      ],
    },
    { id: 'bet.expired', outcome: 'pass' },
  ]);
});

const ANN = { player: 'ann', currency: 'EUR', gameID: 'slot' };

describe('a simulator', () => {
  it('launches, moves money, and lists what it moved with the ids of the server', async () => {
    const { simulator, move } = await start();
    expect(await simulator.launch(ANN)).toBe('http://game/?session=1');
    expect(await move('a', 'bet', 250)).toEqual({ status: 200, body: '{"cents":99750}' });
    await move('b', 'win', 1000);
    expect(simulator.transactions()).toMatchObject([
      { transactionID: 'a', kind: 'debit', roundID: '7', playerID: 'ann', amount: 2_500_000 },
      { transactionID: 'b', kind: 'credit', debitTransactionID: 'a', amount: 10_000_000 },
    ]);
    expect(simulator.balance('ann', 'EUR')).toBe(toMicros(1_007_500_000));
    expect(simulator.exchanges().map(({ response }) => response.body)).toEqual(['{"cents":100750}', '{"cents":99750}']);
    simulator.prove();
  });

  it('tells what the server says when it refuses a launch', async () => {
    const { simulator } = await start();
    await expect(simulator.launch({ ...ANN, gameID: 'unknown' })).rejects.toThrow('/launch: 404 {"error":"game"}');
  });

  it('gives free rounds in its own unit', async () => {
    const { simulator, received } = await start();
    const grant = { ...ANN, id: 'g', bet: toMicros(1_000_000), rounds: 5, endsAt: new Date('2027-01-01') };
    await simulator.giveFreeRounds(grant);
    expect(received).toEqual([{ path: '/dialects/tiny/grant', body: '{"id":"g","cents":"100"}' }]);
    expect(simulator.world.grants.get('g')).toMatchObject({ bet: 100n, rounds: 5 });
  });

  it('an error that it throws is a 500, and its proof fails', async () => {
    const { simulator } = await start();
    const response = await fetch(`${simulator.url}/move`, {
      method: 'POST',
      headers: { 'x-password': simulator.world.keys.secret },
      body: 'no JSON',
    });
    expect(response.status).toBe(500);
    expect(() => simulator.prove()).toThrow(SyntaxError);
  });

  it('knows its own breakages only', async () => {
    await expect(start({ broken: 'other' })).rejects.toThrow('tiny has no breakage other');
  });
});

describe('the control API', () => {
  it('launches, injects faults, expires tokens and reads the books', async () => {
    const { control, move, received } = await start();
    expect(await control('POST', 'launch', ANN)).toEqual({ status: 200, body: { url: 'http://game/?session=1' } });
    const fault = { kind: 'lost_request', path: '/move', next: 1 };
    expect(await control('POST', 'faults', { faults: [fault] })).toMatchObject({
      status: 200,
      body: { plan: { faults: [fault] } },
    });
    await expect(move('a', 'bet', 100)).rejects.toThrow();
    expect((await move('a', 'bet', 100)).body).toBe('{"cents":99900}');
    expect(await control('GET', 'balance?player=ann&currency=EUR')).toMatchObject({ body: { balance: 999_000_000 } });
    expect(await control('GET', 'transactions')).toMatchObject({ body: [{ transactionID: 'a', kind: 'debit' }] });
    const { token } = JSON.parse(received[0]?.body ?? '{}');
    expect(await control('POST', 'expire-token', { token })).toMatchObject({ body: { expired: true } });
    expect((await move('b', 'bet', 100)).body).toBe('{"error":"token"}');
    expect(await control('GET', 'prove')).toMatchObject({ status: 200, body: { ok: true } });
  });

  it('turns quirks of the wallet on and off', async () => {
    const { control, simulator } = await start();
    for (const quirks of [['begins with a byte order mark'], []]) {
      expect(await control('POST', 'quirks', { quirks })).toMatchObject({ status: 200, body: { quirks } });
      expect([...simulator.quirks]).toEqual(quirks);
    }
  });

  it('changes its supplier, and gives free rounds', async () => {
    const { control, simulator, received } = await start({ supplierUrl: 'http://127.0.0.1:1' });
    expect((await control('POST', 'launch', ANN)).status).toBe(400);
    const other = await start();
    await control('POST', 'supplier', { url: other.simulator.world.supplierUrl });
    const grant = { ...ANN, bet: 1_000_000, rounds: 5, endsAt: '2027-01-01T00:00:00Z' };
    const given = await control('POST', 'free-rounds', grant);
    expect(given).toEqual({ status: 200, body: { id: expect.any(String) } });
    expect([received.length, other.received.length]).toEqual([0, 1]);
    expect([...simulator.world.grants.keys()]).toEqual([given.body.id]);
  });

  it.each([
    ['an unknown path', 'POST', 'other', {}, 404],
    ['a plan that is none', 'POST', 'faults', { faults: [{ kind: 'other' }] }, 400],
    ['a quirk that no wallet has', 'POST', 'quirks', { quirks: ['other'] }, 400],
    ['a refused launch', 'POST', 'launch', { ...ANN, gameID: 'unknown' }, 502],
    ['the balance of nobody', 'GET', 'balance?player=eve&currency=EUR', undefined, 400],
  ] as const)('refuses %s', async (_what, method, path, body, status) => {
    const { control } = await start();
    expect(await control(method, path, body)).toMatchObject({ status, body: { error: expect.any(String) } });
  });

  it('takes JSON only, which a page of another origin cannot send', async () => {
    const { simulator } = await start();
    const url = new URL('/control/supplier', simulator.url);
    expect((await fetch(url, { method: 'POST', body: '{"url":"http://other"}' })).status).toBe(415);
  });
});

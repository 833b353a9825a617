import { MAX_MICROS } from '@roundhouse/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { wellBehaved } from '../support/fakeRgs.ts';
import { OPENING_MICROS, useOperator } from '../support/testOperator.ts';

describe('with the bench', () => {
  const operator = useOperator();
  beforeEach(() => {
    operator.rgs.answer = wellBehaved;
    operator.rgs.calls.length = 0;
  });

  test('the balance is set by a deposit or a withdrawal', async () => {
    const player = await operator.newPlayer();
    const set = (amount: unknown) =>
      operator.api('POST', `/players/${player.playerID}/balance`, { currency: 'USD', amount });
    for (const amount of [5, 0, MAX_MICROS, OPENING_MICROS, OPENING_MICROS]) {
      expect(await set(amount)).toMatchObject({ status: 200, body: { balance: amount } });
      expect(await player.balance()).toBe(amount);
    }
    for (const amount of [-1, 1.5, MAX_MICROS + 1, '1', null]) expect((await set(amount)).status).toBe(400);
    expect(await player.balance()).toBe(OPENING_MICROS);
  });

  test('faults of the game wire and forced outcomes are handed on to the server, with its answers', async () => {
    operator.rgs.answer = ({ method, path, body }) => ({
      status: path === '/game/force' ? 404 : 200,
      body: { method, path, body },
    });
    const plan = { faults: [{ kind: 'lost_request', next: 1 }] };
    const path = '/game/faults';
    expect((await operator.api('GET', '/bench/game-faults')).body).toEqual({ method: 'GET', path });
    expect((await operator.api('PUT', '/bench/game-faults', plan)).body).toEqual({ method: 'PUT', path, body: plan });
    expect((await operator.api('DELETE', '/bench/game-faults')).body).toEqual({ method: 'DELETE', path });
    const forced = { sessionID: 'lobby:x', mode: 'BASE', kind: 'max' };
    expect(await operator.api('POST', '/bench/force', forced)).toMatchObject({
      status: 404,
      body: { method: 'POST', path: '/game/force', body: forced },
    });
    expect((await operator.api('POST', '/bench/force', { mode: 'BASE' })).status).toBe(400);
  });

  test("an answer that is not the game server's own is 502", async () => {
    operator.rgs.answer = () => ({ status: 404, body: '<html>somebody else</html>' });
    expect(await operator.api('GET', '/bench/game-faults')).toMatchObject({ status: 502, body: { error: 'ERR_GEN' } });
  });

  test('rules are for players who are there', async () => {
    expect((await operator.api('PUT', '/bench/players/nobody', { currency: 'USD', country: 'FI' })).status).toBe(404);
  });
});

describe('without it', () => {
  const operator = useOperator({ bench: false });

  test('its routes do not exist', async () => {
    const { playerID } = await operator.newPlayer();
    const calls: [method: string, path: string, body?: object][] = [
      ['POST', `/players/${playerID}/balance`, { currency: 'USD', amount: 1 }],
      ['PUT', `/bench/players/${playerID}`, { currency: 'USD', country: 'FI' }],
      ['GET', '/bench/wallet-faults'],
      ['PUT', '/bench/wallet-faults', { faults: [] }],
      ['DELETE', '/bench/wallet-faults'],
      ['GET', '/bench/game-faults'],
      ['PUT', '/bench/game-faults', { faults: [] }],
      ['DELETE', '/bench/game-faults'],
      ['POST', '/bench/force', { sessionID: 'x', bookID: 1 }],
    ];
    for (const [method, path, body] of calls) {
      expect(await operator.api(method, path, body), `${method} ${path}`).toMatchObject({ status: 404 });
    }
    expect((await operator.api('GET', '/lobby')).body.bench).toBe(false);
  });
});

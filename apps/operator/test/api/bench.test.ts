import { MAX_MICROS } from '@roundhouse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { respondWell } from '../support/fakeRgs.ts';
import { OPENING_MICROS, useOperator, usePlayer } from '../support/testOperator.ts';

describe('with the studio bench', () => {
  const operator = useOperator();
  beforeEach(() => {
    operator.rgs.respond = respondWell;
  });
  const player = usePlayer(operator);

  it('the balance is set by a deposit or a withdrawal', async () => {
    for (const amount of [5, 0, MAX_MICROS, OPENING_MICROS, OPENING_MICROS]) {
      expect(await player.setBalance(amount)).toEqual({ status: 200, body: { balance: amount } });
      expect(await player.balance()).toBe(amount);
    }
    for (const amount of [-1, 1.5, MAX_MICROS + 1, '1', null]) {
      expect((await player.setBalance(amount)).status).toBe(400);
    }
    expect(await player.balance()).toBe(OPENING_MICROS);
  });

  const PLAN = { faults: [{ kind: 'cut', next: 1 }] };
  const FORCED = { sessionID: 'lobby:x', mode: 'BASE', kind: 'big', feature: false };
  it.each([
    ['GET', '/bench/game-faults', '/game/faults', undefined],
    ['PUT', '/bench/game-faults', '/game/faults', PLAN],
    ['DELETE', '/bench/game-faults', '/game/faults', undefined],
    ['POST', '/bench/force', '/game/force', FORCED],
    ['POST', '/bench/books', '/game/books', { mode: 'BASE', with: ['win'] }],
    ['POST', '/bench/parity', '/game/parity', { sessionID: 'lobby:x' }],
    ['GET', '/bench/https', '/game/https', undefined],
  ])('%s %s is forwarded to the server, and its response is returned', async (method, route, path, body) => {
    operator.rgs.respond = ({ method, path, body }) => ({ status: 404, body: { method, path, body } });
    const received = body === undefined ? { method, path } : { method, path, body };
    expect(await operator.api(method, route, body)).toEqual({ status: 404, body: received });
  });

  it('free rounds are given by the game server, for the account of the player', async () => {
    const { playerID } = await operator.newPlayer();
    const asked = { playerID, currency: 'USD', gameID: 'sample', mode: 'BASE', amount: 1_000_000, paidAtEnd: true };
    expect(await operator.api('POST', '/bench/free-rounds', asked)).toEqual({ status: 200, body: { given: 5 } });
    const { issue, body } = operator.rgs.requests.at(-1) ?? {};
    expect(issue).toBeUndefined();
    expect(body).toMatchObject({
      terms: {
        gameIDs: ['sample'],
        mode: 'BASE',
        bets: { USD: 1_000_000 },
        rounds: 5,
        automatic: false,
        paidAtEnd: true,
      },
      grants: [{ grantID: expect.any(String), playerID, currency: 'USD' }],
    });
    operator.rgs.respond = () => ({ status: 400, body: { error: 'ERR_VAL', message: 'mode: no such mode' } });
    expect(await operator.api('POST', '/bench/free-rounds', asked)).toMatchObject({ status: 400 });
    expect((await operator.api('POST', '/bench/free-rounds', { ...asked, amount: 0 })).status).toBe(400);
  });

  it('a forced outcome needs a session', async () => {
    expect((await operator.api('POST', '/bench/force', { mode: 'BASE' })).status).toBe(400);
  });

  it("a response that is not the game server's own is 502", async () => {
    operator.rgs.respond = () => ({ status: 404, body: '<html>somebody else</html>' });
    expect(await operator.api('GET', '/bench/game-faults')).toMatchObject({ status: 502, body: { error: 'ERR_GEN' } });
  });

  it('rules are for known players', async () => {
    expect((await operator.api('PUT', '/bench/players/nobody', { currency: 'USD', country: 'FI' })).status).toBe(404);
  });
});

describe('without it', () => {
  const operator = useOperator({ bench: false });

  it('its routes do not exist', async () => {
    const { playerID } = await operator.newPlayer();
    const requests: [method: string, path: string, body?: object][] = [
      ['POST', `/players/${playerID}/balance`, { currency: 'USD', amount: 1 }],
      ['PUT', `/bench/players/${playerID}`, { currency: 'USD', country: 'FI' }],
      ...['wallet', 'game'].flatMap((wire): [string, string, object?][] => [
        ['GET', `/bench/${wire}-faults`],
        ['PUT', `/bench/${wire}-faults`, { faults: [] }],
        ['DELETE', `/bench/${wire}-faults`],
      ]),
      ['POST', '/bench/force', { sessionID: 'x', bookID: 1 }],
      ['POST', '/bench/free-rounds', {}],
      ['POST', '/bench/books', { mode: 'BASE' }],
      ['GET', '/bench/https'],
    ];
    for (const [method, path, body] of requests) {
      expect(await operator.api(method, path, body), `${method} ${path}`).toMatchObject({ status: 404 });
    }
    expect((await operator.api('GET', '/lobby')).body.bench).toBe(false);
  });
});

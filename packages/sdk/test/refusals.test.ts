import { ERROR_CODES, ERRORS, type ErrorCode } from '@roundhouse/contract/light';
import { describe, expect, it } from 'vitest';
import { expectTruth, failureOf, launchUrl, openClient, openedBetIDs, openGame, startGame } from './support/games.ts';
import { rgs } from './support/rgs.ts';
import { GAMES, UNIT } from './support/testGames.ts';

const bet = { amount: UNIT, mode: 'BASE' };
const KINDS: Record<ErrorCode, string> = {
  ERR_VAL: 'bad-request',
  ERR_IPB: 'insufficient-funds',
  ERR_IS: 'session-over',
  ERR_ATE: 'session-over',
  ERR_GLE: 'limit-reached',
  ERR_LOC: 'not-allowed-here',
  ERR_GEN: 'server-error',
  ERR_MAINTENANCE: 'maintenance',
};
const refusal = (code: ErrorCode) => ({
  status: ERRORS[code].status,
  body: { error: code, message: `refused: ${code}` },
});

describe.each(ERROR_CODES)('%s', (code) => {
  it('is an error of its kind with all that the server said, and moves nothing', async () => {
    const game = await startGame({ options: { maxRetries: 0 } });
    game.proxy.fail('/wallet/play', refusal(code), refusal(code));
    const error = await failureOf(game.client.play(bet));
    const { status, retryable } = ERRORS[code];
    expect(error).toMatchObject({ kind: KINDS[code], code, status, retryable, message: `refused: ${code}` });
    expect(game.client.state.pending).toBeUndefined();
    await game.client.authenticate();
    await expectTruth(game);
    expect(openedBetIDs(game.proxy)).toEqual([]);
  });
});

describe('a refusal', () => {
  it('names the request in the server log', async () => {
    const game = await startGame({ setBalance: 1 });
    expect((await failureOf(game.client.play(bet))).requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['ERR_IPB', 'ERR_GLE', 'ERR_LOC', 'ERR_MAINTENANCE', 'ERR_VAL'] as const)(
    'with %s is not repeated',
    async (code) => {
      const { client, proxy } = await startGame();
      proxy.fail('/wallet/play', refusal(code));
      await failureOf(client.play(bet));
      expect(proxy.requests.filter(({ path }) => path === '/wallet/play')).toHaveLength(1);
    },
  );

  it.each([403, 404])('with status %i and no code is a server-error error that is not repeated', async (status) => {
    const { client, proxy } = await startGame();
    proxy.fail('/wallet/balance', { status, body: 'go away' });
    expect(await failureOf(client.balance())).toMatchObject({ kind: 'server-error', status, retryable: false });
  });

  it.each([429, 503])('with status %i and no code is repeated', async (status) => {
    const { client, proxy } = await startGame();
    proxy.fail('/wallet/balance', { status, body: null });
    await client.balance();
    expect(proxy.isSpent()).toBe(true);
  });

  it('for want of money shows the balance that does not suffice', async () => {
    const token = `player-${crypto.randomUUID()}`;
    const game = await startGame({ token, setBalance: 10 * UNIT });
    await rgs.startSession({ token, setBalance: UNIT / 2 });
    expect((await failureOf(game.client.play(bet))).kind).toBe('insufficient-funds');
    expect(game.client.state).toMatchObject({ balance: { amount: UNIT / 2 }, canPlay: true });
    await expectTruth(game);
  });

  it('after an attempt without a response needs an authenticate', async () => {
    const game = await startGame();
    await game.client.play(bet);
    game.proxy.fail('/wallet/end-round', 'lostResponse', refusal('ERR_MAINTENANCE'));
    expect((await failureOf(game.client.endRound())).kind).toBe('maintenance');
    expect(game.client.state.needsAuthenticate).toBe(true);
    await game.client.authenticate();
    await expectTruth(game);
  });

  it('of maintenance alone leaves the state as it is', async () => {
    const game = await startGame();
    await game.client.play(bet);
    game.proxy.fail('/wallet/end-round', refusal('ERR_MAINTENANCE'));
    expect((await failureOf(game.client.endRound())).kind).toBe('maintenance');
    await expectTruth(game);
  });
});

describe('a session that has timed out', () => {
  it.each(['play', 'endRound', 'event', 'balance', 'history'] as const)(
    'comes back to life by itself in %s',
    async (name) => {
      const game = await startGame();
      if (name !== 'play') await game.client.play(bet);
      const path = {
        play: '/wallet/play',
        endRound: '/wallet/end-round',
        event: '/bet/event',
        balance: '/wallet/balance',
        history: '/bet/history',
      };
      game.proxy.fail(path[name], refusal('ERR_IS'));
      const calls = {
        play: () => game.client.play(bet),
        endRound: () => game.client.endRound(),
        event: () => game.client.event('x'),
        balance: () => game.client.balance(),
        history: () => game.client.history(),
      };
      await calls[name]();
      const last = game.proxy.requests.slice(-3).map((request) => request.path);
      expect(last).toEqual([path[name], '/wallet/authenticate', path[name]]);
      expect(openedBetIDs(game.proxy)).toHaveLength(1);
      await expectTruth(game);
    },
  );

  it('is over when it does not come back', async () => {
    const game = await startGame();
    game.proxy.fail('/wallet/play', refusal('ERR_IS'));
    game.proxy.fail('/wallet/authenticate', refusal('ERR_IS'));
    expect((await failureOf(game.client.play(bet))).kind).toBe('session-over');
    expect(game.client.state).toMatchObject({ needsAuthenticate: true, canPlay: false });
    expect(openedBetIDs(game.proxy)).toEqual([]);
  });

  it('is over at once when the login has expired', async () => {
    const game = await startGame();
    game.proxy.fail('/wallet/balance', refusal('ERR_ATE'));
    expect((await failureOf(game.client.balance())).kind).toBe('session-over');
    expect(game.client.state).toMatchObject({ needsAuthenticate: true, canPlay: false });
  });

  it('is asked for once only', async () => {
    const game = await startGame();
    game.proxy.fail('/wallet/play', refusal('ERR_IS'), refusal('ERR_IS'));
    expect((await failureOf(game.client.play(bet))).kind).toBe('session-over');
    expect(game.proxy.requests.filter(({ path }) => path === '/wallet/authenticate')).toHaveLength(2);
  });

  it('does not hide the round of a play that was lost just before', async () => {
    const game = await startGame({ setBalance: 10 * UNIT });
    game.proxy.fail('/wallet/play', 'lostResponse', refusal('ERR_IS'));
    const { round } = await game.client.play(bet);
    expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    expect(game.client.state).toMatchObject({ activeRound: round, netPositionMicros: -UNIT });
    await expectTruth(game);
  });

  it('is not yet authenticated: balance authenticates', async () => {
    const session = await rgs.startSession();
    const client = openClient({ url: launchUrl(session, rgs.url), balanceRefreshMs: 0 });
    await client.balance();
    await expectTruth({ client, session });
  });
});

describe('a bet that breaks the rules is not sent', () => {
  it.each([
    [{ amount: 1.5, mode: 'BASE' }, 'not-an-amount'],
    [{ amount: Number.NaN, mode: 'BASE' }, 'not-an-amount'],
    [{ amount: '1000000' as unknown as number, mode: 'BASE' }, 'not-an-amount'],
    [{ amount: UNIT / 10, mode: 'BASE' }, 'below-minimum'],
    [{ amount: 200 * UNIT, mode: 'BASE' }, 'above-maximum'],
    [{ amount: UNIT + 1, mode: 'BASE' }, 'off-step'],
    [{ amount: UNIT, mode: 'NONE' }, 'unknown-mode'],
    [{ amount: UNIT, mode: undefined as unknown as string }, 'unknown-mode'],
  ])('%j: %s', async (wrong, betIssue) => {
    const game = await startGame();
    expect(await failureOf(game.client.play(wrong))).toMatchObject({ kind: 'bad-request', code: undefined, betIssue });
    expect(game.proxy.requests).toHaveLength(1);
    expect(game.storage.size).toBe(0);
    await expectTruth(game);
  });

  it('a bought feature where the jurisdiction forbids it', async () => {
    const { client, proxy } = await startGame({ gameID: GAMES.strict.id });
    const failure = failureOf(client.play({ amount: UNIT, mode: 'bonus' }));
    expect(await failure).toMatchObject({ kind: 'bad-request', betIssue: 'feature-disabled' });
    expect(proxy.requests).toHaveLength(1);
  });

  it('a bet beside the bet levels, when they are strict', async () => {
    const strict = await startGame({ options: { strictBetLevels: true } });
    const between = { amount: 2 * UNIT, mode: 'BASE' };
    expect(await failureOf(strict.client.play(between))).toMatchObject({ betIssue: 'not-a-bet-level' });
    await strict.client.play(bet);
    const free = await startGame();
    await free.client.play(between);
    await expectTruth(free);
  });

  it('an event that is not an event', async () => {
    const { client, proxy } = await startGame();
    await client.play(bet);
    for (const event of ['', 'x'.repeat(8193), 'a\u0000b', '\uD83D', 7 as unknown as string]) {
      expect(await failureOf(client.event(event))).toMatchObject({ kind: 'bad-request', code: undefined });
    }
    expect(proxy.requests.filter(({ path }) => path === '/bet/event')).toEqual([]);
    expect(client.state.needsAuthenticate).toBe(false);
  });
});

it('a response without the fields that the client uses is a server-error error', async () => {
  const { client, proxy } = await openGame({ options: { maxRetries: 0 } });
  const balance = { amount: 1, currency: 'USD' };
  const limits = { minBet: 1, maxBet: 1, stepBet: 1, defaultBetLevel: 1, betLevels: [], betModes: {} };
  const config = { ...limits, jurisdiction: { minimumRoundDuration: 0 } };
  const round = { betID: 1, amount: 1, payout: 0, costMultiplier: 1, active: true, mode: 'BASE', state: [] };
  const broken = [
    null,
    [],
    { balance, config },
    { balance: { amount: 2 ** 53, currency: 'USD' }, config, round },
    { balance: { amount: '1', currency: 'USD' }, config, round },
    { balance, config: { ...config, minBet: undefined }, round },
    { balance, config: { ...config, betModes: { BASE: {} } }, round },
    { balance, config: { ...config, jurisdiction: {} }, round },
    { balance, config, round: { ...round, active: 'yes' } },
    { balance, config, round: { ...round, state: undefined } },
    { balance, config, round: { betID: 1 } },
  ];
  for (const body of broken) {
    proxy.fail('/wallet/authenticate', { status: 200, body });
    expect(await failureOf(client.authenticate())).toMatchObject({
      kind: 'server-error',
      status: 200,
      code: undefined,
    });
    expect(client.state).toMatchObject({ needsAuthenticate: true, config: undefined });
  }
  for (const whole of [round, {}]) {
    proxy.fail('/wallet/authenticate', { status: 200, body: { balance, config, round: whole } });
    await client.authenticate();
  }
});

import { describe, expect, it, vi } from 'vitest';
import type { Fault } from './support/faultProxy.ts';
import { expectTruth, failureOf, openedBetIDs, openGame, startGame } from './support/games.ts';
import { rgs } from './support/rgs.ts';
import { BOOK, UNIT } from './support/testGames.ts';

const bet = { amount: UNIT, mode: 'BASE' };

/**
 * A retry may follow each of these faults; each has the kind of error that is left when retries are
 * used up.
 */
const FAULTS: readonly (readonly [Fault & string, string])[] = [
  ['lostRequest', 'no-network'],
  ['lostResponse', 'no-network'],
  ['cutBody', 'no-network'],
  ['malformedResponse', 'server-error'],
  ['wrongShape', 'server-error'],
  ['badGateway', 'server-error'],
  ['serverError', 'server-error'],
];

describe.each(FAULTS)('%s', (fault, kind) => {
  it('of play is repeated with the same key, and debits once', async () => {
    const game = await startGame({ setBalance: 10 * UNIT });
    game.proxy.fail('/wallet/play', fault, fault);
    const { round } = await game.client.play(bet);
    expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    const plays = game.proxy.requests.filter(({ path }) => path === '/wallet/play');
    expect(plays).toHaveLength(3);
    expect(new Set(plays.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(game.client.state.balance?.amount).toBe(9 * UNIT);
    await expectTruth(game);
  });

  it('of play to the end leaves a state that authenticate makes true, and the same bet is not debited twice', async () => {
    const game = await startGame({ setBalance: 10 * UNIT });
    game.proxy.fail('/wallet/play', fault, fault, fault, fault);
    expect(await failureOf(game.client.play(bet))).toMatchObject({ kind, retryable: true });
    expect(game.client.state).toMatchObject({ needsAuthenticate: true, canPlay: false, pending: undefined });
    await game.client.authenticate();
    await expectTruth(game);
    if (game.client.state.canPlay) await game.client.play(bet);
    await game.client.endRound();
    await expectTruth(game);
    expect(openedBetIDs(game.proxy)).toHaveLength(1);
    expect(game.client.state.netPositionMicros).toBe((game.client.state.balance?.amount ?? 0) - 10 * UNIT);
  });

  it('of end-round is repeated, and pays once', async () => {
    const game = await startGame({ setBalance: 10 * UNIT });
    await rgs.force(game.session, 'BASE', BOOK.pays150);
    await game.client.play(bet);
    game.proxy.fail('/wallet/end-round', fault, fault);
    await game.client.endRound();
    expect(game.client.state).toMatchObject({
      activeRound: undefined,
      canPlay: true,
      balance: { amount: 10.5 * UNIT },
    });
    await expectTruth(game);
  });

  it('of end-round to the end never leaves a round active that is not', async () => {
    const game = await startGame({ setBalance: 10 * UNIT });
    await rgs.force(game.session, 'BASE', BOOK.pays150);
    await game.client.play(bet);
    game.proxy.fail('/wallet/end-round', fault, fault, fault, fault);
    expect(await failureOf(game.client.endRound())).toMatchObject({ kind });
    expect(game.client.state).toMatchObject({ needsAuthenticate: true, canPlay: false, pending: undefined });
    expect(game.client.state.activeRound).toBeDefined();
    await game.client.authenticate();
    await expectTruth(game);
    await game.client.endRound();
    await expectTruth(game);
    expect(game.client.state.netPositionMicros).toBe(UNIT / 2);
  });

  it('of an event is repeated, and without a response at all it needs an authenticate', async () => {
    const game = await startGame();
    await game.client.play(bet);
    game.proxy.fail('/bet/event', fault, fault);
    await game.client.event('first');
    await expectTruth(game);
    game.proxy.fail('/bet/event', fault, fault, fault, fault);
    expect(await failureOf(game.client.event('second'))).toMatchObject({ kind });
    expect(game.client.state.needsAuthenticate).toBe(true);
    await game.client.authenticate();
    await expectTruth(game);
  });

  it('of authenticate and balance is repeated, and to the end it changes nothing', async () => {
    const game = await openGame();
    game.proxy.fail('/wallet/authenticate', fault, fault);
    await game.client.authenticate();
    await expectTruth(game);
    game.proxy.fail('/wallet/balance', fault, fault);
    await game.client.balance();
    game.proxy.fail('/wallet/balance', fault, fault, fault, fault);
    game.proxy.fail('/wallet/authenticate', fault, fault, fault, fault);
    expect(await failureOf(game.client.balance())).toMatchObject({ kind });
    expect(await failureOf(game.client.authenticate())).toMatchObject({ kind });
    await expectTruth(game);
    expect(game.proxy.isSpent()).toBe(true);
  });
});

describe.each(['stalledResponse', 'stalledBody'] as const)('%s', (fault) => {
  it('ends with the time-out, which covers the body, and the play that was done is not done again', async () => {
    const game = await startGame({ setBalance: 10 * UNIT, options: { timeoutMs: 5000 } });
    game.proxy.fail('/wallet/play', fault);
    const stalled = game.proxy.stalled();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const playing = game.client.play(bet);
      await stalled;
      await vi.advanceTimersByTimeAsync(4999);
      expect(game.proxy.requests.filter(({ path }) => path === '/wallet/play')).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1 + 1);
      vi.useRealTimers();
      const { round } = await playing;
      expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    } finally {
      vi.useRealTimers();
    }
    expect(game.client.state.balance?.amount).toBe(9 * UNIT);
    await expectTruth(game);
  });

  it('is a network error when there are no retries, also where fetch does not heed its signal', async () => {
    const deaf: typeof fetch = (input, { signal: _, ...init } = {}) => fetch(input, init);
    const game = await startGame({ options: { timeoutMs: 5000, maxRetries: 0, fetch: deaf } });
    game.proxy.fail('/wallet/balance', fault);
    const stalled = game.proxy.stalled();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const failure = failureOf(game.client.balance());
      await stalled;
      vi.advanceTimersByTime(5000);
      expect(await failure).toMatchObject({
        kind: 'no-network',
        message: 'no response within 5000 ms',
        retryable: true,
      });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('maxRetries', () => {
  it.each([0, 1, 3])('of %i means that many repetitions', async (maxRetries) => {
    const { client, proxy } = await startGame({ options: { maxRetries } });
    proxy.fail('/wallet/play', ...Array<Fault>(maxRetries + 1).fill('lostRequest'));
    await failureOf(client.play(bet));
    expect(proxy.requests.filter(({ path }) => path === '/wallet/play')).toHaveLength(maxRetries + 1);
  });
});

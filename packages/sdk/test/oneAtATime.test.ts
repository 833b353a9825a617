import { describe, expect, it } from 'vitest';
import { expectTruth, failureOf, openedBetIDs, openGame, startGame } from './support/games.ts';
import { rgs } from './support/rgs.ts';
import { UNIT } from './support/testGames.ts';

const bet = { amount: UNIT, mode: 'BASE' };

describe('one deciding call at a time', () => {
  it('refuses a second play while one is pending: nothing is sent', async () => {
    const game = await startGame();
    const first = game.client.play(bet);
    expect(game.client.state).toMatchObject({ pending: 'play', canPlay: false });
    expect(await failureOf(game.client.play(bet))).toMatchObject({ kind: 'bad-request', code: undefined });
    expect(await failureOf(game.client.endRound())).toMatchObject({ kind: 'bad-request', code: undefined });
    await first;
    expect(game.proxy.requests.map(({ path }) => path)).toEqual(['/wallet/authenticate', '/wallet/play']);
    expect(game.client.state.pending).toBeUndefined();
    await expectTruth(game);
  });

  it('refuses a play while end-round is pending, and takes it afterwards', async () => {
    const game = await startGame();
    await game.client.play(bet);
    const ending = game.client.endRound();
    expect(game.client.state.pending).toBe('endRound');
    expect((await failureOf(game.client.play(bet))).kind).toBe('bad-request');
    await ending;
    await game.client.play(bet);
    expect(openedBetIDs(game.proxy)).toHaveLength(2);
    await expectTruth(game);
  });

  it('refuses a play while a round is active: nothing is sent', async () => {
    const game = await startGame();
    await game.client.play(bet);
    expect(await failureOf(game.client.play(bet))).toMatchObject({ kind: 'bad-request', code: undefined });
    expect(game.proxy.requests.filter(({ path }) => path === '/wallet/play')).toHaveLength(1);
    await expectTruth(game);
  });

  it('shares one authenticate among its callers', async () => {
    const { client, proxy } = await openGame();
    const responses = await Promise.all([client.authenticate(), client.authenticate()]);
    expect(responses[0]).toBe(responses[1]);
    expect(proxy.requests).toHaveLength(1);
    await client.authenticate();
    expect(proxy.requests).toHaveLength(2);
  });

  it('lets a play wait for the pending authenticate', async () => {
    const game = await openGame();
    const [, { round }] = await Promise.all([game.client.authenticate(), game.client.play(bet)]);
    expect(game.client.state.activeRound).toEqual(round);
    expect(game.proxy.requests.map(({ path }) => path)).toEqual(['/wallet/authenticate', '/wallet/play']);
    await expectTruth(game);
  });

  it('lets an authenticate wait for the pending play, so that it cannot show an older state', async () => {
    const game = await startGame();
    const [{ round }] = await Promise.all([game.client.play(bet), game.client.authenticate()]);
    expect(game.client.state.activeRound).toEqual(round);
    await expectTruth(game);
  });

  it('records events in the order of the calls, also when the first one has to be repeated', async () => {
    const game = await startGame();
    await game.client.play(bet);
    game.proxy.fail('/bet/event', 'lostRequest');
    await Promise.all(['first', 'second', 'third'].map((event) => game.client.event(event)));
    const sent = game.proxy.requests.filter(({ path }) => path === '/bet/event').map(({ body }) => body.event);
    expect(sent).toEqual(['first', 'first', 'second', 'third']);
    expect(game.client.state.activeRound?.event).toBe('third');
    await expectTruth(game);
  });

  it('ends the round after the events that were called before', async () => {
    const game = await startGame();
    await game.client.play(bet);
    await Promise.all([game.client.event('last'), game.client.endRound()]);
    expect(game.client.state.round).toMatchObject({ event: 'last', active: false });
    expect(await failureOf(game.client.event('too late'))).toMatchObject({ kind: 'bad-request', code: undefined });
    await expectTruth(game);
  });

  it('authenticates first when the game calls play', async () => {
    const game = await openGame();
    await game.client.play(bet);
    expect(game.proxy.requests.map(({ path }) => path)).toEqual(['/wallet/authenticate', '/wallet/play']);
    await expectTruth(game);
  });
});

describe('a balance that was overtaken', () => {
  it('does not overwrite the balance of a play that started or ended meanwhile', async () => {
    const [hasRead, mayRespond] = [gate(), gate()];
    const slow: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (String(input).endsWith('/wallet/balance')) {
        hasRead.open();
        await mayRespond.opened;
      }
      return response;
    };
    const game = await startGame({ setBalance: 10 * UNIT, options: { fetch: slow } });
    const reading = game.client.balance();
    await hasRead.opened;
    await game.client.play(bet);
    mayRespond.open();
    expect((await reading).balance.amount).toBe(10 * UNIT);
    expect(game.client.state.balance?.amount).toBe(9 * UNIT);
    await expectTruth(game);
  });

  it('does not overwrite a newer balance', async () => {
    const gates = [gate(), gate()];
    let count = 0;
    const slow: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (String(input).endsWith('/wallet/balance')) await gates[count++]?.opened;
      return response;
    };
    const token = `player-${crypto.randomUUID()}`;
    const game = await startGame({ token, setBalance: UNIT, options: { fetch: slow } });
    const older = game.client.balance();
    await expect.poll(() => count).toBe(1);
    await rgs.startSession({ token, setBalance: 2 * UNIT });
    const newer = game.client.balance();
    gates[1]?.open();
    await newer;
    gates[0]?.open();
    expect((await older).balance.amount).toBe(UNIT);
    expect(game.client.state.balance?.amount).toBe(2 * UNIT);
  });

  it('is believed when nothing has overtaken it', async () => {
    const token = `player-${crypto.randomUUID()}`;
    const game = await startGame({ token, setBalance: UNIT });
    await rgs.startSession({ token, setBalance: 3 * UNIT });
    await game.client.balance();
    expect(game.client.state.balance?.amount).toBe(3 * UNIT);
  });
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

import { describe, expect, it } from 'vitest';
import type { Fault } from './support/faultProxy.ts';
import { expectTruth, failureOf, type Game, openedBetIDs, startGame } from './support/games.ts';
import { rgs } from './support/rgs.ts';
import { BOOK, UNIT } from './support/testGames.ts';

const START = 10 * UNIT;
const bet = { amount: UNIT, mode: 'base' };
const otherBet = { amount: 2 * UNIT, mode: 'ante' };
/** The client tries once and does not repeat, so that each fault is one of the test's. */
const once = { setBalance: START, options: { maxRetries: 0 } };

const keysOf = ({ proxy }: Game) =>
  proxy.requests.filter(({ path }) => path === '/wallet/play').map(({ headers }) => headers['idempotency-key']);

async function failPlay(game: Game, fault: Fault, what = bet): Promise<void> {
  game.proxy.fail('/wallet/play', fault);
  expect((await failureOf(game.client.play(what))).kind).toBe('no-network');
}

describe('the key of a play', () => {
  it('is in the storage before the request is sent, and gone when there is a response', async () => {
    const atSending: string[] = [];
    const seen: { storage?: Map<string, string> } = {};
    const spy: typeof fetch = (input, init) => {
      if (String(input).endsWith('/wallet/play')) atSending.push(...(seen.storage?.values() ?? []));
      return fetch(input, init);
    };
    const game = await startGame({ options: { fetch: spy } });
    seen.storage = game.storage;
    await game.client.play(bet);
    expect(atSending.map((text) => JSON.parse(text))).toEqual([{ key: keysOf(game)[0], bets: [bet] }]);
    expect(game.storage.size).toBe(0);
  });

  it('is kept under a name that does not tell the sessionID', async () => {
    const game = await startGame(once);
    await failPlay(game, 'lostResponse');
    const [entry] = [...game.storage];
    expect(entry?.[0]).toMatch(/^roundhouse\.play\.[0-9a-z]+$/);
    expect(JSON.stringify(entry)).not.toContain(game.session.sessionID);
  });

  it('is forgotten when the server refuses the bet: nothing was opened', async () => {
    const game = await startGame({ setBalance: UNIT / 2 });
    expect((await failureOf(game.client.play(bet))).kind).toBe('insufficient-funds');
    expect(game.storage.size).toBe(0);
    await expectTruth(game);
  });

  it('is kept in memory where the storage is blocked', async () => {
    const blocked = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    const storage = { getItem: blocked, setItem: blocked, removeItem: blocked };
    const game = await startGame({ setBalance: START, options: { maxRetries: 0, storage } });
    await failPlay(game, 'lostResponse');
    const { round } = await game.client.play(bet);
    expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    await expectTruth(game);
  });

  it('is not believed when the storage holds something else', async () => {
    const game = await startGame(once);
    await failPlay(game, 'lostRequest');
    const [name = ''] = game.storage.keys();
    for (const text of ['', 'null', '{}', '{"key":1,"bets":[]}', '{"key":"k","bets":[{"amount":0.5,"mode":"B"}]}']) {
      game.storage.set(name, text);
      await game.reload().authenticate();
      await game.client.play(bet);
      await game.client.endRound();
    }
    await expectTruth(game);
    expect(openedBetIDs(game.proxy)).toHaveLength(5);
  });
});

describe('a play whose response was lost', () => {
  it('is found by authenticate: the key is forgotten, and the round is there to resume', async () => {
    const game = await startGame(once);
    await failPlay(game, 'lostResponse');
    expect(game.storage.size).toBe(1);
    await game.client.authenticate();
    expect(game.storage.size).toBe(0);
    expect(game.client.state.activeRound).toMatchObject({ ...bet, betID: openedBetIDs(game.proxy)[0] });
    expect(game.client.state.netPositionMicros).toBe(-UNIT);
    await expectTruth(game);
  });

  it('is found when it is completed already, and counts with debit and payout', async () => {
    const game = await startGame(once);
    await rgs.force(game.session, 'auto', BOOK.pays0);
    await failPlay(game, 'lostResponse', { amount: UNIT, mode: 'auto' });
    await game.client.authenticate();
    expect(game.storage.size).toBe(0);
    expect(game.client.state).toMatchObject({ canPlay: true, round: { active: false }, netPositionMicros: -UNIT });
    await expectTruth(game);
  });

  it.each(['base', 'auto'])(
    'is the response when the same bet is placed again in mode %s: no second debit',
    async (mode) => {
      const game = await startGame(once);
      await rgs.force(game.session, mode, BOOK.pays0);
      await failPlay(game, 'lostResponse', { amount: UNIT, mode });
      const { round, balance } = await game.client.play({ amount: UNIT, mode: mode.toLowerCase() });
      expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
      expect(balance.amount).toBe(START - UNIT);
      await game.client.endRound();
      await expectTruth(game);
      expect(game.client.state.netPositionMicros).toBe(-UNIT);
    },
  );

  it('is found after a reload too, and the same bet resolves to it', async () => {
    const game = await startGame(once);
    await failPlay(game, 'lostResponse');
    const { round } = await game.reload().play(bet);
    expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    expect(game.client.state.activeRound).toEqual(round);
    await expectTruth(game);
  });

  it('is resumed first when another bet is placed: that one is not sent', async () => {
    const game = await startGame(once);
    await failPlay(game, 'lostResponse');
    expect(await failureOf(game.client.play(otherBet))).toMatchObject({ kind: 'bad-request', code: undefined });
    expect(game.client.state.activeRound).toMatchObject(bet);
    await game.client.endRound();
    await game.client.play(otherBet);
    expect(openedBetIDs(game.proxy)).toHaveLength(2);
    expect(new Set(keysOf(game)).size).toBe(2);
    await expectTruth(game);
  });
});

describe('a play that never reached the server', () => {
  it('goes out again under the same key', async () => {
    const game = await startGame(once);
    await failPlay(game, 'lostRequest');
    await game.client.authenticate();
    expect(game.client.state).toMatchObject({ canPlay: true, netPositionMicros: 0 });
    expect(game.storage.size).toBe(1);
    const { round } = await game.client.play(bet);
    expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    expect(new Set(keysOf(game)).size).toBe(1);
    expect(game.storage.size).toBe(0);
    await expectTruth(game);
  });

  it('goes out under the same key after a reload', async () => {
    const game = await startGame(once);
    await failPlay(game, 'lostRequest');
    await game.reload().authenticate();
    await game.client.play(bet);
    expect(new Set(keysOf(game)).size).toBe(1);
    expect(openedBetIDs(game.proxy)).toHaveLength(1);
    await expectTruth(game);
  });

  it('is the same one bet when its request arrives later, after the new one', async () => {
    const game = await startGame(once);
    await failPlay(game, 'heldRequest');
    await game.client.authenticate();
    const { round } = await game.client.play(bet);
    await game.client.endRound();
    await game.proxy.deliverHeld();
    expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    await expectTruth(game);
  });

  it('is the same one bet when its request arrives between authenticate and the new one', async () => {
    const game = await startGame(once);
    await failPlay(game, 'heldRequest');
    await game.client.authenticate();
    await game.proxy.deliverHeld();
    const { round } = await game.client.play(bet);
    expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    await expectTruth(game);
  });

  it('is never a bet beside another one: the other goes out under the same key, and loses when it comes second', async () => {
    const game = await startGame(once);
    await failPlay(game, 'heldRequest');
    await game.client.authenticate();
    await game.proxy.deliverHeld();
    expect(await failureOf(game.client.play(otherBet))).toMatchObject({ kind: 'bad-request', code: 'ERR_VAL' });
    expect(game.client.state.needsAuthenticate).toBe(true);
    await game.client.authenticate();
    expect(game.client.state).toMatchObject({ activeRound: bet, netPositionMicros: -UNIT });
    expect(game.storage.size).toBe(0);
    await expectTruth(game);
    await game.client.endRound();
    await game.client.play(otherBet);
    expect(openedBetIDs(game.proxy)).toHaveLength(2);
    await expectTruth(game);
  });

  it('is never a bet beside another one that has come first and is over', async () => {
    const game = await startGame(once);
    await failPlay(game, 'heldRequest');
    const { round } = await game.client.play(otherBet);
    await game.client.endRound();
    await game.proxy.deliverHeld();
    expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    expect(round).toMatchObject({ amount: otherBet.amount, mode: otherBet.mode });
    await expectTruth(game);
  });

  it('stays the same one bet when the repetition is refused for want of money', async () => {
    const game = await startGame({ setBalance: UNIT / 2, options: { maxRetries: 0 } });
    await failPlay(game, 'heldRequest');
    expect((await failureOf(game.client.play(bet))).kind).toBe('insufficient-funds');
    expect(game.storage.size).toBe(1);
    await rgs.startSession({ token: 'nobody' });
    await expectTruth({ ...game, client: await authenticated(game) });
  });
});

describe('two tabs of one session', () => {
  it('see each other: a play refused because the other tab has opened a round needs an authenticate', async () => {
    const game = await startGame(once);
    const other = game.secondTab();
    await other.authenticate();
    const { round } = await other.play(bet);
    expect(await failureOf(game.client.play(otherBet))).toMatchObject({ kind: 'bad-request', code: 'ERR_VAL' });
    expect(game.client.state).toMatchObject({ needsAuthenticate: true, canPlay: false });
    expect(game.storage.size).toBe(0);
    await game.client.authenticate();
    expect(game.client.state).toMatchObject({ activeRound: round, netPositionMicros: 0 });
    await expectTruth(game);
  });

  it('do not take the round of the other tab for a bet that was lost here', async () => {
    const game = await startGame(once);
    await failPlay(game, 'lostRequest');
    await rgs.force(game.session, 'auto', BOOK.pays0);
    await rgs.play(game.session, { amount: UNIT, mode: 'auto' });
    const { round } = await game.client.play(bet);
    expect(round).toMatchObject(bet);
    expect(openedBetIDs(game.proxy)).toEqual([round.betID]);
    await expectTruth(game);
  });

  it('do not leave a round active that the other tab has ended', async () => {
    const game = await startGame(once);
    await game.client.play(bet);
    await rgs.endRound(game.session);
    expect(await failureOf(game.client.event('late'))).toMatchObject({ kind: 'bad-request', code: 'ERR_VAL' });
    expect(game.client.state.needsAuthenticate).toBe(true);
    await game.client.endRound();
    await expectTruth(game);
    expect(openedBetIDs(game.proxy)).toHaveLength(1);
  });

  it('open one round of two plays at once', async () => {
    const game = await startGame(once);
    const other = game.secondTab();
    await other.authenticate();
    const outcomes = await Promise.allSettled([game.client.play(bet), other.play(bet)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(openedBetIDs(game.proxy)).toHaveLength(1);
    for (const client of [game.client, other]) {
      await client.authenticate();
      await expectTruth({ client, session: game.session });
    }
  });
});

async function authenticated(game: Game) {
  await game.client.authenticate();
  return game.client;
}

import { setTimeout as realWait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import { expectTruth, failureOf, openClient, startGame } from './support/games.ts';
import { createScriptedServer, SCRIPTED_URL, type ScriptedServer, scriptedRound } from './support/scriptedServer.ts';
import { GAMES, UNIT } from './support/testGames.ts';

const bet = { amount: 1, mode: 'BASE' };

describe('the numbers of the options', () => {
  const url = 'https://games.example/a/1/index.html?sessionID=s&rgs_url=rgs.example';
  const longestMs = 2_147_483_647;

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: Number.POSITIVE_INFINITY },
    { retryDelayMs: -1 },
    { maxRetryDelayMs: longestMs + 1 },
    { balanceRefreshMs: Number.NaN },
    { maxRetries: -1 },
  ])('have limits: %o is refused', (options) => {
    expect(() => openClient({ url, ...options })).toThrow(RangeError);
  });

  it.each([{ timeoutMs: 1 }, { timeoutMs: longestMs }, { maxRetries: Number.POSITIVE_INFINITY }])(
    'may be at their limits: %o',
    (options) => {
      expect(openClient({ url, ...options }).launch.kind).toBe('play');
    },
  );
});

describe('the minimum round duration', () => {
  it('is never counted too short: the real server takes the play as soon as the client allows it', async () => {
    const game = await startGame({ gameID: GAMES.strict.id });
    const auto = { amount: UNIT, mode: 'AUTO' };
    expect(game.client.msUntilNextPlay()).toBe(0);
    for (let count = 0; count < 2; count += 1) {
      // A timer may fire a moment early.
      while (game.client.msUntilNextPlay() > 0) await realWait(game.client.msUntilNextPlay());
      await game.client.play(auto);
      await game.client.endRound();
      expect(game.client.msUntilNextPlay()).toBeGreaterThan(0);
      expect(game.client.msUntilNextPlay()).toBeLessThanOrEqual(1000);
    }
    expect(await failureOf(game.client.play(auto))).toMatchObject({ kind: 'bad-request', code: undefined });
    expect(game.client.state.canPlay).toBe(true);
    expect(game.proxy.requests.filter(({ path }) => path === '/wallet/play')).toHaveLength(2);
    await expectTruth(game);
  });
});

describe('with a clock of the test', () => {
  let server: ScriptedServer;
  const open = (options: Partial<ClientOptions> = {}) =>
    openClient({ url: SCRIPTED_URL, fetch: server.fetch, ...options });

  beforeEach(() => {
    vi.useFakeTimers();
    server = createScriptedServer();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('repeats a request no sooner than the server allows', async () => {
    const client = open();
    await client.authenticate();
    server.refuse('/wallet/balance', 'ERR_GEN', { 'Retry-After': '2' });
    const balance = client.balance();
    await vi.advanceTimersByTimeAsync(1999);
    expect(server.asked.filter((path) => path === '/wallet/balance')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(301);
    await balance;
    expect(server.asked.filter((path) => path === '/wallet/balance')).toHaveLength(2);
  });

  it('counts the minimum round duration from the response, to the millisecond', async () => {
    server.minimumRoundDuration = 2500;
    const client = open();
    await client.authenticate();
    expect(client.msUntilNextPlay()).toBe(0);
    await client.play(bet);
    expect(client.msUntilNextPlay()).toBe(2500);
    await vi.advanceTimersByTimeAsync(2499);
    expect(client.msUntilNextPlay()).toBe(1);
    expect(await failureOf(client.play(bet))).toMatchObject({ kind: 'bad-request', code: undefined });
    await client.authenticate();
    await vi.advanceTimersByTimeAsync(1);
    expect(client.msUntilNextPlay()).toBe(0);
    await client.play(bet);
  });

  it('counts it from the first sight of a round that another page has opened', async () => {
    server.minimumRoundDuration = 2500;
    server.round = scriptedRound(41);
    const client = open();
    await client.authenticate();
    expect(client.msUntilNextPlay()).toBe(2500);
    await vi.advanceTimersByTimeAsync(1500);
    await client.authenticate();
    expect(client.msUntilNextPlay()).toBe(1000);
    server.round = scriptedRound(42);
    await client.authenticate();
    expect(client.msUntilNextPlay()).toBe(2500);
  });

  describe('the idle refresh', () => {
    const balances = () => server.asked.filter((path) => path === '/wallet/balance').length;

    it('reads the balance after each 30 s without a call', async () => {
      const client = open();
      await vi.advanceTimersByTimeAsync(100_000);
      expect(server.asked).toEqual([]);
      await client.authenticate();
      server.balance = 2000;
      await vi.advanceTimersByTimeAsync(29_999);
      expect(balances()).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      expect(balances()).toBe(1);
      expect(client.state.balance?.amount).toBe(2000);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(balances()).toBe(3);
    });

    it('counts anew from each call', async () => {
      const client = open({ balanceRefreshMs: 1000 });
      await client.authenticate();
      await vi.advanceTimersByTimeAsync(900);
      await client.play(bet);
      await vi.advanceTimersByTimeAsync(900);
      expect(balances()).toBe(0);
      await vi.advanceTimersByTimeAsync(100);
      expect(balances()).toBe(1);
    });

    it('is off when it is switched off, and after close', async () => {
      const off = open({ balanceRefreshMs: 0 });
      const closed = open();
      await Promise.all([off.authenticate(), closed.authenticate()]);
      closed.close();
      await vi.advanceTimersByTimeAsync(100_000);
      expect(balances()).toBe(0);
    });

    it('is off in a replay, which has no session', async () => {
      const replay = '?replay=true&game=g&version=1&mode=BASE&event=1&amount=1&rgs_url=rgs.example';
      const client = openClient({ url: `https://games.example/g/1/index.html${replay}`, fetch: server.fetch });
      const replayed = client.replay().catch(() => {});
      await vi.advanceTimersByTimeAsync(100_000);
      await replayed;
      expect(balances()).toBe(0);
    });

    it('is silent when it fails, and tries again', async () => {
      const client = open({ balanceRefreshMs: 1000 });
      await client.authenticate();
      server.refuse('/wallet/balance', 'ERR_LOC');
      await vi.advanceTimersByTimeAsync(1000);
      expect(client.state.needsAuthenticate).toBe(false);
      await vi.advanceTimersByTimeAsync(1000);
      expect(balances()).toBe(2);
    });

    it.each(['ERR_IS', 'ERR_ATE'] as const)('does not keep a session alive that is over (%s)', async (code) => {
      const client = open({ balanceRefreshMs: 1000 });
      await client.authenticate();
      server.refuse('/wallet/balance', code);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(server.asked).toEqual(['/wallet/authenticate', '/wallet/balance']);
      await client.play(bet);
      await vi.advanceTimersByTimeAsync(1000);
      expect(balances()).toBe(2);
    });

    it('sends nothing while the page is hidden, and at once when it is shown again', async () => {
      const page = Object.assign(new EventTarget(), { hidden: false });
      vi.stubGlobal('document', page);
      const show = (hidden: boolean) => {
        page.hidden = hidden;
        page.dispatchEvent(new Event('visibilitychange'));
      };
      const client = open({ balanceRefreshMs: 1000 });
      await client.authenticate();
      show(true);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(balances()).toBe(0);
      show(false);
      await vi.advanceTimersByTimeAsync(0);
      expect(balances()).toBe(1);
      show(true);
      show(false);
      await vi.advanceTimersByTimeAsync(999);
      expect(balances()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(balances()).toBe(2);
      client.close();
      show(true);
      show(false);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(balances()).toBe(2);
    });
  });

  it('leaves no timer behind', async () => {
    const client = open({ balanceRefreshMs: 0 });
    await client.authenticate();
    await client.play(bet);
    expect(vi.getTimerCount()).toBe(0);
    const refreshing = open();
    await refreshing.authenticate();
    expect(vi.getTimerCount()).toBe(1);
    refreshing.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits between two attempts, longer each time and drawn at random, and gives up waiting when it is closed', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    try {
      let sent = 0;
      const broken: typeof fetch = async () => {
        sent += 1;
        throw new TypeError('no network');
      };
      const client = open({ fetch: broken, maxRetries: 6 });
      const failure = failureOf(client.authenticate());
      const waits: number[] = [];
      for (let seen = 1; seen <= 5; seen += 1) {
        let ms = 0;
        while (sent === seen || ms === 0) {
          await vi.advanceTimersByTimeAsync(50);
          ms += 50;
        }
        waits.push(ms);
      }
      // The waits are half of 300, 600, 1200, 2400 and 4000, which is the most.
      expect(waits).toEqual([150, 300, 600, 1200, 2000]);
      client.close();
      expect(await failure).toMatchObject({ kind: 'no-network', retryable: false });
    } finally {
      random.mockRestore();
    }
  });
});

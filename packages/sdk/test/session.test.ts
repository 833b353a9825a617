import { describe, expect, it } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };
import { type Client, type ClientOptions, isRound } from '../src/index.ts';
import { expectTruth, failureOf, launchUrl, openClient, openGame, startGame } from './support/games.ts';
import { rgs } from './support/rgs.ts';
import { BOOK, GAMES, UNIT } from './support/testGames.ts';

describe('a session from the launch URL to the payout', () => {
  it('authenticates, plays, records events, ends, and knows the truth at each step', async () => {
    const game = await openGame({ setBalance: 10 * UNIT });
    const { client, session } = game;
    expect(client.state).toMatchObject({ needsAuthenticate: true, canPlay: false, balance: undefined });

    const { config, round } = await client.authenticate();
    expect(isRound(round)).toBe(false);
    expect(client.state.config).toEqual(config);
    expect(client.state).toMatchObject({ canPlay: true, round: undefined, balance: { amount: 10 * UNIT } });
    await expectTruth(game);

    await rgs.force(session, 'BASE', BOOK.pays150);
    const played = await client.play({ amount: UNIT, mode: 'BASE' });
    expect(played).toMatchObject({ balance: { amount: 9 * UNIT }, round: { active: true, payout: 1.5 * UNIT } });
    expect(client.state.activeRound).toEqual(played.round);
    expect(client.state.canPlay).toBe(false);
    await expectTruth(game);

    expect(await client.event('spin:1')).toEqual({ event: 'spin:1' });
    expect(client.state.activeRound?.event).toBe('spin:1');
    await expectTruth(game);

    expect(await client.endRound()).toEqual({ balance: { amount: 10.5 * UNIT, currency: 'USD' } });
    expect(client.state).toMatchObject({ canPlay: true, activeRound: undefined, round: { active: false } });
    await expectTruth(game);
    expect(await client.balance()).toEqual({ balance: client.state.balance });
  });

  it('leaves no round active when play has closed it', async () => {
    const game = await startGame();
    await rgs.force(game.session, 'AUTO', BOOK.pays0);
    const { round } = await game.client.play({ amount: UNIT, mode: 'auto' });
    expect(round).toMatchObject({ active: false, mode: 'auto' });
    expect(game.client.state).toMatchObject({ activeRound: undefined, canPlay: true });
    await expectTruth(game);
  });

  it('resumes the active round on a new page', async () => {
    const game = await startGame();
    const { round } = await game.client.play({ amount: UNIT, mode: 'BASE' });
    await game.client.event('seen:1');
    await game.reload().authenticate();
    expect(game.client.state.activeRound).toEqual({ ...round, event: 'seen:1' });
    expect(game.client.state.canPlay).toBe(false);
    await game.client.endRound();
    await expectTruth(game);
  });

  it('ends a round that is completed already: end-round is idempotent', async () => {
    const game = await startGame();
    await game.client.play({ amount: UNIT, mode: 'BASE' });
    const { balance } = await game.client.endRound();
    expect(await game.client.endRound()).toEqual({ balance });
    await expectTruth(game);
  });

  it.each([
    ['a full URL', (url: string) => url],
    ['a full URL with a slash', (url: string) => `${url}/`],
    ['a bare host and port, which is http on this machine', (url: string) => url.replace('http://', '')],
  ])('reaches the server when rgs_url is %s', async (_, write) => {
    const session = await rgs.startSession();
    const client = openClient({ url: launchUrl(session, write(rgs.url)), balanceRefreshMs: 0 });
    await expect(client.authenticate()).resolves.toMatchObject({ config: { gameID: session.gameID } });
    expect(client.launch).toMatchObject({ kind: 'play', rgsUrl: rgs.url, language: 'en', device: 'desktop' });
  });

  it.each([
    ['nonsense', 'not-a-url'],
    ['https://games.example/?sessionID=s', 'missing-rgs-url'],
    ['https://games.example/?rgs_url=rgs.example', 'missing-session'],
  ])('refuses %s', (url, issue) => {
    expect(() => openClient({ url })).toThrow(expect.objectContaining({ kind: 'launch-url', issue }));
  });

  it('is over when the server does not know the session', async () => {
    const client = openClient({ url: launchUrl({ sessionID: 'nobody', gameID: GAMES.open.id }, rgs.url) });
    expect(await failureOf(client.authenticate())).toMatchObject({ kind: 'session-over', code: 'ERR_IS', status: 400 });
    expect(client.state).toMatchObject({ needsAuthenticate: true, pending: undefined, canPlay: false });
  });
});

describe('a request', () => {
  it('is a POST of JSON, as plain text where the protocol leaves the Content-Type open', async () => {
    const { client, proxy, session } = await startGame();
    await client.play({ amount: UNIT, mode: 'BASE' });
    await client.event('x');
    await client.endRound();
    await client.balance();
    await client.history({ before: 7 });
    const seen = proxy.requests.map(({ method, path, headers, body }) => ({
      call: `${method} ${path}`,
      contentType: headers['content-type'],
      hasKey: 'idempotency-key' in headers,
      body,
    }));
    const { sessionID } = session;
    const clientVersion = `1.0.0 sdk/${packageFile.version}`;
    const plain = { contentType: 'text/plain;charset=UTF-8', hasKey: false };
    expect(seen).toEqual([
      {
        call: 'POST /wallet/authenticate',
        contentType: 'application/json',
        hasKey: false,
        body: { sessionID, clientVersion },
      },
      { call: 'POST /wallet/play', ...plain, hasKey: true, body: { sessionID, amount: UNIT, mode: 'BASE' } },
      { call: 'POST /bet/event', ...plain, body: { sessionID, event: 'x' } },
      { call: 'POST /wallet/end-round', ...plain, body: { sessionID } },
      { call: 'POST /wallet/balance', ...plain, body: { sessionID } },
      { call: 'POST /bet/history', ...plain, body: { sessionID, before: 7 } },
    ]);
  });

  it('sends no Referer and no cookies: the page address holds the sessionID', async () => {
    const inits: (RequestInit | undefined)[] = [];
    const session = await rgs.startSession();
    const spy: typeof fetch = (input, init) => {
      inits.push(init);
      return fetch(input, init);
    };
    await openClient({ url: launchUrl(session, rgs.url), fetch: spy, balanceRefreshMs: 0 }).authenticate();
    expect(inits).toEqual([expect.objectContaining({ credentials: 'omit', referrerPolicy: 'no-referrer' })]);
  });

  it('uses a new key for each bet', async () => {
    const { client, proxy } = await startGame();
    for (let count = 0; count < 3; count += 1) {
      await client.play({ amount: UNIT, mode: 'BASE' });
      await client.endRound();
    }
    const keys = proxy.requests.map(({ headers }) => headers['idempotency-key']).filter(Boolean);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('state', () => {
  it('is a frozen snapshot, another one after each change, and the same one without', async () => {
    const { client } = await openGame();
    const snapshots = [client.state];
    client.subscribe((state) => snapshots.push(state));
    await client.authenticate();
    await client.balance();
    expect(snapshots.every(Object.isFrozen)).toBe(true);
    expect(new Set(snapshots).size).toBe(snapshots.length);
    expect(snapshots.at(-1)).toBe(client.state);
    expect(snapshots[0]).toMatchObject({ balance: undefined, needsAuthenticate: true });
    expect(snapshots.map(({ pending }) => pending)).toContain('authenticate');
  });

  it('tells listeners until they leave, and survives one that throws', async () => {
    const { client } = await openGame();
    const told: string[] = [];
    client.subscribe(() => {
      throw new Error('a listener of the game is broken');
    });
    const leave = client.subscribe(({ pending }) => told.push(pending ?? 'none'));
    await client.authenticate();
    expect(told).toContain('authenticate');
    leave();
    leave();
    const before = told.length;
    await client.play({ amount: UNIT, mode: 'BASE' });
    expect(told).toHaveLength(before);
    expect(client.state.activeRound).toBeDefined();
  });

  it('says when the session started, once', async () => {
    const before = Date.now();
    const { client } = await startGame();
    const { sessionStartedAtMs } = client.state;
    expect(sessionStartedAtMs).toBeGreaterThanOrEqual(before);
    expect(sessionStartedAtMs).toBeLessThanOrEqual(Date.now());
    await client.authenticate();
    expect(client.state.sessionStartedAtMs).toBe(sessionStartedAtMs);
  });
});

describe('replay', () => {
  const book = { game: GAMES.open.id, version: '1.0.0', mode: 'base', event: String(BOOK.pays150) };
  const open = (query: Record<string, string>): Client => {
    const search = new URLSearchParams({ replay: 'true', rgs_url: rgs.url, lang: 'en', ...query });
    return openClient({ url: `https://games.example/?${search}` });
  };

  it('shows the book that the launch URL names, without a session', async () => {
    const response = await open(book).replay();
    expect(response).toMatchObject({ payoutMultiplier: 1.5, costMultiplier: 1 });
    expect(response.state).toEqual([
      { index: 0, type: 'reveal', mode: 'base' },
      { index: 1, type: 'finalWin', amount: 150 },
    ]);
  });

  it('has no session calls: nothing is sent', async () => {
    const { proxy } = await openGame();
    const client = open({ ...book, rgs_url: proxy.url });
    const bet = { amount: UNIT, mode: 'BASE' };
    for (const call of [client.authenticate, client.balance, client.endRound, () => client.play(bet)]) {
      expect(await failureOf(call())).toMatchObject({ kind: 'bad-request', code: undefined });
    }
    expect(await failureOf(client.event('x'))).toMatchObject({ kind: 'bad-request' });
    expect(proxy.requests).toEqual([]);
    expect(client.state).toMatchObject({ needsAuthenticate: false, canPlay: false });
  });

  it('refuses a book that does not exist, and a launch URL that names none', async () => {
    expect(await failureOf(open({ ...book, event: '99' }).replay())).toMatchObject({
      kind: 'bad-request',
      status: 404,
    });
    const { client } = await openGame();
    expect(await failureOf(client.replay())).toMatchObject({ kind: 'bad-request', code: undefined });
    await expect(client.replay({ ...book, mode: 'BONUS' })).resolves.toMatchObject({ costMultiplier: 100 });
    expect(await failureOf(client.replay({ ...book, game: '../../wallet' }))).toMatchObject({ status: 404 });
  });
});

describe('close', () => {
  it('ends the pending requests and refuses later ones', async () => {
    const { client, proxy } = await startGame();
    proxy.fail('/wallet/balance', 'stalledResponse');
    const stalled = proxy.stalled();
    const failure = failureOf(client.balance());
    await stalled;
    client.close();
    expect(await failure).toMatchObject({ kind: 'no-network', retryable: false });
    expect(await failureOf(client.balance())).toMatchObject({ kind: 'bad-request', code: undefined });
    expect(client.state.canPlay).toBe(false);
    expect(proxy.requests.filter(({ path }) => path === '/wallet/balance')).toHaveLength(1);
  });
});

describe('the version that authenticate says', () => {
  const saidBy = async (options: Partial<ClientOptions>, url = launchUrl({ sessionID: 's', gameID: 'g' }, rgs.url)) => {
    const bodies: unknown[] = [];
    const fetch: ClientOptions['fetch'] = async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return Response.json({ error: 'ERR_IS', message: '' }, { status: 400 });
    };
    await failureOf(openClient({ url, fetch, balanceRefreshMs: 0, ...options }).authenticate());
    return bodies;
  };

  it('is that of the launch URL, and that of the SDK', async () => {
    expect(await saidBy({})).toEqual([{ sessionID: 's', clientVersion: `1.0.0 sdk/${packageFile.version}` }]);
  });

  it('is that of the front end when it has one', async () => {
    expect(await saidBy({ version: '2.3.4' })).toEqual([
      { sessionID: 's', clientVersion: `2.3.4 sdk/${packageFile.version}` },
    ]);
  });

  it('has at most 128 characters, which the server takes', async () => {
    const [body] = await saidBy({ version: 'x'.repeat(200) });
    expect(body).toEqual({ sessionID: 's', clientVersion: 'x'.repeat(128) });
  });

  it('is unknown at an address without a version', async () => {
    const url = `https://games.example/?sessionID=s&rgs_url=${encodeURIComponent(rgs.url)}`;
    expect(await saidBy({}, url)).toEqual([{ sessionID: 's', clientVersion: `unknown sdk/${packageFile.version}` }]);
  });
});
